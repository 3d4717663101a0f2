#pragma once

#include <optional>
#include <string>

#include "app/view/state/ui.h"

// The parts of the sentence bar.

namespace lab::view {

/// The sentence that a box edits.
struct SentenceOf {
  std::string name;   ///< of the widget
  TextField field;    ///< its name in requests for the keyboard focus
  bool may_be_empty;  ///< otherwise an empty box changes nothing
  SentenceState& (*state)(ViewState&);
  const std::string& (*text)(const Document&);
  const std::vector<Token>& (*tokens)(const Document&);
  /// The command for typed text.
  Command (*command)(const Document& document, std::string text);
};

/// A text box that always accepts typing, in any script, of any length. Text that the document
/// refuses stays in the box, with a red border. Esc leaves the box; what was typed since it got the
/// focus, or since an undo or a redo, is one undo step.
void sentence_box(Ui& ui, const SentenceOf& of, const Rect& rect);

/// Marks the characters of the token at `position` of the sentence in its box, which was drawn in
/// `rect`; nothing if it has none, or what was typed is ahead of the document that is shown.
void mark_token(Ui& ui, const SentenceOf& of, const Rect& rect, std::size_t position);

/// One chip per token of the first sentence, in a row that scrolls sideways; a click selects the
/// query. Returns the token that is pointed at, if any.
std::optional<attention::Index> token_chips(Ui& ui, const Rect& rect);

/// The same for the second sentence; a click selects the key.
std::optional<attention::Index> key_chips(Ui& ui, const Rect& rect);

/// The button that says how the sentences are split, cut off the left of `rect`, and its menu:
/// words, characters, the built-in tokenizers, a tokenizer.json.
void tokens_button(Ui& ui, Rect& rect);

/// The most width that the button usually takes.
float tokens_button_width(const Ui& ui);

}  // namespace lab::view
