#include "app/view/maps/sensitivity.h"

#include <algorithm>
#include <utility>

#include "app/document/snapshot.h"
#include "app/explain/sensitivity_text.h"
#include "app/figure/compose/range.h"
#include "app/translation/words.h"
#include "app/view/maps/map_ranges.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/model_words.h"
#include "app/view/maps/navigation.h"
#include "app/view/maps/sensitivity_maps.h"
#include "app/view/maps/values_cache.h"

namespace lab::view {
namespace {

using attention::CellRef;
using attention::Index;
using attention::Stage;

Stage stage_of(const CellRef& cell) {
  return attention::stage_from_name(cell.matrix).value_or(Stage::kWeights);
}

// The question, and the state that is shown.
void follow_question(Ui& ui) {
  SensitivityState& sensitivity = ui.state.sensitivity;
  sensitivity.answer = sensitivity.answer && has_model(ui);
  if (sensitivity.answer) return sensitivity.cell.reset();
  const auto& at = ui.document().layer.at;
  if (!has_model(ui)) sensitivity.at = at;  // a question of another document is about this one now
  const bool elsewhere = sensitivity.at != at;
  if (sensitivity.cell && !elsewhere && !cell_exists(ui, *sensitivity.cell)) {
    sensitivity.cell.reset();
    sensitivity.held = false;
  }
  if (sensitivity.cell && sensitivity.held) return;
  const CellRef selected = selected_ref(ui);
  if (sensitivity.cell && !elsewhere && explain::is_input(ui.problem(), stage_of(selected))) return;
  sensitivity.cell = selected;
  sensitivity.at = at;
}

std::string name_of_answer(const Ui& ui) {
  const auto& asked = ui.analysis.answer.value;
  if (!asked) return tr("the answer");
  const std::string token = piece_of(ui, asked->token.prediction.id);
  if (!asked->minus) return tr("the logit of “{}”", {token});
  return tr("the logit of “{}” minus that of “{}”",
            {token, piece_of(ui, asked->minus->prediction.id)});
}

// Of a layer that is not shown only the name is known.
std::string name_of_cell(const Ui& ui, const CellRef& cell) {
  if (ui.state.sensitivity.at != ui.document().layer.at)
    return tr("{} of {}", {std::string(cell.matrix), layer_name(ui.state.sensitivity.at)});
  return explain::number_title(ui.document(), stage_of(cell), cell.head, cell.row, cell.col);
}

std::string why_not_sensitive(const Ui& ui, const CellRef& cell) {
  if (ui.state.sensitivity.at != ui.document().layer.at) return {};
  return explain::why_unmoved(ui.document(), ui.trace(), stage_of(cell), cell.head, cell.row,
                              cell.col);
}

void ask_layer(const Ui& ui, SensitivityMaps& maps, const CellRef& cell) {
  LayerSensitivity& service = maps.service();
  service.ask(ui.problem(), ui.trace(), stage_of(cell), cell.head, cell.row, cell.col);
  maps.show(service.result());
  maps.current = service.current();
}

bool is_of_these_sizes(const Ui& ui, const attention::LayerGradient& gradient) {
  return gradient.embedding.size() == 0 || gradient.embedding.rows() == ui.problem().seq_len();
}

void ask_model(Ui& ui, SensitivityMaps& maps) {
  const SensitivityState& sensitivity = ui.state.sensitivity;
  GradientRequest request{ui.document().layer.at, {}};
  if (const auto& cell = sensitivity.cell)
    request.cell = ModelCell{sensitivity.at, stage_of(*cell), cell->head, cell->row, cell->col};
  ui.requested.gradient = request;
  const auto& entry = ui.analysis.gradient;
  maps.current = entry.current;
  if (entry.current && !entry.error.empty()) maps.problem = tr(entry.error);
  const auto& value = entry.value;
  const bool fits = value && value->request == request && is_of_these_sizes(ui, value->layer);
  maps.show(fits ? std::shared_ptr<const attention::LayerGradient>(value, &value->layer) : nullptr);
}

figure::Range own_range(Ui& ui, const attention::SharedMatrix& values, RangeEnds ends) {
  return ends == RangeEnds::kRobust ? ui.values.robust_range(values, Stage::kScores)
                                    : ui.values.range(values, Stage::kScores);
}

// Ends that are fixed are those of the numbers.
figure::Range range_of(Ui& ui, Stage stage, int head, bool of_heads) {
  const RangeChoice choice = ui.state.inspection.ranges.of(stage);
  figure::Range range = own_range(ui, ui.sensitivity.stage(ui.problem(), stage, head), choice.ends);
  const bool all = is_per_head(stage) && (of_heads || choice.ends == RangeEnds::kShared);
  // What nothing reaches has a range as well, which would be wider.
  const auto reaches = [&](int one) { return ui.sensitivity.reaches(ui.problem(), stage, one); };
  bool found = reaches(head);
  for (int other = 0; all && other < ui.problem().config.n_heads; ++other) {
    if (!reaches(other)) continue;
    const figure::Range one =
        own_range(ui, ui.sensitivity.stage(ui.problem(), stage, other), choice.ends);
    range = std::exchange(found, true) ? figure::united(range, one) : one;
  }
  range.spread = choice.spread;
  return range;
}

std::vector<std::string> notes_of(const Ui& ui, Stage stage) {
  const RangeChoice choice = ui.state.inspection.ranges.of(stage);
  std::vector<std::string> notes{tr("per +1")};
  if (choice.ends == RangeEnds::kShared) notes.push_back(tr("shared"));
  if (choice.ends == RangeEnds::kRobust) notes.emplace_back("2–98 %");
  if (choice.spread != figure::Spread::kLinear)
    notes.emplace_back(choice.spread == figure::Spread::kSquareRoot ? "√" : "log");
  return notes;
}

void show_derivatives(Ui& ui, HeatMap& map, int head, bool of_heads) {
  map.matrix = ui.sensitivity.stage(ui.problem(), map.stage, head);
  map.difference = true;
  map.values_inside = map.values_inside && ui.sensitivity.reaches(ui.problem(), map.stage, head);
  map.range = range_of(ui, map.stage, head, of_heads);
  map.range_notes = notes_of(ui, map.stage);
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char one : text)
    safe += one == '&' ? "&amp;" : one == '<' ? "&lt;" : one == '>' ? "&gt;" : std::string(1, one);
  return safe;
}

// The rows of the embedding that an edit of one of them changes too.
float derivative_of_word(const Ui& ui, MatrixId id, Cell cell) {
  const Document& document = ui.document();
  const bool of_keys = id == MatrixId::kXKv;
  const attention::Matrix& derivatives = *ui.sensitivity.matrix(document.problem, id, 0);
  if (has_model(ui)) return derivatives(cell.row, cell.col);
  const std::vector<Token>& tokens = of_keys ? document.kv_tokens : document.tokens;
  const std::string& key = tokens[static_cast<std::size_t>(cell.row)].key;
  const auto sum_of = [&](const attention::Matrix& rows, const std::vector<Token>& words) {
    float sum = 0;
    for (std::size_t i = 0; i < words.size(); ++i)
      if (words[i].key == key) sum += rows(static_cast<Index>(i), cell.col);
    return sum;
  };
  float sum = sum_of(derivatives, tokens);
  const bool shared = !of_keys && document.problem.cross() && document.shared_tokens &&
                      !document.kv_lexicon->contains(key);
  if (shared)
    sum += sum_of(*ui.sensitivity.matrix(document.problem, MatrixId::kXKv, 0), document.kv_tokens);
  return sum;
}

std::string text_of_word(const Ui& ui, MatrixId id, Cell cell) {
  std::string text = explain::move_text(ui.sensitivity.name, derivative_of_word(ui, id, cell));
  const attention::Sensitivity contributor{id, 0, cell.row, cell.col, 0};
  return explain::is_shared_vector(ui.document(), contributor)
             ? text + ", " + tr("with its equal words")
             : text;
}

bool is_in(const attention::SharedMatrix& matrix, Cell cell) {
  return cell.row < matrix->rows() && cell.col < matrix->cols();
}

void begin_asking(Ui& ui, bool answer) {
  SensitivityState& sensitivity = ui.state.sensitivity;
  sensitivity = {.on = true, .held = false, .answer = answer, .cell = {}, .at = {}};
  CompareState& compare = ui.state.compare;
  if (compare.view == CompareView::kDifference) compare.view = CompareView::kB;
}

}  // namespace

