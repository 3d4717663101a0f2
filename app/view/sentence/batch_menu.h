#pragma once

#include "app/view/state/ui.h"

// Several sentences over the same weights, of a document made by hand or of a trained model.

namespace lab::view {

/// The number of sentences: 1 without a batch.
std::size_t sentence_count(const Ui& ui);
/// True when there are several.
bool has_batch(const Ui& ui);

/// False in a model without a tokenizer, which is given ids.
bool can_add_sentence(const Ui& ui);
/// Adds a copy of the sentence after it, which the next words that are typed replace; of a model
/// with two stacks a copy of what the encoder reads.
void add_sentence(Ui& ui);
/// Removes the sentence that is shown. Precondition: there are several.
void remove_sentence(Ui& ui);
/// Shows the sentence `by` places further on, from the last one the first.
void go_by_sentences(Ui& ui, int by);
/// False in a trained model, which reads each sentence at its own length.
bool can_pad(const Ui& ui);
/// Whether all are padded to the longest one.
bool has_padding(const Ui& ui);
/// Pads them, or ends that.
void toggle_padding(Ui& ui);

/// Draws "2 of 3", which opens the list of sentences, cut off the left of `rect`, if there is room.
void batch_button(Ui& ui, Rect& rect);

}  // namespace lab::view
