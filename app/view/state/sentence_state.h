#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/chat/conversation.h"
#include "app/view/state/selection.h"

namespace lab::view {

/// What happens to the caret of a text box.
enum class CaretTo {
  kStay,
  kEnd,
  kAll  ///< all of the text is selected: what is typed next replaces it
};

/// The text box of a sentence, and its row of chips.
struct SentenceState {
  std::string text;                ///< as typed; may be ahead of the document
  std::string box;                 ///< the same in the form that ImGui's text field holds
  std::string seen;                ///< the document's sentence in the last frame
  bool active = false;             ///< the box had the keyboard focus in the last frame
  int visit = 0;                   ///< counts the steps of typing: a new focus, an undo, a pause
  bool all_selected = false;       ///< all of the box was selected in the last frame
  double typed_at = 0;             ///< when it was edited last, as ImGui::GetTime() counts
  CaretTo caret = CaretTo::kStay;  ///< what happens once it has the keyboard focus
  std::string refusal;             ///< why the document does not take the text; empty: it does
  std::optional<std::string>
      beginning;          ///< the part of a text that a model reads, if it is too long
  float chips_width = 0;  ///< of all chips in the last frame, in pixels
  std::optional<attention::Index> chip_in_view;  ///< the token that the chips were scrolled to
};

/// A box of several lines while it is being typed in.
struct WrittenBox {
  std::string name;   ///< the widget's; empty: none is
  std::string shown;  ///< its text with the line ends that only the box has
};

/// The conversation that a model reads in place of a sentence.
struct ChatState {
  bool on = false;                    ///< the model reads it
  std::vector<chat::Turn> turns;      ///< as typed; may be ahead of the document
  std::vector<chat::Turn> seen;       ///< those of the document in the last frame
  std::optional<std::size_t> active;  ///< the turn whose box had the keyboard in the last frame
  std::optional<std::size_t> enter;   ///< the turn whose box gets the keyboard
  std::shared_ptr<const void> known_template;  ///< the chat template of the model
  bool takes_system = false;                   ///< it writes what a system turn says
  std::size_t drawn = 0;                       ///< number of turns in the last frame
  int visit = 0;                               ///< counts the steps of typing, see SentenceState
  double typed_at = 0;  ///< when a turn was edited last, as ImGui::GetTime() counts
  /// The sentence for which it was to be switched on; unset: it was not, or is on.
  std::optional<std::string> asked_for;
  std::string refusal;  ///< why the document does not take the turns; empty: it does
};

/// What is typed to find a token.
struct FindState {
  std::string text;
  std::string searched;   ///< the text for which a token was selected last
  std::size_t index = 0;  ///< of the selected token among those found
};

}  // namespace lab::view
