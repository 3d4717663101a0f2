#include "app/lessons/paper/paper_tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/base/strings.h"
#include "app/document/commands/reducer.h"
#include "app/document/matrix_labels.h"
#include "app/explain/number_text.h"
#include "app/explain/stage_text.h"
#include "app/translation/words.h"

namespace lab::lessons {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Stage;

// Inputs have more decimals than the result, so that computing with the
// printed numbers gives the answer.
constexpr int kMoreOfInputs = 2;

std::string number_text(float value, int decimals) {
  return explain::with_minus_signs(explain::format_fixed(value, decimals));
}

void fill(PaperTable& table, const Matrix& values, int digits, bool key,
          const IsBlank& is_blank_cell) {
  const int decimals = decimals_of(values, digits);
  for (Index i = 0; i < values.rows(); ++i) {
    auto& row = table.cells.emplace_back();
    auto& marked = table.marked.emplace_back();
    for (Index j = 0; j < values.cols(); ++j) {
      const bool out = is_blank_cell(i, j);
      row.push_back(out && !key ? "" : number_text(values(i, j), decimals));
      marked.push_back(out);
    }
  }
}

IsBlank nothing() {
  return [](Index, Index) { return false; };
}

const Matrix& values_of(const Snapshot& live, Stage stage, int head) {
  return *stage_matrix(live.document.problem, live.trace, stage, head);
}

MatrixRef ref_of(const Document& document, MatrixId id, int head) {
  if (!is_per_head(id)) return {id, 0};
  const auto& config = document.problem.config;
  return {id, is_per_kv_head(id) ? head / heads_per_kv_head(config) : head};
}

// True for stages that are computed with a weight matrix.
bool is_projection(Stage stage) {
  return std::ranges::any_of(attention::kMatrixInfos, [stage](const attention::MatrixInfo& info) {
    return info.stage == stage && info.required && is_parameter(info.id);
  });
}

// The stage that contains the numbers of an operand, under the name that the pages use.
Stage shown_operand(const attention::Problem& problem, Stage operand) {
  if (operand == Stage::kXKv && !problem.cross()) return Stage::kX;
  const bool input = attention::stage_info(operand).section == attention::StageSection::kInput;
  return input ? operand : last_step(problem, operand);
}

void add_parameters(std::vector<PaperTable>& tables, const Document& document, Stage stage,
                    int head, int digits) {
  for (const attention::MatrixInfo& info : attention::kMatrixInfos) {
    if (info.stage != stage) continue;
    const MatrixRef ref = ref_of(document, info.id, head);
    if (info.required || matrix_of(document, ref)->size() > 0)
      tables.push_back(matrix_table(document, ref, digits));
  }
}

// Sums of products of short numbers are inexact in the last decimals.
constexpr float kRounding = 2e-5f;

bool are_multiples(const attention::Matrix& values, float unit, float rounding) {
  const std::span numbers(values.data(), static_cast<std::size_t>(values.size()));
  return std::ranges::all_of(numbers, [unit, rounding](float value) {
    const float count = value / unit;
    return !std::isfinite(value) || std::abs(count - std::round(count)) <= rounding / unit;
  });
}

// "[1]" and "[head 1]" are 0; nothing for anything else.
std::optional<int> head_in_brackets(std::string_view text) {
  if (!text.starts_with('[') || !text.ends_with(']')) return std::nullopt;
  text = trimmed(text.substr(1, text.size() - 2));
  constexpr std::string_view kPrefix = "head ";
  if (text.starts_with(kPrefix)) text.remove_prefix(kPrefix.size());
  const auto head = parse_number<int>(trimmed(text));
  return head && *head > 0 ? std::optional(*head - 1) : std::nullopt;
}

}  // namespace

PaperTable stage_table(const Snapshot& live, Stage stage, int head, int digits, bool key,
                       const IsBlank& is_blank_cell) {
  const Matrix& values = values_of(live, stage, head);
  PaperTable table;
  table.title = explain::full_stage_title(stage);
  if (is_per_head(stage) && live.document.problem.config.n_heads > 1)
    table.title = tr("{}, head {}", {table.title, head_number(live.document, head)});
  table.formula = explain::stage_formula(live.document.problem, stage);
  table.origin = StageCell{stage, is_per_head(stage) ? head : 0};
  table.row_labels = row_labels(live.document, stage);
  table.column_labels = column_labels(live.document, stage, values.cols());
  fill(table, values, digits, key, is_blank_cell);
  return table;
}

