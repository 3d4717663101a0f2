#pragma once

#include <span>
#include <string>

#include "app/view/state/ui.h"

namespace lab::view {

/// The popup `id` of a size, if it is open, at `place`: a field for any number, and `choices`.
/// Enter commits the number and closes; a number that is refused stays in the field, with the
/// reason.
void size_menu(Ui& ui, const std::string& id, const Rect& place, SizeId size, int value,
               std::span<const int> choices);

/// The document's message about a size, with the size's name in the Model card.
std::string in_words_of_labels(const std::string& text);

}  // namespace lab::view