void toggle_sensitivity(Ui& ui) {
  if (ui.state.sensitivity.on)
    ui.state.sensitivity = {};
  else
    begin_asking(ui, has_model(ui));
}

void ask_about_selected(Ui& ui) { begin_asking(ui, false); }

void ask_about_answer(Ui& ui) { begin_asking(ui, true); }

void follow_sensitivity(Ui& ui) {
  if (ui.state.compare.shows_difference()) ui.state.sensitivity = {};
  SensitivityMaps& maps = ui.sensitivity;
  if (!ui.state.sensitivity.on) return maps.clear();
  Ui read = ui;
  read.kept = ui.state.compare.shown();
  follow_question(read);
  const auto& cell = ui.state.sensitivity.cell;
  maps.name = cell ? name_of_cell(read, *cell) : name_of_answer(read);
  maps.problem = cell ? why_not_sensitive(read, *cell) : std::string();
  if (!maps.problem.empty()) return maps.show(nullptr);
  has_model(read) ? ask_model(read, maps) : ask_layer(read, maps, *cell);
}

bool shows_sensitivity(const Ui& ui) { return ui.state.sensitivity.on && ui.sensitivity.any(); }

bool is_asked(const Ui& ui, const CellRef& cell) {
  const SensitivityState& sensitivity = ui.state.sensitivity;
  return sensitivity.on && sensitivity.cell == cell && sensitivity.at == ui.document().layer.at;
}

