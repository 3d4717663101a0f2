#pragma once

#include "app/view/state/ui.h"

namespace lab::view {

/// True when keys and values come from a second sentence.
bool is_cross(const Ui& ui);

/// Gives keys and values their own sentence (their last one, at first the same as the queries') and
/// its box the keyboard focus, or uses the first sentence for them again. One undo step.
void toggle_cross(Ui& ui);

/// True when equal words of both sentences share one vector.
bool shares_words(const Ui& ui);

/// Shares the vectors of equal words or separates them.
void toggle_shared_words(Ui& ui);

/// The number of words of the second sentence whose vector was edited apart from that of the first.
std::size_t words_apart(const Document& document);

/// Selects the token that keys come from at that position, in a stage that shows keys.
void select_key(Ui& ui, attention::Index key);

}  // namespace lab::view
