#include "app/figure/html/html_data.h"

#include <algorithm>
#include <bit>
#include <map>
#include <nlohmann/json.hpp>

#include "app/base/byte_text.h"
#include "app/base/typed_number.h"
#include "app/embedded_session/session_formats.h"
#include "app/explain/stage_text.h"
#include "app/figure/cairo/heat_map_image.h"
#include "app/figure/compose/range.h"
#include "app/figure/compose/shown_tokens.h"
#include "app/figure/compose/stage_sheet.h"
#include "app/figure/html/html_parts.h"
#include "app/figure/text/length_text.h"

namespace lab::figure {
namespace {

using attention::Index;
using attention::Stage;
using nlohmann::json;

constexpr std::size_t kAroundNumbers = 80;  // bytes of a map beside its values

/// Collects matrices, each version once, in order of appearance.
class DataCollector {
 public:
  /// The matrix has the colours of that stage. `whole` is the matrix of which `shown` makes the
  /// map.
  std::size_t add(Stage coloured, const attention::SharedMatrix& whole, const ShownCells& shown) {
    const auto [found, is_new] = indices_.emplace(whole.version(), maps_.size());
    if (!is_new) return found->second;
    const attention::SharedMatrix values = shown.of(whole);
    maps_.push_back({values, automatic_range(coloured, *values)});
    return found->second;
  }
  /// The maps of a stage in a state that have that shape.
  PageHeads heads_of(const FigureSource& source, Stage stage, attention::Shape shape) {
    PageHeads heads;
    const Index count = attention::is_per_head(stage) ? source.heads() : 1;
    for (Index head = 0; head < count; ++head) {
      const attention::SharedMatrix& values = source.values(stage, head);
      if (!(values.shape() == shape)) return {};
      heads.maps.push_back(
          add(coloured_as(source.options, stage), values, shown_cells(source.options, stage)));
      heads.marks.push_back(stage_marks(source, stage, head));
    }
    return heads;
  }
  std::vector<PageMap> take() { return std::move(maps_); }

 private:
  std::map<std::uint64_t, std::size_t> indices_;
  std::vector<PageMap> maps_;
};

std::string hex(const PaletteTable& table) {
  std::string text;
  for (const Rgb colour : table) text += hex_text(colour);
  return text;
}

json palette_json(Palette palette) {
  json entry{{"light", hex(palette_table(palette, false))}, {"diverging", is_diverging(palette)}};
  if (palette_table(palette, true) != palette_table(palette, false))
    entry["dark"] = hex(palette_table(palette, true));
  return entry;
}

json special_json(bool dark) {
  return {{"fill", "#" + hex_text(special_fill(dark))}, {"ink", "#" + hex_text(special_ink(dark))}};
}

json palettes_json() {
  json palettes = json::object();
  for (const Palette palette : all_palettes())
    palettes[std::string(palette_name(palette))] = palette_json(palette);
  return palettes;
}

json palette_names() {
  json names = json::array();
  for (const Palette palette : all_palettes()) names.push_back(palette_name(palette));
  return names;
}

/// The labels that `label` gives to `positions`.
template <typename Label>
json labels_json(const std::vector<Index>& positions, Label label) {
  json labels = json::array();
  for (const Index i : positions) labels.push_back(label(i));
  return labels;
}

json all_labels(const Document& document, const FigureOptions& options) {
  const auto queries = shown_positions(options.queries, document.problem.seq_len());
  const auto keys = shown_positions(options.keys, document.problem.kv_len());
  json labels;
  labels["queries"] = labels_json(queries, [&](Index i) { return row_label(document, i); });
  labels["keys"] = labels_json(keys, [&](Index i) { return key_label(document, i); });
  if (!document.dimensions.empty())
    labels["dimensions"] = labels_json(shown_positions({}, document.problem.config.d_model),
                                       [&](Index i) { return dimension_label(document, i); });
  return labels;
}

std::string_view column_type(const Document& document, Stage stage) {
  if (attention::has_key_columns(stage)) return "keys";
  return has_dimension_columns(document, stage) ? "dimensions" : "numbers";
}

std::string_view mark_name(PanelMark::Type type) {
  switch (type) {
    case PanelMark::kOverride:
      return "override";
    case PanelMark::kPin:
      return "pin";
    default:
      return "selected";
  }
}

json marks_json(const std::vector<PanelMark>& marks) {
  json list = json::array();
  for (const PanelMark& mark : marks)
    list.push_back({{"kind", mark_name(mark.type)}, {"row", mark.row}, {"col", mark.column}});
  return list;
}

json heads_json(const PageHeads& heads) {
  json marks = json::array();
  for (const auto& of_head : heads.marks) marks.push_back(marks_json(of_head));
  return {{"maps", heads.maps}, {"marks", std::move(marks)}};
}

json stage_json(const FigureSource& source, const PageContent& content, const PageStage& page) {
  const Document& document = source.document;
  const Stage stage = page.stage;
  const attention::Shape shape = content.maps[page.heads.maps.front()].values.shape();
  return {{"name", attention::stage_name(stage)},
          {"title", explain::stage_title(stage)},
          {"fullTitle", explain::full_stage_title(stage)},
          {"formula", formula_in_figure(source, stage)},
          {"shape", {shape.rows, shape.cols}},
          {"rowLabels", attention::has_key_rows(stage) ? "keys" : "queries"},
          {"columnLabels", column_type(document, stage)},
          {"palette", palette_name(default_palette(coloured_as(source.options, stage)))},
          {"perHead", attention::is_per_head(stage)},
          {"block", stage == Stage::kConcat ? document.problem.config.d_v : 0},
          {"own", heads_json(page.heads)},
          {"kept", heads_json(page.kept)}};
}

std::string_view rule_name(RangeRule rule) {
  switch (rule) {
    case RangeRule::kShared:
      return "shared";
    case RangeRule::kRobust:
      return "robust";
    case RangeRule::kFixed:
      return "fixed";
    default:
      return "automatic";
  }
}

json look_json(const FigureOptions& options) {
  return {{"palette", options.palette ? palette_name(*options.palette) : ""},
          {"rule", rule_name(options.range_rule)},
          {"range", {options.range.lo, options.range.hi}},
          {"spread", spread_name(options.spread)},
          {"centre", options.centre ? json(*options.centre) : json()},
          {"values", options.annotate},
          {"decimals", std::clamp(options.decimals, options.significant ? 1 : 0, 9)},
          {"significant", options.significant},
          {"exact", options.exact},
          {"comma", decimal_comma()},
          {"theme", page_theme(options)}};
}

/// What the maps are compared with at first: the index of a head, A, or none.
std::string first_comparison(const FigureOptions& options) {
  if (options.type == FigureType::kTwoStates) return "A";
  return options.type == FigureType::kTwoHeads ? std::to_string(options.second_head) : "";
}

json first_json(const FigureSource& source, std::size_t stage) {
  const FigureOptions& options = source.options;
  json first{{"stage", stage}, {"head", options.head}, {"against", first_comparison(options)}};
  if (options.type != FigureType::kArithmetic) return first;
  const auto cell = shown_cells(options, options.stage)
                        .shown_cell({{}, options.head, options.row.value_or(0), options.column});
  if (cell) first["cell"] = {{"row", cell->row}, {"col", cell->col}};
  return first;
}

json muted_heads(const Document& document) {
  json muted = json::array();
  for (Index head = 0; head < document.problem.config.n_heads; ++head)
    if (attention::head_gain(document.problem, head) == 0) muted.push_back(head);
  return muted;
}

/// The index of the stage that is shown first, or else of the last one before it.
std::size_t first_stage(const PageContent& content, Stage requested) {
  std::size_t index = 0;
  for (std::size_t i = 0; i < content.stages.size(); ++i)
    if (content.stages[i].stage <= requested) index = i;
  return index;
}

std::string little_endian(const attention::Matrix& values) {
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(values.size()) * sizeof(float));
  for (Index i = 0; i < values.size(); ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(values.data()[i]);
    for (const int shift : {0, 8, 16, 24}) bytes += static_cast<char>(bits >> shift & 0xff);
  }
  return bytes;
}

}  // namespace

