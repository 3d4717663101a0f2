#include "app/web/engine/describe.h"

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "app/base/bad_input.h"
#include "app/document/commands/reducer.h"
#include "app/document/heads.h"
#include "app/document/matrix_labels.h"
#include "app/document/variant_names.h"
#include "app/explain/explain_text.h"
#include "app/explain/number_text.h"
#include "app/explain/stage_text.h"
#include "app/figure/colour/palette.h"
#include "app/figure/compose/range.h"
#include "core/layer/trace.h"
#include "core/matrix_id.h"

namespace lab::web {
namespace {

using attention::Index;
using attention::Stage;
using nlohmann::json;

json config_json(const attention::Config& config) {
  return {{"d_model", config.d_model},
          {"n_heads", config.n_heads},
          {"n_kv_heads", attention::kv_head_count(config)},
          {"d_k", config.d_k},
          {"d_v", config.d_v},
          {"d_out", config.d_out},
          {"scale", config.scale},
          {"temperature", config.temperature},
          {"biases", config.biases},
          {"causal", config.mask.causal},
          {"window", config.mask.window},
          {"key_count", config.mask.key_count},
          {"positions", positions_name(config.positions)},
          {"residual", config.residual},
          {"layer_norm", config.layer_norm},
          {"split", config.head_build == attention::HeadBuild::kSplit}};
}

json head_json(const Document& document, Index head) {
  const HeadRef ref{document.layer.at, head};
  const attention::HeadMix mix = head_mix(document, ref);
  return {{"title", head_title(document, head)},
          {"number", head_number(document, head)},
          {"mute", mix.mute},
          {"solo", mix.solo},
          {"scale", mix.scale},
          {"silent", is_silent(document, ref)},
          {"kv_head", attention::kv_head_of(document.problem.config, static_cast<int>(head))}};
}

json stage_json(const Document& document, const attention::Trace& trace, Stage stage) {
  const auto& info = attention::stage_info(stage);
  const attention::Shape shape = attention::stage_matrix(document.problem, trace, stage, 0).shape();
  return {{"id", static_cast<int>(stage)},
          {"name", info.name},
          {"section", static_cast<int>(info.section)},
          {"title", explain::stage_title(stage)},
          {"fullTitle", explain::full_stage_title(stage)},
          {"formula", explain::stage_formula(document.problem, stage)},
          {"off", explain::off_text(document.problem, stage)},
          {"shape", {shape.rows, shape.cols}},
          {"perHead", attention::is_per_head(stage)},
          {"input", info.input},
          {"palette", figure::palette_name(figure::default_palette(stage))},
          {"keys", attention::has_key_columns(stage)},
          {"rowLabels", row_labels(document, stage)},
          {"columnLabels", column_labels(document, stage, shape.cols)}};
}

json matrix_json(const Document& document, const attention::MatrixInfo& info) {
  const attention::Shape shape = shape_of(document, {info.id, 0});
  return {{"id", static_cast<int>(info.id)},
          {"name", info.name},
          {"shape", {shape.rows, shape.cols}},
          {"perHead", attention::is_per_head(info.id)},
          {"perKvHead", attention::is_per_kv_head(info.id)},
          {"input", !attention::is_parameter(info.id)}};
}

json matrices_json(const Document& document) {
  json list = json::array();
  for (const attention::MatrixInfo& info : attention::kMatrixInfos) {
    if (!attention::is_in_use(document.problem, info.id)) continue;
    list.push_back(matrix_json(document, info));
  }
  return list;
}

json tokens_json(const std::vector<Token>& tokens, std::string (*label)(const Document&, Index),
                 const Document& document) {
  json list = json::array();
  for (Index i = 0; i < std::ssize(tokens); ++i) list.push_back(label(document, i));
  return list;
}

json history_json(const History& history) {
  json entries = json::array();
  for (const HistoryEntry& entry : history.entries())
    entries.push_back({{"label", entry.label ? entry.label() : ""}, {"state", entry.state}});
  return {{"undo", history.undo_label()},  {"redo", history.redo_label()},
          {"canUndo", history.can_undo()}, {"canRedo", history.can_redo()},
          {"now", history.state_id()},     {"entries", std::move(entries)}};
}

json overrides_json(const Document& document) {
  json list = json::array();
  for (const attention::Override& one : document.problem.overrides)
    list.push_back({{"stage", attention::stage_name(one.stage)},
                    {"head", one.head},
                    {"row", one.row},
                    {"col", one.col}});
  return list;
}

std::string hex(figure::Rgb colour) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "%02x%02x%02x", colour.r, colour.g, colour.b);
  return text.data();
}

std::string hex(const figure::PaletteTable& table) {
  std::string text;
  for (const figure::Rgb colour : table) text += hex(colour);
  return text;
}

