#include "app/cli/sweep_argument.h"

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/cli/verb.h"
#include "app/document/commands/reducer.h"
#include "app/document/matrix_labels.h"

namespace lab::cli {
namespace {

using attention::Index;

// The pieces of "NAME[INSIDE]"; `inside` is empty without brackets.
struct Target {
  std::string name, inside;
};

struct SweepCell {
  int row = 0, column = 0;
};

tl::unexpected<Error> wrong(const std::string& text, const std::string& should_be) {
  return fail(ErrorType::kUsage, "--sweep is " + in_quotes(text) + " but should be " + should_be);
}

Expected<Target> target_of(const std::string& text) {
  const std::size_t open = text.find('[');
  if (open == std::string::npos) return Target{text, ""};
  if (!text.ends_with(']')) return wrong(text, "closed by ]");
  return Target{text.substr(0, open), text.substr(open + 1, text.size() - open - 2)};
}

// Parses the head before the first comma and removes it from `inside`. Returns it from 0.
Expected<int> take_head(std::string& inside, int count) {
  const std::size_t comma = std::min(inside.find(','), inside.size());
  const auto head = whole_number(std::string_view(inside).substr(0, comma));
  if (!head || *head < 1 || *head > count)
    return fail(ErrorType::kUsage, "--sweep: the head is " + in_quotes(inside.substr(0, comma)) +
                                       " but should be from 1 to " + std::to_string(count));
  inside.erase(0, std::min(comma + 1, inside.size()));
  return *head - 1;
}

// Row and column labels of a matrix or a stage.
struct Labels {
  std::vector<std::string> rows, columns;
};

Expected<SweepCell> indices_at(const std::string& row, const std::string& column,
                               const Labels& labels) {
  const auto i = resolve_label(labels.rows, row, "--sweep: the row");
  if (!i) return tl::make_unexpected(i.error());
  const auto j = resolve_label(labels.columns, column, "--sweep: the column");
  if (!j) return tl::make_unexpected(j.error());
  return SweepCell{static_cast<int>(*i), static_cast<int>(*j)};
}

// Parses "ROW,COL". Labels may contain commas, so each comma is tried as the separator. The row may
// be left out if there is only one.
Expected<SweepCell> find_swept_cell(const std::string& inside, const Labels& labels) {
  if (labels.rows.size() == 1 && inside.find(',') == std::string::npos)
    return indices_at("0", inside, labels);
  Expected<SweepCell> indices = fail(
      ErrorType::kUsage, "--sweep: the cell is " + in_quotes(inside) + " but should be ROW,COL");
  for (std::size_t comma = inside.find(','); comma != inside.npos;
       comma = inside.find(',', comma + 1)) {
    indices = indices_at(inside.substr(0, comma), inside.substr(comma + 1), labels);
    if (indices) break;
  }
  return indices;
}

Expected<Command> matrix_cell(MatrixId id, std::string inside, const Document& document) {
  MatrixRef ref{id, 0};
  const attention::Config& config = document.problem.config;
  if (is_per_head(id)) {
    const auto head = take_head(inside, matrix_count(config, id));
    if (!head) return tl::make_unexpected(head.error());
    ref.head = *head;
  }
  const attention::Shape shape = shape_of(document, ref);
  Labels labels;
  for (Index i = 0; i < shape.rows; ++i) labels.rows.push_back(matrix_row_label(document, id, i));
  for (Index j = 0; j < shape.cols; ++j)
    labels.columns.push_back(matrix_column_label(document, id, j));
  const auto indices = find_swept_cell(inside, labels);
  if (!indices) return tl::make_unexpected(indices.error());
  return SetCell{ref, indices->row, indices->column, 0};
}

Expected<Command> stage_cell(attention::Stage stage, std::string inside, const Document& document) {
  if (auto there = check_stage(stage, document); !there) return tl::make_unexpected(there.error());
  StageCell cell{stage};
  if (attention::is_per_head(stage)) {
    const auto head = take_head(inside, document.problem.config.n_heads);
    if (!head) return tl::make_unexpected(head.error());
    cell.head = *head;
  }
  const Index columns = stage_shape(document.problem, stage).cols;
  const auto indices = find_swept_cell(
      inside, {row_labels(document, stage), column_labels(document, stage, columns)});
  if (!indices) return tl::make_unexpected(indices.error());
  cell.row = indices->row, cell.col = indices->column;
  return SetOverride{cell, 0};
}

Expected<Command> command_of(const std::string& text, const Document& document) {
  auto target = target_of(text);
  if (!target) return tl::make_unexpected(target.error());
  auto& [name, inside] = *target;
  if (name == "temperature") return SetTemperature{};
  if (name == "score_cap") return SetScoreCap{};
  if (name == "dropout") return SetDropout{0.0f, {}};
  if (name == "rotary_base") return SetPositions{{}, 1.0f, {}};
  if (name == "epsilon") return SetLayerNorm{{}, 1.0f};
  if (name == "scale") {
    const auto head = take_head(inside, document.problem.config.n_heads);
    if (!head) return tl::make_unexpected(head.error());
    return SetHeadMix{*head, {}, {}, 1.0f};
  }
  if (const auto id = matrix_from_name(name)) return matrix_cell(*id, inside, document);
  if (const auto stage = attention::stage_from_name(name))
    return stage_cell(*stage, inside, document);
  return wrong(text,
               "temperature, score_cap, dropout, rotary_base, epsilon, scale[HEAD], or a cell such "
               "as W_Q[1,0,3], X[it,0] or scores[1,it,animal]");
}

}  // namespace

Expected<SweepRequest> parse_sweep(const std::string& text, const Document& document) {
  const std::size_t equals = text.rfind('=');
  const std::size_t dots = equals == text.npos ? text.npos : text.find("..", equals);
  if (dots == text.npos) return wrong(text, "NAME=A..B, such as temperature=0.2..4");
  const std::string_view view = text;
  const auto from = finite_number(view.substr(equals + 1, dots - equals - 1));
  const auto to = finite_number(view.substr(dots + 2));
  if (!from || !to || *from == *to)
    return wrong(text, "NAME=A..B with two different numbers, such as temperature=0.2..4");
  auto command = command_of(text.substr(0, equals), document);
  if (!command) return tl::make_unexpected(command.error());
  return SweepRequest{std::move(*command), *from, *to};
}

}  // namespace lab::cli
