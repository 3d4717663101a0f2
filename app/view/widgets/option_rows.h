#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/view/state/ui.h"

// Rows of options in a dialog: a name at the left, and what can be chosen beside it.

namespace lab::view {

/// Begins a row: its name, and then what can be chosen.
void begin_row(Ui& ui, const std::string& name);

/// Ends it.
void end_row();

/// One of the choices of a row, a widget of that name; returns true when it was chosen.
bool row_choice(Ui& ui, const std::string& label, const std::string& name, bool chosen);

/// A choice that has a row of its own.
bool list_choice(Ui& ui, const std::string& label, const std::string& name, bool chosen);

/// Words of warning between what can be chosen.
void row_note(Ui& ui, const std::string& words);

/// A list to choose from, which drops down where it is clicked: shows the name of choice `chosen`.
/// Its items are called `name` and their place. The place of what was chosen, else nothing.
std::optional<std::size_t> row_list(Ui& ui, const std::string& name,
                                    const std::vector<std::string>& choices, std::size_t chosen);

/// A box that is ticked or not.
void row_tick(Ui& ui, const std::string& label, const std::string& name, bool& value);

/// A number that is typed, with its unit behind it; kept between `least` and `most`.
void row_number(Ui& ui, const std::string& unit, const std::string& name, double& value,
                double least, double most);

/// A text that is typed, `width` points wide; `hint` stands there while it is empty.
void row_text(Ui& ui, const std::string& hint, const std::string& name, std::string& text,
              float width);

}  // namespace lab::view
