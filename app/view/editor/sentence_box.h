#pragma once

#include <string>

#include "app/view/state/ui.h"

namespace lab::view {

/// Which of the two sentences a box is of.
struct SentenceOf {
  std::string name;   ///< of the widget
  TextField field;    ///< what a request for the keyboard calls it
  bool may_be_empty;  ///< else an empty box changes nothing
  SentenceState& (*state)(ViewState&);
  const std::string& (*text)(const Document&);
  Command (*command)(std::string text);  ///< what typing asks for
};

/// A text box that always accepts typing, in any script, of any length. What the document refuses
/// stays in the box, in a red border; Esc takes back all that was typed since the box has the keys.
void sentence_box(Ui& ui, const SentenceOf& of, const Rect& rect);

}  // namespace lab::view
