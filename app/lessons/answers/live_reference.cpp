#include "app/lessons/answers/live_reference.h"

#include <algorithm>
#include <array>
#include <functional>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/document/commands/reducer.h"
#include "app/document/matrix_labels.h"
#include "app/lessons/model/model_value.h"

namespace lab::lessons {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Stage;

// A matrix with its row and column labels and the position of its cells.
struct Table {
  const Matrix& values;
  std::vector<std::string> rows, columns;
  std::optional<StageCell> origin;  // for a stage: its cell (0, 0)
};

// "; write weights[1, sat, Cat]" where the head was left out; empty where it is only wrong.
std::string with_a_head(const ReferenceNode& reference) {
  constexpr std::size_t kRowAndColumn = 2;
  if (reference.indices.size() > kRowAndColumn) return {};
  std::string text = "; write " + reference.name + "[1";
  for (const IndexText& index : reference.indices)
    text += ", " + (index.quoted ? "\"" + index.text + "\"" : index.text);
  return text + "]";
}

// Parses "head 2" or "2" to a head from 0.
int head_of(const ReferenceNode& reference, int count) {
  const IndexText& index = reference.indices.front();
  std::string_view text = index.text;
  constexpr std::string_view kPrefix = "head ";
  if (text.starts_with(kPrefix)) text.remove_prefix(kPrefix.size());
  const auto head = parse_number<Index>(text);
  if (!index.quoted && head && *head >= 1 && *head <= count) return static_cast<int>(*head - 1);
  throw BadInput(reference.name + ": " + in_quotes(index.text) +
                 " is not a head; there are heads 1 to " + std::to_string(count) +
                 with_a_head(reference));
}

struct Span {
  Index first = 0, last = 0;
};

// The range that an index names: a label, a number from 0, or ":" for all.
Span span_of(const std::string& name, const char* type, const IndexText& index,
             const std::vector<std::string>& labels) {
  const auto count = static_cast<Index>(labels.size());
  if (!index.quoted && index.text == ":") return {0, count - 1};
  if (const auto single = named_index(index, labels)) return {*single, *single};
  throw BadInput(name + " has no " + type + " " + in_quotes(index.text) + "; the " + type +
                 "s are " + listed(labels));
}

Value cells_of(const Table& table, Span rows, Span columns) {
  ListValue list;
  for (Index i = rows.first; i <= rows.last; ++i) {
    for (Index j = columns.first; j <= columns.last; ++j) {
      std::optional<StageCell> cell = table.origin;
      if (cell) cell->row = static_cast<int>(i), cell->col = static_cast<int>(j);
      list.cells.push_back({cell, table.rows[static_cast<std::size_t>(i)],
                            table.columns[static_cast<std::size_t>(j)],
                            double{table.values(i, j)}});
    }
  }
  const bool one = rows.first == rows.last && columns.first == columns.last;
  return one ? Value(list.cells.front()) : Value(std::move(list));
}

// `indices` exclude the head. The row may be left out if there is only one.
Value picked(const ReferenceNode& reference, std::vector<IndexText> indices, const Table& table) {
  const IndexText all{":", false};
  if (indices.size() == 1 && table.rows.size() == 1) indices.insert(indices.begin(), {"0", false});
  if (indices.size() == 1) indices.push_back(all);
  if (indices.size() != 2) {
    const bool of_head = reference.indices.size() > indices.size();
    throw BadInput(reference.name + " needs a row and a column, such as " + reference.name + "[" +
                   (of_head ? reference.indices.front().text + ", " : "") + table.rows.front() +
                   ", " + table.columns.front() + "]");
  }
  const Span rows = span_of(reference.name, "row", indices[0], table.rows);
  const Span columns = span_of(reference.name, "column", indices[1], table.columns);
  return cells_of(table, rows, columns);
}

std::vector<IndexText> without_head(const ReferenceNode& reference) {
  return {reference.indices.begin() + 1, reference.indices.end()};
}

Value stage_value(const ReferenceNode& reference, Stage stage, const Snapshot& live) {
  StageCell origin{stage};
  std::vector<IndexText> indices = reference.indices;
  if (attention::is_per_head(stage)) {
    origin.head = head_of(reference, live.document.problem.config.n_heads);
    indices = without_head(reference);
  }
  const auto& values = stage_matrix(live.document.problem, live.trace, stage, Index{origin.head});
  if (values->size() == 0) throw BadInput("there is no " + reference.name + " in this model");
  return picked(reference, std::move(indices),
                {*values, row_labels(live.document, stage),
                 column_labels(live.document, stage, values->cols()), origin});
}

Value matrix_value(const ReferenceNode& reference, MatrixId id, const Document& document) {
  MatrixRef ref{id, 0};
  std::vector<IndexText> indices = reference.indices;
  if (is_per_head(id)) {
    ref.head = head_of(reference, matrix_count(document.problem.config, id));
    indices = without_head(reference);
  }
  if (const auto there = check_matrix(document, ref); !there) throw BadInput(there.error().message);
  const Matrix values = shown_numbers(document, ref);
  Table table{values, {}, {}, {}};
  for (Index i = 0; i < values.rows(); ++i) table.rows.push_back(matrix_row_label(document, id, i));
  for (Index j = 0; j < values.cols(); ++j)
    table.columns.push_back(matrix_column_label(document, id, j));
  return picked(reference, std::move(indices), table);
}

struct NamedValue {
  std::string_view name;
  Value (*value)(const attention::Problem&);
};

template <int attention::Config::*member>
Value size_of(const attention::Problem& problem) {
  return static_cast<double>(problem.config.*member);
}

using attention::Config;
using attention::Problem;
constexpr std::array kNamedValues = {
    NamedValue{"d_model", size_of<&Config::d_model>},
    NamedValue{"d_k", size_of<&Config::d_k>},
    NamedValue{"d_v", size_of<&Config::d_v>},
    NamedValue{"d_out", size_of<&Config::d_out>},
    NamedValue{"n_heads", size_of<&Config::n_heads>},
    NamedValue{
        "n_kv_heads",
        [](const Problem& p) -> Value { return static_cast<double>(kv_head_count(p.config)); }},
    NamedValue{"seq_len",
               [](const Problem& p) -> Value { return static_cast<double>(p.seq_len()); }},
    NamedValue{"kv_len", [](const Problem& p) -> Value { return static_cast<double>(p.kv_len()); }},
    NamedValue{"temperature",
               [](const Problem& p) -> Value { return double{p.config.temperature}; }},
    NamedValue{"scaled", [](const Problem& p) -> Value { return p.config.scale; }},
    NamedValue{"causal", [](const Problem& p) -> Value { return p.config.mask.causal; }},
    NamedValue{"residual", [](const Problem& p) -> Value { return p.config.residual; }},
    NamedValue{"layer_norm", [](const Problem& p) -> Value { return p.config.layer_norm; }},
};

}  // namespace