void show_sensitivity(Ui& ui, HeatMap& map, int head) { show_derivatives(ui, map, head, false); }

void show_sensitivity_of_heads(Ui& ui, HeatMap& map, int head) {
  show_derivatives(ui, map, head, true);
}

attention::SharedMatrix sensitivity_of(const Ui& ui, MatrixRef ref) {
  return shows_sensitivity(ui) ? ui.sensitivity.matrix(ui.problem(), ref.id, ref.head)
                               : attention::SharedMatrix();
}

Snapshot sensitivity_snapshot(const Ui& ui) {
  return gradient_snapshot(ui.document(), ui.sensitivity.gradient());
}

std::vector<std::string> sensitivity_formulas(const Ui& ui, Stage stage) {
  if (!ui.sensitivity.reaches(ui.problem(), stage, ui.state.head)) return {"∂ = 0"};
  const std::string by = " / ∂ " + std::string(stage_name(stage));
  return {"∂ " + escaped(ui.sensitivity.name) + by, "∂" + by};
}

std::string move_text(const Ui& ui, Stage stage, Cell cell) {
  if (!shows_sensitivity(ui) || is_asked(ui, cell_ref(ui, stage, cell))) return {};
  const Stage step = last_step(ui.problem(), stage);
  if (attention::is_input(step))
    return move_text(ui, {step == Stage::kEmbedding ? MatrixId::kX : MatrixId::kXKv, 0}, cell);
  const attention::SharedMatrix& sensitivity =
      ui.sensitivity.stage(ui.problem(), stage, ui.state.head);
  if (!is_in(sensitivity, cell)) return {};
  return explain::move_text(ui.sensitivity.name, (*sensitivity)(cell.row, cell.col));
}

std::string move_text(const Ui& ui, MatrixRef ref, Cell cell) {
  const attention::SharedMatrix sensitivity = sensitivity_of(ui, ref);
  if (!is_in(sensitivity, cell)) return {};
  if (ref.id == MatrixId::kX || ref.id == MatrixId::kXKv) return text_of_word(ui, ref.id, cell);
  return explain::move_text(ui.sensitivity.name, (*sensitivity)(cell.row, cell.col));
}

std::string short_move_text(const Ui& ui, MatrixRef ref, Cell cell) {
  const attention::SharedMatrix sensitivity = sensitivity_of(ui, ref);
  if (!is_in(sensitivity, cell)) return {};
  const bool of_word = ref.id == MatrixId::kX || ref.id == MatrixId::kXKv;
  return explain::short_move_text(of_word ? derivative_of_word(ui, ref.id, cell)
                                          : (*sensitivity)(cell.row, cell.col));
}

}  // namespace lab::view
