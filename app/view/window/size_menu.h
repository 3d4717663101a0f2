#pragma once

#include <span>
#include <string>

#include "app/view/state/ui.h"

namespace lab::view {

/// The popup `id` of a size, when it is open, at `place`: a field for any number, and `choices`.
/// Enter takes the number and closes; a number that is refused stays in the field, with the reason.
void size_menu(Ui& ui, const std::string& id, const Rect& place, SizeId size, int value,
               std::span<const int> choices);

/// What the document says about a size, with the word that the Model card has for it.
std::string in_words_of_labels(const std::string& text);

}  // namespace lab::view