Value referenced(const ReferenceNode& reference, const Snapshot& live) {
  if (live.document.layer.model) return model_value(reference, live);
  return referenced_in_layer(reference, live);
}

Value referenced_in_layer(const ReferenceNode& reference, const Snapshot& live) {
  if (const auto stage = attention::stage_from_name(reference.name))
    return stage_value(reference, *stage, live);
  if (const auto id = matrix_from_name(reference.name))
    return matrix_value(reference, *id, live.document);
  throw BadInput("there is no stage or matrix " + in_quotes(reference.name));
}

Value named_value(const std::string& name, const Snapshot& live) {
  if (live.document.layer.model)
    if (const auto value = model_size(name, live)) return *value;
  const auto found = std::ranges::find(kNamedValues, name, &NamedValue::name);
  if (found != kNamedValues.end()) return found->value(live.document.problem);
  std::string known;
  for (const NamedValue& one : kNamedValues)
    known += (known.empty() ? "" : ", ") + std::string(one.name);
  throw BadInput("there is no size or switch " + in_quotes(name) + "; the names are " + known);
}

std::optional<Index> named_index(const IndexText& index, const std::vector<std::string>& labels) {
  const auto count = static_cast<Index>(labels.size());
  for (const std::string& label : {index.text, "·" + index.text})
    if (const auto at = std::ranges::find(labels, label); at != labels.end())
      return at - labels.begin();
  if (index.quoted) return std::nullopt;
  if (index.text == "last" && count > 0) return count - 1;
  const auto number = parse_number<Index>(index.text);
  return number && *number >= 0 && *number < count ? number : std::nullopt;
}

std::string listed(const std::vector<std::string>& labels) {
  constexpr std::size_t kMost = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(labels.size(), kMost); ++i)
    text += (i == 0 ? "" : ", ") + labels[i];
  return labels.size() > kMost ? text + " …" : text;
}

std::string without_blank(const std::string& label) {
  constexpr std::string_view kBlank = "·";
  const bool marked = label.size() > kBlank.size() && label.starts_with(kBlank);
  return marked ? label.substr(kBlank.size()) : label;
}

}  // namespace lab::lessons
