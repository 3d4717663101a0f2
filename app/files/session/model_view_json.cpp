#include "app/files/session/model_view_json.h"

#include "app/base/bad_input.h"
#include "app/files/session/json_reading.h"
#include "app/files/session/stage_cell_json.h"

namespace lab::files {
namespace {

using attention::network::Answer;
using attention::network::LayerPlace;
using nlohmann::json;

constexpr std::size_t kMostHeadsListed = 1 << 16;
constexpr std::size_t kMostTokensPinned = 1000;
constexpr std::size_t kMostCellsPinned = 10000;

std::uint32_t read_token_id(const json& value, const std::string& path) {
  return static_cast<std::uint32_t>(read_size(value, path));
}

std::vector<HeadRef> read_model_heads(const json& list, const std::string& path) {
  std::vector<HeadRef> heads;
  for (const json& value : checked_list(list, path, kMostHeadsListed)) {
    const std::string own = indexed(path, heads.size());
    const std::string name = read_string(value, own);
    const auto head = model_head_from_name(name);
    if (!head) wrong(own, in_quotes(name) + " is no head, such as L0H1");
    heads.push_back(*head);
  }
  return heads;
}

Answer read_answer(const json& object, const std::string& path) {
  check_members(object, path, {"row", "token", "minus"});
  Answer answer;
  answer.row = read_size(require(object, path, "row"), path + ".row");
  answer.token = read_token_id(require(object, path, "token"), path + ".token");
  if (const json* minus = find(object, "minus"))
    answer.minus = read_token_id(*minus, path + ".minus");
  return answer;
}

std::vector<std::uint32_t> read_token_ids(const json& list, const std::string& path) {
  std::vector<std::uint32_t> ids;
  for (const json& value : checked_list(list, path, kMostTokensPinned))
    ids.push_back(read_token_id(value, indexed(path, ids.size())));
  return ids;
}

LayerPlace read_layer_name(const json& value, const std::string& path) {
  const std::string name = read_string(value, path);
  const auto at = layer_from_name(name);
  if (!at) wrong(path, in_quotes(name) + " is no layer, such as \"3\"");
  return *at;
}

std::vector<LayerCell> read_layer_cells(const json& list, const std::string& path) {
  std::vector<LayerCell> cells;
  for (const json& value : checked_list(list, path, kMostCellsPinned)) {
    const std::string own = indexed(path, cells.size());
    const LayerPlace at = read_layer_name(require(value, own, "layer"), own + ".layer");
    cells.push_back({at, read_stage_cell(value, own)});
  }
  return cells;
}

void write_layer_cells(JsonWriter& out, const char* name, const std::vector<LayerCell>& cells) {
  if (cells.empty()) return;
  out.member(name);
  out.begin('[');
  for (const LayerCell& one : cells) {
    out.element();
    out.raw("{\"layer\": \"" + lab::layer_name(one.at) + "\", " + stage_cell_json(one.cell) + "}");
  }
  out.end(']');
}

void write_model_heads(JsonWriter& out, const char* name, const std::vector<HeadRef>& heads) {
  if (heads.empty()) return;
  std::vector<std::string> names;
  names.reserve(heads.size());
  for (const HeadRef& head : heads) names.push_back(model_head_name(head.at, head.head));
  out.member(name);
  out.strings(names);
}

}  // namespace

ModelView read_model_view(const json& object, const std::string& path) {
  check_members(
      object, path,
      {"tiles", "sorted", "chosen", "marked", "answer", "pinned", "pins", "pins_aside", "layer"});
  ModelView view;
  if (const json* tiles = find(object, "tiles")) view.tiles = read_string(*tiles, path + ".tiles");
  if (const json* sorted = find(object, "sorted"))
    view.sorted = read_bool(*sorted, path + ".sorted");
  if (const json* chosen = find(object, "chosen"))
    view.chosen = read_model_heads(*chosen, path + ".chosen");
  if (const json* marked = find(object, "marked"))
    view.marked = read_model_heads(*marked, path + ".marked");
  if (const json* answer = find(object, "answer"))
    view.answer = read_answer(*answer, path + ".answer");
  if (const json* pinned = find(object, "pinned"))
    view.pinned = read_token_ids(*pinned, path + ".pinned");
  if (const json* pins = find(object, "pins")) view.pins = read_layer_cells(*pins, path + ".pins");
  if (const json* pins = find(object, "pins_aside"))
    view.detached_pins = read_layer_cells(*pins, path + ".pins_aside");
  if (const json* layer = find(object, "layer"))
    view.layer = read_layer_name(*layer, path + ".layer");
  return view;
}

void write_model_view(JsonWriter& out, const ModelView& view) {
  out.begin('{');
  if (!view.tiles.empty()) {
    out.member("tiles");
    out.string(view.tiles);
  }
  if (view.sorted) {
    out.member("sorted");
    out.raw("true");
  }
  write_model_heads(out, "chosen", view.chosen);
  write_model_heads(out, "marked", view.marked);
  if (const auto& answer = view.answer) {
    std::string text = "{\"row\": " + std::to_string(answer->row) +
                       ", \"token\": " + std::to_string(answer->token);
    if (answer->minus) text += ", \"minus\": " + std::to_string(*answer->minus);
    out.member("answer");
    out.raw(text + "}");
  }
  if (!view.pinned.empty()) {
    out.member("pinned");
    out.whole_numbers(view.pinned);
  }
  write_layer_cells(out, "pins", view.pins);
  write_layer_cells(out, "pins_aside", view.detached_pins);
  if (view.layer) {
    out.member("layer");
    out.string(lab::layer_name(*view.layer));
  }
  out.end('}');
}

}  // namespace lab::files
