#include "app/document/commands/command_legacy.h"

namespace lab {

namespace {

constexpr MatrixRef kMask{MatrixId::kMask, 0}, kScoreBias{MatrixId::kScoreBias, 0};

// Whether the mask of that name is causal.
std::optional<bool> causal_from_name(std::string_view name) {
  if (name == "none") return false;
  return name == "causal" ? std::optional(true) : std::nullopt;
}

Command read_mask_cell(CommandMembers& members) {
  const int row = members.whole("row", 0), col = members.whole("col", 0);
  return SetCell{kMask, row, col, members.boolean("allowed") ? 1.0f : 0.0f};
}

Command read_bias_cell(CommandMembers& members) {
  const int row = members.whole("row", 0), col = members.whole("col", 0);
  return SetCell{kScoreBias, row, col, members.number("value")};
}

Command read_fill_bias(CommandMembers& members) {
  return FillMatrix{kScoreBias, attention::FillType::kZero, 0, members.number("value")};
}

}  // namespace

void read_legacy_members(SetMask& command, CommandMembers& members) {
  if (!members.has("mask")) return;
  command.causal = members.named("mask", causal_from_name, "none or causal");
  if (!*command.causal) command.key_count = command.window = 0;
}

std::optional<Command> read_legacy_command(std::string_view name, CommandMembers& members) {
  if (name == "set_mask_cell") return read_mask_cell(members);
  if (name == "set_bias_cell") return read_bias_cell(members);
  if (name == "fill_bias") return read_fill_bias(members);
  return std::nullopt;
}

}  // namespace lab
