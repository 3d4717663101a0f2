#include "app/files/model/json/interventions_json.h"

#include "app/base/bad_input.h"
#include "app/document/model/layer_name.h"
#include "app/files/session/json_reading.h"
#include "app/files/session/stage_cell_json.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::Matrix;
using attention::SharedMatrix;
using attention::network::CellOverride;
using attention::network::HeadGain;
using attention::network::HeadPatch;
using attention::network::Interventions;
using attention::network::Network;
using attention::network::StreamOverride;
using attention::network::Sublayer;
using nlohmann::json;

void write_place(JsonWriter& out, Index row, Index col, float value) {
  out.member("row");
  out.raw(std::to_string(row));
  out.member("col");
  out.raw(std::to_string(col));
  out.member("value");
  out.number(value);
}

void write_one(JsonWriter& out, const HeadGain& gain) {
  out.member("head");
  out.string(model_head_name(gain.at, gain.head));
  if (gain.mute) out.member("mute"), out.raw("true");
  if (gain.solo) out.member("solo"), out.raw("true");
  out.member("gain");
  out.number(gain.gain);
}

void write_one(JsonWriter& out, const CellOverride& override) {
  const bool of_head = is_per_head(override.cell.stage);
  out.member(of_head ? "head" : "layer");
  out.string(of_head ? model_head_name(override.at, override.cell.head) : layer_name(override.at));
  out.member("stage");
  out.string(stage_name(override.cell.stage));
  write_place(out, override.cell.row, override.cell.col, override.cell.value);
}

void write_one(JsonWriter& out, const HeadPatch& patch) {
  out.member("head");
  out.string(model_head_name(patch.at, patch.head));
  out.member("stage");
  out.string(stage_name(patch.stage));
  out.member("values");
  out.begin('[');
  for (Index i = 0; i < patch.values->rows(); ++i) {
    out.element();
    out.row(patch.values->row(i));
  }
  out.end(']');
}

void write_one(JsonWriter& out, const StreamOverride& override) {
  out.member("layer");
  out.string(layer_name(override.at));
  write_place(out, override.row, override.col, override.value);
}

template <typename Item>
void write_items(JsonWriter& out, const char* name, const std::vector<Item>& items) {
  if (items.empty()) return;
  out.member(name);
  out.begin('[');
  for (const Item& item : items) {
    out.element();
    out.begin('{');
    write_one(out, item);
    out.end('}');
  }
  out.end(']');
}

HeadRef read_model_head(const json& object, const std::string& path, const Network& network) {
  const std::string name = read_string(require(object, path, "head"), path + ".head");
  const auto head = model_head_from_name(name);
  if (!head) wrong(path + ".head", in_quotes(name) + ", should be a head such as \"L9H3\"");
  const auto* const attention = find_attention(network, head->at);
  if (attention == nullptr || head->head >= attention->n_heads)
    wrong(path + ".head", "the model has no head " + in_quotes(name));
  return *head;
}

// The layer of a stage that all heads share.
HeadRef read_shared(const json& object, const std::string& path, const Network& network) {
  if (object.contains("head")) wrong(path + ".head", "all heads share this stage: name its layer");
  const std::string name = read_string(require(object, path, "layer"), path + ".layer");
  const auto at = layer_from_name(name);
  if (!at || find_attention(network, *at) == nullptr)
    wrong(path + ".layer", "the model has no layer " + in_quotes(name));
  return {*at, 0};
}

HeadRef read_head_of(attention::Stage stage, const json& object, const std::string& path,
                     const Network& network) {
  if (!is_per_head(stage)) return read_shared(object, path, network);
  if (object.contains("layer"))
    wrong(path + ".layer", "each head has its own " + std::string(stage_name(stage)));
  return read_model_head(object, path, network);
}

attention::Stage read_stage(const json& object, const std::string& path) {
  return stage_named(read_string(require(object, path, "stage"), path + ".stage"), path + ".stage");
}

// Calls read(object, path) for each object of the list `name`, which may be missing.
template <typename Read>
void for_each_item(const json& object, const std::string& path, const char* name,
                   const std::vector<std::string>& members, Read read) {
  const json* const list = find(object, name);
  if (!list) return;
  const std::string own = path + name;
  for (std::size_t i = 0; i < checked_list(*list, own).size(); ++i) {
    check_members((*list)[i], indexed(own, i), members);
    read((*list)[i], indexed(own, i));
  }
}

