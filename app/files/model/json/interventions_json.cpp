#include "app/files/model/json/model_edits_json.h"

#include "app/document/model/layer_name.h"
#include "app/files/session/matrix_json.h"
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

void visit_number(auto& cell, auto&& members) {
  members("row", cell.row);
  members("col", cell.col);
  members("value", cell.value);
}

void write_one(JsonWriter& out, const HeadGain& gain) {
  write_member(out, "head", model_head_name(gain.at, gain.head));
  write_unless_default(out, "mute", gain.mute);
  write_unless_default(out, "solo", gain.solo);
  write_member(out, "gain", gain.gain);
}

void write_one(JsonWriter& out, const CellOverride& override) {
  const bool of_head = is_per_head(override.cell.stage);
  write_member(
      out, of_head ? "head" : "layer",
      of_head ? model_head_name(override.at, override.cell.head) : layer_name(override.at));
  write_member(out, "stage", override.cell.stage);
  visit_number(override.cell, FieldWriter(out));
}

void write_one(JsonWriter& out, const HeadPatch& patch) {
  write_member(out, "head", model_head_name(patch.at, patch.head));
  write_member(out, "stage", patch.stage);
  out.member("values");
  out.rows(*patch.values);
}

void write_one(JsonWriter& out, const StreamOverride& override) {
  write_member(out, "layer", layer_name(override.at));
  visit_number(override, FieldWriter(out));
}

HeadRef read_model_head(const JsonCursor& object, const Network& network) {
  const JsonCursor name = object.at("head");
  const HeadRef head = name.named(model_head_from_name, ", should be a head such as \"L9H3\"");
  const auto* const attention = find_attention(network, head.at);
  if (is_convolution(network, head.at)) name.refuse(without_attention(network, head.at));
  if (attention == nullptr || head.head >= attention->n_heads)
    name.refuse("the model has no head " + in_quotes(name.text()));
  return head;
}

// The head, or the layer of a stage that all heads share.
HeadRef read_head_of(attention::Stage stage, const JsonCursor& object, const Network& network) {
  const auto layer = object.find("layer"), head = object.find("head");
  if (is_per_head(stage)) {
    if (layer) layer->refuse("each head has its own " + std::string(stage_name(stage)));
    return read_model_head(object, network);
  }
  if (head) head->refuse("all heads share this stage: name its layer");
  const std::string name = object.at("layer").text();
  const auto at = layer_from_name(name);
  if (!at || find_attention(network, *at) == nullptr)
    layer->refuse(at ? without_attention(network, *at)
                     : "the model has no layer " + in_quotes(name));
  return {*at, 0};
}

void read_one(const JsonCursor& object, const Network& network, HeadGain& gain) {
  object.object_of({"head", "mute", "solo", "gain"});
  const FieldReader members(object);
  const auto [at, head] = read_model_head(object, network);
  gain = {at, head, 1};
  members.may_miss("mute", gain.mute);
  members.may_miss("solo", gain.solo);
  members.may_miss("gain", gain.gain);
}

void require_replaceable(const JsonCursor& object, attention::Stage stage, Sublayer sublayer) {
  if (const auto refused = refused_stage(stage, sublayer); !refused.empty())
    object.at("stage").refuse(std::string(stage_name(stage)) + " " + refused);
}

void read_one(const JsonCursor& object, const Network& network, CellOverride& override) {
  object.object_of({"head", "layer", "stage", "row", "col", "value"});
  attention::Stage& stage = override.cell.stage;
  FieldReader{object}("stage", stage);
  require_replaceable(object, stage, Sublayer::kCross);  // which has all that any other has
  const auto [at, head] = read_head_of(stage, object, network);
  require_replaceable(object, stage, at.sublayer);
  override.at = at;
  override.cell.head = head;
  visit_number(override.cell, FieldReader(object));
}

// Rows of the same length, at least one.
Matrix read_rows(const JsonCursor& list) {
  const auto& rows = list.list().value();
  const std::size_t cols = rows.empty() || !rows[0].is_array() ? 0 : rows[0].size();
  if (cols == 0) list.refuse("should be a list of rows");
  return read_matrix(list, {std::ssize(rows), "rows"},
                     {static_cast<Index>(cols), "columns of the first row"});
}

void read_one(const JsonCursor& object, const Network& network, HeadPatch& patch) {
  object.object_of({"head", "stage", "values"});
  const auto [at, head] = read_model_head(object, network);
  patch.at = at;
  patch.head = head;
  FieldReader{object}("stage", patch.stage);
  const bool output = patch.stage == attention::Stage::kHeadOutput;
  if (!output && patch.stage != attention::Stage::kWeights)
    object.at("stage").refuse("should be weights or head_output");
  Matrix values = read_rows(object.at("values"));
  const Index d_v = find_attention(network, at)->d_v();
  if (output && values.cols() != d_v)
    object.at("values").refuse(
        should_be("columns", static_cast<std::size_t>(values.cols()), {d_v, "d_v"}));
  patch.values = SharedMatrix(std::move(values));
}

void read_one(const JsonCursor& object, const Network& network, StreamOverride& override) {
  object.object_of({"layer", "row", "col", "value"});
  const JsonCursor layer = object.at("layer");
  const std::string name = layer.text();
  const auto at = layer_from_name(name);
  const bool encoder = at && at->sublayer == Sublayer::kEncoder;
  const bool there = at && at->sublayer != Sublayer::kCross && (!encoder || network.encoder);
  const auto layers = !there    ? Index{-1}
                      : encoder ? std::ssize(network.encoder->blocks)
                                : std::ssize(network.stack.blocks);
  if (!there || at->layer > layers) layer.refuse("the model has no layer " + in_quotes(name));
  override.at = *at;
  visit_number(override, FieldReader(object));
  if (override.col >= network.d_model())
    object.at("col").refuse(std::to_string(override.col) + ", should be below " +
                            std::to_string(network.d_model()) + " (d_model)");
}

// An item of the interventions.
template <typename Item>
struct ItemCodec {
  const Network* network = nullptr;  // for reading

  Item read(const JsonCursor& object) const {
    Item item;
    read_one(object, *network, item);
    return item;
  }
  void write(JsonWriter& out, const Item& item) const {
    out.object([&] { write_one(out, item); });
  }
};

void visit_interventions(auto& all, auto&& members, const Network* network) {
  const auto visit = [&]<typename Item>(const char* name, Item, auto& items) {
    members.unless_default(
        name, items,
        JsonList<Item, ItemCodec<Item>>{.layout = JsonLayout::kLines, .codec = {network}});
  };
  visit("gains", HeadGain(), all.gains);
  visit("overrides", CellOverride(), all.overrides);
  visit("patches", HeadPatch(), all.patches);
  visit("stream", StreamOverride(), all.stream);
}

}  // namespace

void write_interventions(JsonWriter& out, const Interventions& interventions) {
  visit_interventions(interventions, FieldWriter(out), nullptr);
}

Interventions read_interventions(const JsonCursor& object, const Network& network) {
  Interventions all;
  visit_interventions(all, FieldReader(object), &network);
  return all;
}

}  // namespace lab::files
