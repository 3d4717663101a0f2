#include "app/lessons/paper/paper_tables.h"

#include <cmath>

#include "app/document/commands/reducer.h"
#include "app/document/matrix_labels.h"
#include "app/document/stage_labels.h"
#include "app/explain/number_text.h"
#include "app/explain/stage_text.h"

namespace lab::lessons {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Stage;

bool shows_whole_numbers(const Matrix& values) {
  for (Index i = 0; i < values.size(); ++i) {
    const float value = values.data()[i];
    if (std::isfinite(value) && value != std::round(value)) return false;
  }
  return true;
}

std::string number_text(float value, int decimals) {
  std::string text = explain::format_fixed(value, decimals);
  return text.starts_with('-') ? "−" + text.substr(1) : text;
}

void fill(PaperTable& table, const Matrix& values, bool key, const LeftOut& left_out) {
  const int decimals = shows_whole_numbers(values) ? 0 : 2;
  for (Index i = 0; i < values.rows(); ++i) {
    auto& row = table.cells.emplace_back();
    auto& marked = table.marked.emplace_back();
    for (Index j = 0; j < values.cols(); ++j) {
      const bool out = left_out(i, j);
      row.push_back(out && !key ? "" : number_text(values(i, j), decimals));
      marked.push_back(out);
    }
  }
}

LeftOut nothing() {
  return [](Index, Index) { return false; };
}

const Matrix& values_of(const LiveNumbers& live, Stage stage, int head) {
  return *stage_matrix(live.document.problem, live.trace, stage, head);
}

// The last stage before `stage` that is a step of its own.
Stage step_before(const attention::Problem& problem, Stage stage) {
  for (Stage one = Stage(static_cast<int>(stage) - 1); one > Stage::kScores;
       one = Stage(static_cast<int>(one) - 1))
    if (is_active(problem, one)) return one;
  return Stage::kScores;
}

struct Projection {
  Stage stage, input;
  MatrixId weights, bias;
};
constexpr Projection kProjections[] = {
    {Stage::kQ, Stage::kX, MatrixId::kWQ, MatrixId::kBQ},
    {Stage::kK, Stage::kXKv, MatrixId::kWK, MatrixId::kBK},
    {Stage::kV, Stage::kXKv, MatrixId::kWV, MatrixId::kBV},
    {Stage::kOutput, Stage::kConcat, MatrixId::kWO, MatrixId::kBO}};

MatrixRef ref_of(const Document& document, MatrixId id, int head) {
  if (!is_per_head(id)) return {id, 0};
  const auto& config = document.problem.config;
  return {id, is_per_kv_head(id) ? head / heads_per_kv_head(config) : head};
}

std::vector<PaperTable> behind_projection(const LiveNumbers& live, const Projection& step,
                                          int head) {
  const bool cross = live.document.problem.cross();
  const Stage input = step.input == Stage::kXKv && !cross ? Stage::kX : step.input;
  std::vector<PaperTable> tables{whole_stage(live, input, head)};
  tables.push_back(matrix_table(live.document, ref_of(live.document, step.weights, head)));
  const MatrixRef bias = ref_of(live.document, step.bias, head);
  if (matrix_of(live.document, bias)->size() > 0)
    tables.push_back(matrix_table(live.document, bias));
  return tables;
}

}  // namespace

PaperTable stage_table(const LiveNumbers& live, Stage stage, int head, bool key,
                       const LeftOut& left_out) {
  const Matrix& values = values_of(live, stage, head);
  PaperTable table;
  table.title = explain::full_stage_title(stage);
  if (is_per_head(stage) && live.document.problem.config.n_heads > 1)
    table.title += ", head " + std::to_string(head + 1);
  table.formula = explain::stage_formula(live.document.problem, stage);
  table.origin = StageCell{stage, is_per_head(stage) ? head : 0};
  table.row_labels = row_labels(live.document, stage);
  table.column_labels = column_labels(live.document, stage, values.cols());
  fill(table, values, key, left_out);
  return table;
}

PaperTable whole_stage(const LiveNumbers& live, Stage stage, int head) {
  return stage_table(live, stage, head, false, nothing());
}

PaperTable matrix_table(const Document& document, MatrixRef ref) {
  const Matrix values = shown_numbers(document, ref);
  PaperTable table;
  table.title = matrix_label(ref);
  for (Index i = 0; i < values.rows(); ++i)
    table.row_labels.push_back(matrix_row_label(document, ref.id, i));
  for (Index j = 0; j < values.cols(); ++j)
    table.column_labels.push_back(matrix_column_label(document, ref.id, j));
  fill(table, values, false, nothing());
  return table;
}

std::vector<PaperTable> tables_behind(const LiveNumbers& live, Stage stage, int head) {
  for (const Projection& step : kProjections)
    if (step.stage == stage) return behind_projection(live, step, head);
  const auto whole = [&](Stage one) { return whole_stage(live, one, head); };
  const attention::Problem& problem = live.document.problem;
  const bool rotary = is_active(problem, Stage::kRotatedQ);
  switch (stage) {
    case Stage::kScores:
      return rotary ? std::vector{whole(Stage::kRotatedQ), whole(Stage::kRotatedK)}
                    : std::vector{whole(Stage::kQ), whole(Stage::kK)};
    case Stage::kScaledScores:
    case Stage::kMaskedScores:
    case Stage::kWeights:
    case Stage::kDroppedWeights:
      return {whole(step_before(problem, stage))};
    case Stage::kHeadOutput:
      return {whole(is_active(problem, Stage::kDroppedWeights) ? Stage::kDroppedWeights
                                                               : Stage::kWeights),
              whole(Stage::kV)};
    case Stage::kResidual:
      return {whole(Stage::kX), whole(Stage::kOutput)};
    case Stage::kLayerNorm:
      return {whole(is_active(problem, Stage::kResidual) ? Stage::kResidual : Stage::kOutput)};
    default:
      return {};
  }
}

}  // namespace lab::lessons
