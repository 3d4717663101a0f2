#include <cmath>
#include <nlohmann/json.hpp>

#include "app/base/code_point.h"
#include "app/base/hex_text.h"
#include "app/document/commands/command.h"
#include "app/document/commands/command_members.h"
#include "app/document/variant_names.h"

namespace lab {

namespace {

using Json = CommandJson;

Json number_json(float value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

Json rows_json(const attention::Matrix& values) {
  Json rows = Json::array();
  for (attention::Index i = 0; i < values.rows(); ++i) {
    Json row = Json::array();
    for (attention::Index j = 0; j < values.cols(); ++j) row.push_back(number_json(values(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

void write_matrix(Json& json, MatrixRef ref) {
  json["matrix"] = std::string(matrix_name(ref.id));
  if (is_per_head(ref.id)) json["head"] = ref.head + 1;
}

// What a command that starts at a cell of a matrix begins with.
template <typename OfCells>
Json place_json(const char* name, const OfCells& command) {
  Json json = {{"do", name}};
  write_matrix(json, command.matrix);
  json["row"] = command.row;
  json["col"] = command.col;
  return json;
}

Json cell_json(const char* name, const StageCell& cell) {
  Json json = {{"do", name}, {"stage", std::string(stage_name(cell.stage))}};
  if (is_per_head(cell.stage)) json["head"] = cell.head + 1;
  json["row"] = cell.row;
  json["col"] = cell.col;
  return json;
}

Json sentence_json(const char* name, const std::string& text) {
  if (is_utf8(text)) return {{"do", name}, {"text", text}};
  return {{"do", name}, {"text_hex", to_hex(text)}};
}

Json switch_json(const char* name, bool on) { return {{"do", name}, {"on", on}}; }

void write_given(Json& json, const char* name, const auto& value) {
  if (value) json[name] = *value;
}
void write_given(Json& json, const char* name, const std::optional<float>& value) {
  if (value) json[name] = number_json(*value);
}

struct ToJson {
  Json operator()(const SetSentence& command) const {
    return sentence_json("set_sentence", command.text);
  }
  Json operator()(const SetKvSentence& command) const {
    return sentence_json("set_kv_sentence", command.text);
  }
  Json operator()(const SetTokenMode& command) const {
    return {{"do", "set_token_mode"}, {"mode", std::string(token_mode_name(command.mode))}};
  }
  Json operator()(const SetSize& command) const {
    return {{"do", "set_size"},
            {"size", std::string(size_name(command.size))},
            {"value", command.value}};
  }
  Json operator()(const SetHeadBuild& command) const {
    return {{"do", "set_head_build"}, {"build", std::string(head_build_name(command.build))}};
  }
  Json operator()(const SetScale& command) const { return switch_json("set_scale", command.on); }
  Json operator()(const SetTemperature& command) const {
    return {{"do", "set_temperature"}, {"value", number_json(command.value)}};
  }
  Json operator()(const SetMask& command) const {
    Json json = {{"do", "set_mask"}};
    write_given(json, "causal", command.causal);
    write_given(json, "key_count", command.key_count);
    write_given(json, "window", command.window);
    return json;
  }
  Json operator()(const SetMaskCell& command) const {
    return {{"do", "set_mask_cell"},
            {"row", command.row},
            {"col", command.col},
            {"allowed", command.allowed}};
  }
  Json operator()(const FillMask& command) const {
    return {{"do", "fill_mask"}, {"allowed", command.allowed}};
  }
  Json operator()(const SetBiasCell& command) const {
    return {{"do", "set_bias_cell"},
            {"row", command.row},
            {"col", command.col},
            {"value", number_json(command.value)}};
  }
  Json operator()(const FillBias& command) const {
    return {{"do", "fill_bias"}, {"value", number_json(command.value)}};
  }
  Json operator()(const SetPositions& command) const {
    Json json = {{"do", "set_positions"}};
    if (command.kind) json["kind"] = std::string(positions_name(*command.kind));
    write_given(json, "base", command.base);
    if (command.pairs) json["pairs"] = std::string(rotary_pairs_name(*command.pairs));
    return json;
  }
  Json operator()(const SetBiases& command) const { return switch_json("set_biases", command.on); }
  Json operator()(const SetDropout& command) const {
    Json json = {{"do", "set_dropout"}};
    write_given(json, "rate", command.rate);
    write_given(json, "seed", command.seed);
    return json;
  }
  Json operator()(const SetResidual& command) const {
    return switch_json("set_residual", command.on);
  }
  Json operator()(const SetLayerNorm& command) const {
    Json json = {{"do", "set_layer_norm"}};
    write_given(json, "on", command.on);
    write_given(json, "epsilon", command.epsilon);
    return json;
  }
  Json operator()(const SetHeadMix& command) const {
    Json json = {{"do", "set_head_mix"}, {"head", command.head + 1}};
    write_given(json, "mute", command.mute);
    write_given(json, "solo", command.solo);
    write_given(json, "scale", command.scale);
    return json;
  }
  Json operator()(const SetOverride& command) const {
    Json json = cell_json("set_override", command.cell);
    json["value"] = number_json(command.value);
    return json;
  }
  Json operator()(const RemoveOverride& command) const {
    return cell_json("remove_override", command.cell);
  }
  Json operator()(const ClearOverrides&) const { return {{"do", "clear_overrides"}}; }
  Json operator()(const SetCell& command) const {
    Json json = place_json("set_cell", command);
    json["value"] = number_json(command.value);
    return json;
  }
  Json operator()(const SetBlock& command) const {
    Json json = place_json("set_block", command);
    json["values"] = rows_json(command.values);
    return json;
  }
  Json operator()(const FillMatrix& command) const {
    Json json;
    json["do"] = "fill_matrix";
    write_matrix(json, command.matrix);
    json["fill"] = std::string(attention::fill_name(command.kind));
    json["seed"] = command.seed;
    return json;
  }
};

}  // namespace

std::string to_json_line(const Command& command) { return std::visit(ToJson{}, command).dump(); }

}  // namespace lab
