#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/view/state/ui.h"

// Rows of options in a dialog: a name at the left, and the choices beside it. Choices that a narrow
// window has no room for go on below.

namespace lab::view {

/// The width of a row in window pixels, less where the window is narrow.
float option_row_width(const Ui& ui);

/// Begins a row with its name, followed by its choices; or, in a row, goes on with another name.
void begin_row(Ui& ui, const std::string& name);

/// Ends a row.
void end_row();

/// One of the choices of a row, a widget of that name; returns true when it was chosen.
bool row_choice(Ui& ui, const std::string& label, const std::string& name, bool chosen);

/// A choice that has a row of its own.
bool list_choice(Ui& ui, const std::string& label, const std::string& name, bool chosen);

/// A warning between the choices.
void row_note(Ui& ui, const std::string& words);

/// A drop-down list that shows the name of choice `chosen`. The names of its items are `name`
/// followed by their index; it is at most `width` points wide. Returns the index of what was
/// chosen, otherwise nothing.
std::optional<std::size_t> row_list(Ui& ui, const std::string& name,
                                    const std::vector<std::string>& choices, std::size_t chosen,
                                    float width = 400);

/// A button. Returns true when it was clicked; a disabled one never is.
bool row_button(Ui& ui, const std::string& label, const std::string& name, bool enabled = true);

/// A check box.
void row_tick(Ui& ui, const std::string& label, const std::string& name, bool& value);

/// A number field followed by its unit; clamped to `least` … `most`.
void row_number(Ui& ui, const std::string& unit, const std::string& name, double& value,
                double least, double most);

/// A text field at most `width` points wide; shows `hint` while it is empty. Returns true while it
/// has the keyboard, also in the frame in which Enter takes it away.
bool row_text(Ui& ui, const std::string& hint, const std::string& name, std::string& text,
              float width);

}  // namespace lab::view
