#pragma once

#include "app/view/state/ui.h"

// A conversation that a model reads in place of a sentence, as its chat template writes it.

namespace lab::view {

/// True when the model that is edited has a chat template, or already reads a conversation.
bool can_chat(const Ui& ui);
/// True while the model that is edited reads a conversation.
bool is_chat(const Ui& ui);
/// Reads the conversation in place of the sentence, or the sentence again; one undo step.
void toggle_chat(Ui& ui);

/// The switch, cut off the right of `rect`, if there is a chat template.
void chat_switch(Ui& ui, Rect& rect);

/// How much higher the turns are than the box of a sentence in a window `width` wide, in pixels; 0
/// while the model reads a sentence.
float turns_room(Ui& ui, float width);
/// The same with the line for what refuses the conversation, if anything does.
float chat_room(Ui& ui, float width);

/// The width of what is said beside a sentence in a row `width` wide.
float notes_width(const Ui& ui, float width);

/// Takes the turns of the document over where they have changed. Call before any other part is
/// drawn.
void follow_chat(Ui& ui);

/// Draws the turns, each with its role and its text, and below them buttons for more.
void chat_turns(Ui& ui, const Rect& rect);

/// Why the template refuses the conversation, cut off the top of `rect`, if it does.
void chat_refusal(Ui& ui, Rect& rect);

}  // namespace lab::view
