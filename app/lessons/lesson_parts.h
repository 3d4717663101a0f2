#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/document/commands/command.h"

namespace lab::lessons {

/// What of the model a lesson can keep from being edited.
using Control = ModelPart;

/// "sentence", "embeddings", "weights", "mask", "sizes", "switches", "heads", "overrides".
std::string_view control_name(Control control);
/// The control of that name, or nothing.
std::optional<Control> control_from_name(std::string_view name);
/// What the command edits.
inline Control control_of(const Command& command) { return edited_part(command); }

/// The panels of the window that a lesson can hide: "edit", "model", "heads", "tokens", "explain",
/// "row", "head".
std::span<const std::string_view> hideable_panels();

/// The names of all controls, for messages: "sentence, embeddings, …".
std::string control_names();
/// The names of all parts of the window, for messages.
std::string panel_names();

}  // namespace lab::lessons
