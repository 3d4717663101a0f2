#include <array>
#include <limits>

#include "app/base/hex_text.h"
#include "app/document/commands/command.h"
#include "app/document/commands/command_json.h"
#include "app/document/commands/command_members.h"
#include "app/document/variant_names.h"

namespace lab {

namespace {

using Members = CommandMembers;

std::string read_text(Members& members) {
  if (!members.has("text_hex")) return members.text("text");
  auto bytes = from_hex(members.text("text_hex"));
  if (!bytes) throw std::invalid_argument("“text_hex” must be two digits 0 … 9 and a … f a byte");
  return std::move(*bytes);
}

std::optional<bool> optional_boolean(Members& members, const char* name) {
  return members.optional(name, [&](const char* member) { return members.boolean(member); });
}

std::optional<float> optional_number(Members& members, const char* name) {
  return members.optional(name, [&](const char* member) { return members.number(member); });
}

Command read_sentence(Members& members) { return SetSentence{read_text(members)}; }
Command read_kv_sentence(Members& members) { return SetKvSentence{read_text(members)}; }

Command read_token_mode(Members& members) {
  return SetTokenMode{members.named("mode", token_mode_from_name, "words or characters")};
}

Command read_size(Members& members) {
  const SizeId size =
      members.named("size", size_from_name, "one of d_model, n_heads, d_k, d_v, n_kv_heads");
  return SetSize{size, members.whole("value", std::numeric_limits<int>::min())};
}

Command read_head_build(Members& members) {
  return SetHeadBuild{members.named("build", head_build_from_name, kHeadBuildNames)};
}

Command read_scale(Members& members) { return SetScale{members.boolean("on")}; }
Command read_temperature(Members& members) { return SetTemperature{members.number("value")}; }

// Whether the mask of that name is causal.
std::optional<bool> mask_from_name(std::string_view name) {
  if (name == "none") return false;
  return name == "causal" ? std::optional(true) : std::nullopt;
}

Command read_mask(Members& members) {
  SetMask command;
  if (members.has("mask")) {
    command.causal = members.named("mask", mask_from_name, "none or causal");
    if (!*command.causal) command.key_count = command.window = 0;
  }
  if (members.has("causal")) command.causal = members.boolean("causal");
  if (members.has("key_count")) command.key_count = members.whole("key_count", 0);
  if (members.has("window")) command.window = members.whole("window", 0);
  return command;
}

Command read_mask_cell(Members& members) {
  const int row = members.whole("row", 0), col = members.whole("col", 0);
  return SetMaskCell{row, col, members.boolean("allowed")};
}

Command read_fill_mask(Members& members) { return FillMask{members.boolean("allowed")}; }

Command read_bias_cell(Members& members) {
  const int row = members.whole("row", 0), col = members.whole("col", 0);
  return SetBiasCell{row, col, members.number("value")};
}

Command read_fill_bias(Members& members) { return FillBias{members.number("value")}; }

Command read_positions(Members& members) {
  SetPositions command;
  if (members.has("kind"))
    command.kind = members.named("kind", positions_from_name, kPositionsNames);
  command.base = optional_number(members, "base");
  if (members.has("pairs"))
    command.pairs = members.named("pairs", rotary_pairs_from_name, kRotaryPairsNames);
  return command;
}

Command read_biases(Members& members) { return SetBiases{members.boolean("on")}; }

Command read_dropout(Members& members) {
  SetDropout command;
  command.rate = optional_number(members, "rate");
  if (members.has("seed")) command.seed = members.seed("seed");
  return command;
}

Command read_residual(Members& members) { return SetResidual{members.boolean("on")}; }

Command read_layer_norm(Members& members) {
  return SetLayerNorm{optional_boolean(members, "on"), optional_number(members, "epsilon")};
}

Command read_head_mix(Members& members) {
  SetHeadMix command;
  command.head = members.whole("head", 1) - 1;
  command.mute = optional_boolean(members, "mute");
  command.solo = optional_boolean(members, "solo");
  command.scale = optional_number(members, "scale");
  return command;
}

Command read_override(Members& members) {
  const StageCell cell = members.stage_cell();
  return SetOverride{cell, members.number("value")};
}

Command read_remove_override(Members& members) { return RemoveOverride{members.stage_cell()}; }
Command read_clear_overrides(Members&) { return ClearOverrides{}; }

// The matrix and the first cell in it that a command is about.
template <typename OfCells>
OfCells read_place(Members& members) {
  OfCells command;
  command.matrix = members.matrix();
  command.row = members.whole("row", 0);
  command.col = members.whole("col", 0);
  return command;
}

Command read_cell(Members& members) {
  auto command = read_place<SetCell>(members);
  command.value = members.number("value");
  return command;
}

Command read_block(Members& members) {
  auto command = read_place<SetBlock>(members);
  command.values = members.rows("values");
  return command;
}

Command read_fill(Members& members) {
  FillMatrix command;
  command.matrix = members.matrix();
  command.kind =
      members.named("fill", attention::fill_from_name, "one of zero, identity, normal, xavier");
  command.seed = members.seed("seed");
  return command;
}

struct Reader {
  std::string_view name;
  Command (*read)(Members&);
};
constexpr std::array kReaders = {Reader{"set_sentence", read_sentence},
                                 Reader{"set_kv_sentence", read_kv_sentence},
                                 Reader{"set_token_mode", read_token_mode},
                                 Reader{"set_size", read_size},
                                 Reader{"set_head_build", read_head_build},
                                 Reader{"set_scale", read_scale},
                                 Reader{"set_temperature", read_temperature},
                                 Reader{"set_mask", read_mask},
                                 Reader{"set_mask_cell", read_mask_cell},
                                 Reader{"fill_mask", read_fill_mask},
                                 Reader{"set_bias_cell", read_bias_cell},
                                 Reader{"fill_bias", read_fill_bias},
                                 Reader{"set_positions", read_positions},
                                 Reader{"set_biases", read_biases},
                                 Reader{"set_dropout", read_dropout},
                                 Reader{"set_residual", read_residual},
                                 Reader{"set_layer_norm", read_layer_norm},
                                 Reader{"set_head_mix", read_head_mix},
                                 Reader{"set_override", read_override},
                                 Reader{"remove_override", read_remove_override},
                                 Reader{"clear_overrides", read_clear_overrides},
                                 Reader{"set_cell", read_cell},
                                 Reader{"set_block", read_block},
                                 Reader{"fill_matrix", read_fill}};

Command read_members(Members& members) {
  const std::string name = members.text("do");
  for (const Reader& reader : kReaders) {
    if (reader.name == name) return reader.read(members);
  }
  throw std::invalid_argument("unknown command " + quoted_name(name));
}

}  // namespace

Expected<Command> command_from_json_line(std::string_view line) {
  try {
    CommandMembers members(parse_command_json(line));
    Command command = read_members(members);
    members.finish();
    return command;
  } catch (const std::invalid_argument& error) {
    return fail(ErrorKind::kBadInput, std::string("Not a command: ") + error.what());
  }
}

}  // namespace lab