std::string_view page_theme(const FigureOptions& options) {
  return options.dark ? "dark" : "automatic";
}

PageContent page_content(const FigureSource& source) {
  PageContent content;
  DataCollector collector;
  for (const Stage stage : explain::pipeline_stages(source.document.problem)) {
    if (source.options.layers && stage != Stage::kWeights) continue;
    PageStage& page = content.stages.emplace_back();
    page.stage = stage;
    const attention::Shape shape = source.values(stage, 0).shape();
    page.heads = collector.heads_of(source, stage, shape);
    if (source.options.type == FigureType::kTwoStates)
      page.kept = collector.heads_of(source.of_kept(), stage, shape);
  }
  content.maps = collector.take();
  return content;
}

std::size_t numbers_length(const PageContent& content) {
  std::size_t length = 0;
  for (const PageMap& map : content.maps) {
    const auto bytes = static_cast<std::size_t>(map.values->size()) * sizeof(float);
    length += (bytes + 2) / 3 * 4 + kAroundNumbers;
  }
  return length;
}

std::string page_data(const FigureSource& source, const PageContent& content) {
  const Document& document = source.document;
  json data;
  data["first"] = first_json(source, first_stage(content, source.options.stage));
  data["heads"] = document.problem.config.n_heads;
  data["headNames"] = document.head_names;
  data["muted"] = muted_heads(document);
  data["layerHeads"] = source.options.layers ? source.options.grid_columns : 0;
  data["isCross"] = document.problem.cross();
  data["labels"] = all_labels(document, source.options);
  if (source.options.type == FigureType::kTwoStates)
    data["keptLabels"] = all_labels(source.kept->document, source.options);
  data["look"] = look_json(source.options);
  data["paletteNames"] = palette_names();
  data["palettes"] = palettes_json();
  data["special"] = {{"light", special_json(false)}, {"dark", special_json(true)}};
  data["stages"] = json::array();
  data["words"] = script_texts();
  for (const PageStage& stage : content.stages)
    data["stages"].push_back(stage_json(source, content, stage));
  return embedded_session::json_in_html(data.dump(-1, ' ', false, json::error_handler_t::replace));
}

std::string page_numbers(const PageContent& content) {
  std::string text = "[";
  text.reserve(numbers_length(content));
  for (const PageMap& map : content.maps) {
    if (text.size() > 1) text += ",\n";
    text += R"({"range":)" + json{map.range.lo, map.range.hi}.dump() + R"(,"values":")";
    text += base64(little_endian(*map.values)) + R"("})";
  }
  return text + "]";
}

}  // namespace lab::figure
