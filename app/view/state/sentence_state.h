#pragma once

#include <optional>
#include <string>

#include "app/view/state/selection.h"

namespace lab::view {

/// The state when a sentence's box got the keyboard focus, which Esc restores.
struct BeforeTyping {
  std::size_t state = 0;  ///< History::state_id
  Selection selection;
};

/// The text box of a sentence, and its row of chips.
struct SentenceState {
  std::string text;     ///< as typed; may be ahead of the document
  std::string box;      ///< the same in the form that ImGui's text field holds
  std::string seen;     ///< the document's sentence in the last frame
  bool active = false;  ///< the box had the keyboard focus in the last frame
  BeforeTyping before;
  bool caret_to_end = false;  ///< put the caret at the end once it has the keyboard focus
  std::optional<attention::Index> chip_in_view;  ///< the token that the chips were scrolled to
};

}  // namespace lab::view
