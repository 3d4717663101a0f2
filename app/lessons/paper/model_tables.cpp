#include "app/lessons/paper/paper_tables.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/base/strings.h"
#include "app/document/model/layer_name.h"
#include "app/explain/number_text.h"
#include "app/lessons/model/live_evaluator.h"
#include "app/lessons/model/model_facts.h"
#include "app/lessons/model/model_value.h"
#include "app/translation/words.h"

namespace lab::lessons {
namespace {

// "weights" of "weights[L1H3]", and "L1H3".
struct BracketedName {
  std::string_view name, inside;
};

BracketedName bracketed(std::string_view text) {
  const std::size_t bracket = std::min(text.find('['), text.size());
  std::string_view inside = text.substr(bracket);
  if (inside.starts_with('[')) inside.remove_prefix(1);
  if (inside.ends_with(']')) inside.remove_suffix(1);
  return {trimmed(text.substr(0, bracket)), trimmed(inside)};
}

bool is_quantity(std::string_view name) {
  return std::ranges::find(model_quantities(), name) != model_quantities().end();
}

// The whole matrix of a head. Its cells are those of the map if the window shows that layer.
PaperTable head_table(const Snapshot& live, const BracketedName& of, int digits) {
  const auto head = model_head_from_name(of.inside);
  ModelFacts& facts = facts_of(live);
  if (!head || head->at.layer >= facts.layers() || head->head >= facts.heads())
    throw BadInput("there is no head " + in_quotes(of.inside) + " in this model");
  NamedTable named = value_or_bad_input(named_table(of.name));
  named.head = static_cast<int>(head->head);
  PaperTable table = table_of(facts.layer(head->at.layer), named, digits);
  if (head->at != live.document.layer.at) table.origin.reset();
  return table;
}

void add_row(PaperTable& table, const std::string& label, std::vector<std::string> cells) {
  table.row_labels.push_back(label);
  table.marked.emplace_back(cells.size(), false);
  table.cells.push_back(std::move(cells));
}

std::string fixed(double value, int digits) {
  return explain::with_minus_signs(explain::format_fixed(static_cast<float>(value), digits));
}

// Layer by layer.
void fill_heads(PaperTable& table, const ListValue& list, int digits) {
  for (const CellValue& cell : list.cells) {
    if (table.row_labels.empty() || table.row_labels.back() != cell.row)
      add_row(table, cell.row, {});
    table.cells.back().push_back(fixed(cell.value, digits));
    table.marked.back().push_back(false);
    if (table.row_labels.size() == 1) table.column_labels.push_back(cell.column);
  }
}

// A row for each token, or for each layer with its likeliest token.
void fill_lines(PaperTable& table, const ListValue& list, int digits) {
  const bool has_names = !list.cells.front().column.empty();
  if (has_names) table.column_labels.push_back(tr("likeliest token"));
  table.column_labels.push_back(tr("probability"));
  for (const CellValue& cell : list.cells) {
    std::vector<std::string> cells{fixed(cell.value, digits)};
    if (has_names) cells.insert(cells.begin(), cell.column);
    add_row(table, cell.row, std::move(cells));
  }
}

// "her − his" of ":, last, her - his": what the numbers of heads are about.
std::string answer_in(std::string_view inside) {
  for (int skipped = 0; skipped < 2; ++skipped) {
    const std::size_t comma = std::min(inside.find(','), inside.size());
    inside.remove_prefix(std::min(comma + 1, inside.size()));
  }
  std::string answer(trimmed(inside));
  replace_all(answer, " - ", " − ");
  return answer;
}

PaperTable quantity_table(const Snapshot& live, const std::string& text, const BracketedName& of,
                          int digits) {
  const Value value =
      value_or_bad_input(value_or_bad_input(Expression::parse(text)).evaluate(live));
  const auto* list = std::get_if<ListValue>(&value);
  if (!list) throw BadInput(in_quotes(text) + " is no table; write a colon for all heads");
  PaperTable table;
  const bool of_heads = !list->cells.front().head.empty();
  table.title = quantity_title(of.name);
  const std::string answer = of_heads ? answer_in(of.inside) : std::string();
  if (!answer.empty()) table.title += " (" + answer + ")";
  of_heads ? fill_heads(table, *list, digits) : fill_lines(table, *list, digits);
  return table;
}

}  // namespace

bool names_model_table(std::string_view text) {
  const BracketedName of = bracketed(text);
  return is_quantity(of.name) || model_head_from_name(of.inside).has_value();
}

PaperTable model_table(const Snapshot& live, const ModelTable& table, int digits) {
  const BracketedName of = bracketed(table.text);
  return is_quantity(of.name) ? quantity_table(live, table.text, of, digits)
                              : head_table(live, of, digits);
}

Expected<void> model_table_exists(const ModelTable& table, const Document& document) {
  const auto made = guarded([&] {
    LiveEvaluator evaluator;
    return model_table(evaluator.evaluate(document), table, 2);
  });
  if (!made) return tl::make_unexpected(made.error());
  return {};
}

}  // namespace lab::lessons