HeadGain read_gain(const json& object, const std::string& path, const Network& network) {
  const auto [at, head] = read_model_head(object, path, network);
  HeadGain gain{at, head, 1};
  if (const json* mute = find(object, "mute")) gain.mute = read_bool(*mute, path + ".mute");
  if (const json* solo = find(object, "solo")) gain.solo = read_bool(*solo, path + ".solo");
  if (const json* value = find(object, "gain")) gain.gain = read_float(*value, path + ".gain");
  return gain;
}

Index read_index(const json& object, const std::string& path, const char* name) {
  return read_size(require(object, path, name), path + "." + name);
}

void require_replaceable(attention::Stage stage, Sublayer sublayer, const std::string& path) {
  if (const auto refused = refused_stage(stage, sublayer); !refused.empty())
    wrong(path + ".stage", std::string(stage_name(stage)) + " " + refused);
}

CellOverride read_cell_override(const json& object, const std::string& path,
                                const Network& network) {
  const attention::Stage stage = read_stage(object, path);
  require_replaceable(stage, Sublayer::kCross, path);  // which has all that any other has
  const auto [at, head] = read_head_of(stage, object, path, network);
  require_replaceable(stage, at.sublayer, path);
  return {at,
          {stage, head, read_index(object, path, "row"), read_index(object, path, "col"),
           read_float(require(object, path, "value"), path + ".value")}};
}

// Rows of the same length, at least one.
Matrix read_rows(const json& object, const std::string& path) {
  const json& rows = checked_list(require(object, path, "values"), path + ".values");
  const std::size_t cols = rows.empty() || !rows[0].is_array() ? 0 : rows[0].size();
  if (cols == 0) wrong(path + ".values", "should be a list of rows");
  return read_matrix(rows, path + ".values", {std::ssize(rows), "rows"},
                     {static_cast<Index>(cols), "columns of the first row"});
}

HeadPatch read_patch(const json& object, const std::string& path, const Network& network) {
  const auto [at, head] = read_model_head(object, path, network);
  const attention::Stage stage = read_stage(object, path);
  const bool output = stage == attention::Stage::kHeadOutput;
  if (!output && stage != attention::Stage::kWeights)
    wrong(path + ".stage", "should be weights or head_output");
  Matrix values = read_rows(object, path);
  if (output && values.cols() != find_attention(network, at)->head_dim)
    wrong(path + ".values", should_be("columns", static_cast<std::size_t>(values.cols()),
                                      {find_attention(network, at)->head_dim, "head_dim"}));
  return {at, head, stage, SharedMatrix(std::move(values))};
}

StreamOverride read_stream(const json& object, const std::string& path, const Network& network) {
  const std::string name = read_string(require(object, path, "layer"), path + ".layer");
  const auto at = layer_from_name(name);
  const bool encoder = at && at->sublayer == Sublayer::kEncoder;
  const bool there = at && at->sublayer != Sublayer::kCross && (!encoder || network.encoder);
  const auto layers = !there    ? Index{-1}
                      : encoder ? std::ssize(network.encoder->blocks)
                                : std::ssize(network.stack.blocks);
  if (!there || at->layer > layers)
    wrong(path + ".layer", "the model has no layer " + in_quotes(name));
  const Index col = read_index(object, path, "col");
  if (col >= network.d_model())
    wrong(path + ".col", std::to_string(col) + ", should be below " +
                             std::to_string(network.d_model()) + " (d_model)");
  return {*at, read_index(object, path, "row"), col,
          read_float(require(object, path, "value"), path + ".value")};
}

}  // namespace

void write_interventions(JsonWriter& out, const Interventions& interventions) {
  write_items(out, "gains", interventions.gains);
  write_items(out, "overrides", interventions.overrides);
  write_items(out, "patches", interventions.patches);
  write_items(out, "stream", interventions.stream);
}

Interventions read_interventions(const json& object, const std::string& path,
                                 const Network& network) {
  Interventions all;
  for_each_item(object, path, "gains", {"head", "mute", "solo", "gain"},
                [&](const json& item, const std::string& at) {
                  all.gains.push_back(read_gain(item, at, network));
                });
  for_each_item(object, path, "overrides", {"head", "layer", "stage", "row", "col", "value"},
                [&](const json& item, const std::string& at) {
                  all.overrides.push_back(read_cell_override(item, at, network));
                });
  for_each_item(object, path, "patches", {"head", "stage", "values"},
                [&](const json& item, const std::string& at) {
                  all.patches.push_back(read_patch(item, at, network));
                });
  for_each_item(object, path, "stream", {"layer", "row", "col", "value"},
                [&](const json& item, const std::string& at) {
                  all.stream.push_back(read_stream(item, at, network));
                });
  return all;
}

}  // namespace lab::files
