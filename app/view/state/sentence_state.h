#pragma once

#include <optional>
#include <string>

#include "app/view/state/selection.h"

namespace lab::view {

/// How things stood when a sentence's box got the keyboard: what Esc brings back.
struct BeforeTyping {
  std::size_t state = 0;  ///< History::state_id
  Selection selection;
};

/// The text box of a sentence, and its row of chips.
struct SentenceState {
  std::string text;     ///< as typed; may be ahead of the document
  std::string box;      ///< the same as ImGui's text field holds it
  std::string seen;     ///< the document's sentence in the last frame
  bool active = false;  ///< the box had the keyboard in the last frame
  BeforeTyping before;
  bool caret_to_end = false;  ///< put the caret behind its text once it has the keyboard
  std::optional<attention::Index> chip_in_view;  ///< token that the chips were scrolled to
};

}  // namespace lab::view
