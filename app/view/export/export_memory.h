#pragma once

#include <string>
#include <string_view>

#include "app/view/state/view_state.h"

namespace lab::view {

// The choices of the export dialog, from one run of the window to the next.

/// The choices that suit every sentence: without stage, tokens, names and title.
ExportState lasting_choices(ExportState choices);

/// The type of figure that was chosen, though a difference may be shown in its place.
figure::FigureType chosen_type(const DialogState& dialog);

/// Keeps the choices as those of the last export.
void keep_choices(DialogState& dialog);

/// What to keep of the dialog. Its choices are those of the last time that it was closed or saved.
ExportMemory memory_of(const DialogState& dialog);

/// The same as the text of a JSON object, and back; members that are missing or wrong are the
/// defaults.
std::string memory_text(const ExportMemory& memory);
/// Reads such a text; anything that is no object gives the defaults.
ExportMemory memory_from(std::string_view json);

/// Gives the dialog what was kept.
void recall(DialogState& dialog, const ExportMemory& memory);

}  // namespace lab::view
