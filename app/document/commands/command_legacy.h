#pragma once

#include <optional>
#include <string_view>

#include "app/document/commands/command.h"
#include "app/document/commands/command_members.h"

// What earlier versions of the program wrote into records, journals and command files.

namespace lab {

/// Reads "mask": "none" (no rule at all) or "causal", which set_mask had before it had rules of its
/// own; other members may follow and take precedence.
void read_legacy_members(SetMask& command, CommandMembers& members);
/// Other commands have no legacy members.
inline void read_legacy_members(auto& /*command*/, CommandMembers& /*members*/) {}

/// The replacement for a command that is no longer written: set_mask_cell and set_bias_cell set
/// cells of the matrices "mask" and "score_bias", fill_bias fills the latter. Nothing for any other
/// `name`.
std::optional<Command> read_legacy_command(std::string_view name, CommandMembers& members);

}  // namespace lab