json colours_json(bool dark) {
  json palettes = json::object();
  for (const figure::Palette palette : figure::all_palettes())
    palettes[std::string(figure::palette_name(palette))] =
        hex(figure::palette_table(palette, dark));
  return {{"palettes", std::move(palettes)},
          {"fill", "#" + hex(figure::special_fill(dark))},
          {"hatch", "#" + hex(figure::special_ink(dark))}};
}

json cell_json(const attention::CellRef& cell) {
  return {{"matrix", cell.matrix}, {"head", cell.head}, {"row", cell.row}, {"col", cell.col}};
}

json line_json(const explain::ExplainLine& line) {
  json values = json::array();
  for (std::size_t i = 0; i < line.values.size(); ++i) {
    json value{{"text", explain::with_minus_signs(explain::number_in(line, line.values[i]))}};
    if (i < line.cells.size()) value["cell"] = cell_json(line.cells[i]);
    values.push_back(std::move(value));
  }
  json mentions = json::array();
  for (const explain::Mention& mention : line.mentions)
    mentions.push_back({{"text", mention.text}, {"cell", cell_json(mention.cell)}});
  json result{{"name", line.name},
              {"values", std::move(values)},
              {"products", line.products},
              {"before", explain::with_minus_signs(line.before)},
              {"result", explain::with_minus_signs(line.result)},
              {"after", line.after},
              {"mentions", std::move(mentions)}};
  if (line.source) result["source"] = cell_json(*line.source);
  return result;
}

}  // namespace

json describe_document(const Document& document, const attention::Trace& trace) {
  json heads = json::array(), stages = json::array();
  for (Index head = 0; head < document.problem.config.n_heads; ++head)
    heads.push_back(head_json(document, head));
  for (const Stage stage : explain::pipeline_stages(document.problem))
    stages.push_back(stage_json(document, trace, stage));
  return {{"title", document.title},
          {"sentence", document.sentence},
          {"kvSentence", document.kv_sentence},
          {"mode", token_mode_name(document.splitting.mode)},
          {"tokens", tokens_json(document.tokens, row_label, document)},
          {"keys", tokens_json(key_tokens(document), key_label, document)},
          {"config", config_json(document.problem.config)},
          {"heads", std::move(heads)},
          {"stages", std::move(stages)},
          {"matrices", matrices_json(document)},
          {"overrides", overrides_json(document)}};
}

json describe_state(const Workspace& workspace) {
  json state = describe_document(workspace.document(), workspace.trace());
  state["history"] = history_json(workspace.history());
  state["modified"] = workspace.modified();
  state["microseconds"] = workspace.report().microseconds;
  if (const auto& model = workspace.document().layer.model)
    state["model"] = describe_model(*model, workspace.document().layer.at);
  return state;
}

json describe_colours() { return {{"light", colours_json(false)}, {"dark", colours_json(true)}}; }

json describe_view(const files::SessionView& view) {
  return {{"head", view.head},
          {"stage", attention::stage_name(view.selected.stage)},
          {"row", view.selected.row},
          {"col", view.selected.col}};
}

json describe_cell(const Workspace& workspace, std::string_view stage_called, Index head, Index row,
                   Index col) {
  const Document& document = workspace.document();
  const auto stage = attention::stage_from_name(stage_called);
  if (!stage) throw BadInput("there is no stage " + in_quotes(stage_called));
  json lines = json::array();
  for (const explain::ExplainLine& line :
       explain::explain_lines(document, workspace.trace(), *stage, head, row, col))
    lines.push_back(line_json(line));
  const float value =
      (*attention::stage_matrix(document.problem, workspace.trace(), *stage, head))(row, col);
  return {{"title", explain::cell_title(document, *stage, row, col)},
          {"meaning", explain::cell_meaning(document, *stage, head, row, col)},
          {"value", explain::with_minus_signs(explain::format_significant(value, 6))},
          {"lines", std::move(lines)}};
}

json describe_matrix(const Workspace& workspace, std::string_view matrix) {
  const Document& document = workspace.document();
  const auto id = attention::matrix_from_name(matrix);
  if (!id) throw BadInput("there is no matrix " + in_quotes(matrix));
  const attention::Shape shape = shape_of(document, {*id, 0});
  json rows = json::array(), columns = json::array();
  for (Index i = 0; i < shape.rows; ++i) rows.push_back(matrix_row_label(document, *id, i));
  for (Index j = 0; j < shape.cols; ++j) columns.push_back(matrix_column_label(document, *id, j));
  return {{"rowLabels", std::move(rows)}, {"columnLabels", std::move(columns)}};
}

}  // namespace lab::web
