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
std::optional<Control> control_from_name(std::string_view name);
/// What the command edits.
inline Control control_of(const Command& command) { return edited_part(command); }

/// The panels of the window that a lesson can hide: "edit", "model", "heads", "tokens", "explain",
/// "row", "head".
std::span<const std::string_view> hideable_panels();

/// Every name of a control, of a panel that can be hidden: "sentence, embeddings, …", for messages.
std::string control_names();
std::string panel_names();

}  // namespace lab::lessons