PaperTable full_stage_table(const Snapshot& live, Stage stage, int head, int digits) {
  return stage_table(live, stage, head, digits, false, nothing());
}

PaperTable table_of(const Snapshot& live, const NamedTable& named, int digits) {
  if (const auto* of_model = std::get_if<ModelTable>(&named.id))
    return model_table(live, *of_model, digits);
  if (const auto* stage = std::get_if<Stage>(&named.id))
    return full_stage_table(live, *stage, named.head, digits);
  const MatrixId id = std::get<MatrixId>(named.id);
  return matrix_table(live.document, {id, is_per_head(id) ? named.head : 0},
                      digits + kMoreOfInputs);
}

PaperTable matrix_table(const Document& document, MatrixRef ref, int digits) {
  const Matrix values = shown_numbers(document, ref);
  PaperTable table;
  table.title = matrix_label(ref);
  for (Index i = 0; i < values.rows(); ++i)
    table.row_labels.push_back(matrix_row_label(document, ref.id, i));
  for (Index j = 0; j < values.cols(); ++j)
    table.column_labels.push_back(matrix_column_label(document, ref.id, j));
  fill(table, values, digits, false, nothing());
  return table;
}

std::vector<PaperTable> input_tables(const Snapshot& live, Stage stage, int head, int digits) {
  const attention::StageInfo& info = attention::stage_info(stage);
  const attention::Reach reach = info.operands.front().reach;
  // Inputs, rotations and concat are not computed on paper.
  if (info.section == attention::StageSection::kInput || reach == attention::Reach::kPair ||
      reach == attention::Reach::kHeadCell)
    return {};
  const attention::Problem& problem = live.document.problem;
  digits += kMoreOfInputs;
  std::vector<PaperTable> tables;
  for (const attention::StageOperand& operand : info.operands)
    if (operand.reach != attention::Reach::kNone && stage_shape(problem, operand.stage).rows > 0)
      tables.push_back(full_stage_table(live, shown_operand(problem, operand.stage), head, digits));
  const bool has_sink = stage == Stage::kWeights && problem.config.sink;
  if (is_projection(stage) || has_sink) add_parameters(tables, live.document, stage, head, digits);
  return tables;
}

bool is_whole(const attention::Matrix& values) { return are_multiples(values, 1, 0); }

int decimals_of(const attention::Matrix& values, int most) {
  constexpr std::array kUnits{1.0f, 0.1f, 0.01f, 0.001f};  // of finer ones kRounding is too much
  for (int decimals = 0; decimals < std::min<int>(most, kUnits.size()); ++decimals)
    if (are_multiples(values, kUnits.at(static_cast<std::size_t>(decimals)), kRounding))
      return decimals;
  return most;
}

Expected<NamedTable> named_table(std::string_view text) {
  if (names_model_table(text)) return NamedTable{ModelTable{std::string(text)}};
  const std::size_t bracket = std::min(text.find('['), text.size());
  const std::string_view name = trimmed(text.substr(0, bracket));
  const auto head =
      bracket == text.size() ? std::optional(0) : head_in_brackets(trimmed(text.substr(bracket)));
  if (!head)
    return fail(ErrorType::kBadInput, in_quotes(text) +
                                          " is not a matrix; write its name and its head, such as "
                                          "weights[1]");
  if (const auto stage = attention::stage_from_name(name)) return NamedTable{*stage, *head};
  if (const auto id = attention::matrix_from_name(name)) return NamedTable{*id, *head};
  return fail(ErrorType::kBadInput, "there is no stage or matrix " + in_quotes(name));
}

Expected<void> table_exists(const NamedTable& table, const Document& document) {
  if (const auto* of_model = std::get_if<ModelTable>(&table.id))
    return model_table_exists(*of_model, document);
  if (const auto* id = std::get_if<MatrixId>(&table.id))
    return check_matrix(document, {*id, is_per_head(*id) ? table.head : 0});
  const Stage stage = std::get<Stage>(table.id);
  const int heads = document.problem.config.n_heads;
  if (stage_shape(document.problem, stage).rows == 0)
    return fail(ErrorType::kBadInput,
                "there is no " + std::string(stage_name(stage)) + " in this model");
  if (is_per_head(stage) && table.head >= heads)
    return fail(ErrorType::kBadInput, "there is no head " + std::to_string(table.head + 1) +
                                          "; there are heads 1 to " + std::to_string(heads));
  return {};
}

}  // namespace lab::lessons
