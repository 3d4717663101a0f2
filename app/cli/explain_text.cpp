#include "app/explain/explain_text.h"

#include "app/cli/explanation.h"
#include "app/cli/text.h"
#include "app/document/matrix_labels.h"
#include "app/explain/number_text.h"

namespace lab::cli {

namespace {

using attention::Index;
using attention::Stage;

// Sums with more terms are written as a table, one term per line.
constexpr std::size_t kMostSideBySide = 8;

using Lines = std::vector<explain::ExplainLine>;

// Labels of the terms of a sum: dimensions, keys, or unnamed features. A projection may be one of
// some features of X only.
std::vector<std::string> term_labels(const Document& document, Stage stage,
                                     const explain::ExplainLine& line) {
  // Scores and weights start from the products of a score.
  const Stage summed = attention::has_key_columns(stage) ? Stage::kScores : stage;
  const auto& [operand, reach] = attention::stage_info(summed).operands.front();
  const bool known = reach != attention::Reach::kNone;
  const bool projected = stage == Stage::kQ || stage == Stage::kK || stage == Stage::kV;
  const Index first = projected && !line.cells.empty() ? line.cells.front().col : 0;
  std::vector<std::string> labels =
      column_labels(document, known ? operand : Stage::kConcat, first + std::ssize(line.values));
  labels.erase(labels.begin(), labels.begin() + first);
  return labels;
}

// A table with one column for each line that has a list of numbers.
std::string columns_text(const Lines& lines, const std::vector<std::string>& labels) {
  std::vector<std::string> head = {""};
  std::vector<const explain::ExplainLine*> columns;
  for (const explain::ExplainLine& line : lines) {
    if (line.values.empty()) continue;
    head.push_back(line.name);
    columns.push_back(&line);
  }
  TextTable table({Side::kLeft, Side::kRight});
  table.add(std::move(head));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    std::vector<std::string> row = {labels[i]};
    for (const explain::ExplainLine* column : columns) {
      row.push_back(explain::number_in(*column, column->values[i]));
    }
    table.add(std::move(row));
  }
  return table.text() + "\n";
}

// Labels above the numbers; plain indices are omitted because they would only add clutter.
void add_head(TextTable& table, const std::vector<std::string>& labels) {
  if (labels.empty() || labels.front() == "0") return;
  std::vector<std::string> cells = {"", ""};
  cells.insert(cells.end(), labels.begin(), labels.end());
  table.add(std::move(cells));
}

void add_line(TextTable& table, const explain::ExplainLine& line) {
  std::vector<std::string> cells = {line.name, "="};
  for (const float value : line.values) cells.push_back(explain::number_in(line, value));
  if (!line.values.empty()) return table.add(std::move(cells));
  if (line.before.empty()) {
    cells.push_back(line.result);
    return table.add(std::move(cells), line.after);
  }
  // A calculation goes after the equals sign, followed by its result.
  table.add(std::move(cells),
            line.before + " " + line.result + (line.after.empty() ? "" : "  " + line.after));
}

}  // namespace

std::string arithmetic_text(const Document& document, const attention::Trace& trace,
                            const CellLocation& location, int decimals) {
  const auto& [stage, head, row, col] = location;
  const float value = (*stage_matrix(document.problem, trace, stage, head))(row, col);
  const Lines lines = explain::explain_lines(document, trace, stage, head, row, col,
                                             {.least = decimals, .exact = decimals});
  std::string text = explain::cell_title(document, stage, row, col) + " = " +
                     explain::number_in(lines.back(), value) + "\n" +
                     explain::cell_meaning(document, stage, head, row, col) + "\n\n";
  const std::size_t terms = lines.front().values.size();
  const std::vector<std::string> labels = term_labels(document, stage, lines.front());
  const bool side_by_side = terms <= kMostSideBySide;
  if (!side_by_side) text += columns_text(lines, labels);

  TextTable table({Side::kLeft, Side::kLeft, Side::kRight});
  if (side_by_side) add_head(table, labels);
  for (const explain::ExplainLine& line : lines) {
    if (side_by_side || line.values.empty()) add_line(table, line);
  }
  return text + table.text();
}

}  // namespace lab::cli
