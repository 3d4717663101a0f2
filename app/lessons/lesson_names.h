#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/document/commands/command.h"

namespace lab::lessons {

/// A component of the model that a lesson can lock against edits.
using Control = ModelComponent;

/// The name in a lesson file: "sentence", "embeddings", "weights", "mask", "sizes", "switches",
/// "heads", "overrides" or "training".
std::string_view control_name(Control control);
/// The control with this name, or std::nullopt.
std::optional<Control> control_from_name(std::string_view name);
/// The component of the model that `command` edits.
inline Control control_of(const Command& command) { return edited_component(command); }

/// The names of the panels that a lesson can hide: "edit", "model", "heads", "tokens", "explain",
/// "row", "head", of trained models "network", "layers", "next_token", and of one that is trained
/// in the window "training", "curves", "position_loss", "became", "glance".
std::span<const std::string_view> hideable_panels();

/// What the tiles of a trained model's heads can show, as lessons name it: "attention", "effect",
/// "written", "previous", "induction", "duplicate", "first", "entropy".
std::span<const std::string_view> tile_views();

/// The names of all controls, for messages: "sentence, embeddings, …".
std::string control_names();
/// The names of all panels that can be hidden, for messages.
std::string panel_names();

}  // namespace lab::lessons
