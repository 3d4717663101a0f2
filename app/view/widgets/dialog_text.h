#pragma once

#include <string>
#include <string_view>

#include "app/view/state/ui.h"

// Text of dialogs and menus, which ImGui lays out. ImGui's fonts lack most scripts; text that they
// cannot show is drawn by Pango in the same place.

namespace lab::view {

/// Writes lines of text at ImGui's cursor, in its font and colour, as ImGui::TextUnformatted does.
void write_text(Ui& ui, std::string_view text);

/// Writes text at ImGui's cursor, with lines broken where Unicode permits, `width` pixels wide.
void write_wrapped_text(Ui& ui, std::string_view text, float width);

/// The size in pixels of what write_text writes.
ImVec2 written_size(const Ui& ui, std::string_view text);

/// A text field, for words in any script, that shows `hint` while it is empty. Returns true when
/// `text` was edited.
bool words_field(Ui& ui, const std::string& label, const std::string& hint, std::string& text);

/// After a text field that is too narrow for `text`, and in which nobody types: shows its end, as a
/// widget called `name`. Of a path that is the file's name.
void show_end(Ui& ui, const std::string& name, std::string_view text);

/// The label of a widget that ImGui labels itself, with its stable name `id`: `text`, or blanks as
/// wide as `text` where ImGui's font cannot show it. Then draw_item_label must follow the widget.
std::string item_label(const Ui& ui, std::string_view text, const std::string& id);

/// Draws `text` with its upper left corner at `at` in the place of the blanks of item_label;
/// nothing where ImGui has drawn it.
void draw_item_label(Ui& ui, std::string_view text, ImVec2 at);

}  // namespace lab::view
