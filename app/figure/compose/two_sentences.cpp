#include "app/figure/compose/stage_sheet.h"

#include <stdexcept>

#include "app/figure/compose/range.h"

namespace lab::figure {
namespace {

using attention::Axis;
using attention::Index;
using attention::Stage;

// The positions of A with the same tokens as these of B.
std::vector<Index> positions_in_a(const PairedTokens& pairs, Axis axis,
                                  const std::vector<Index>& of_b) {
  std::vector<Index> of_a;
  for (const Index at : of_b)
    if (const Index there = pairs.in_a(axis, at); there >= 0) of_a.push_back(there);
  if (of_a.empty() && !of_b.empty()) throw std::out_of_range("A has none of the chosen tokens.");
  return of_a;
}

// The same options for A: tokens and marks at its tokens.
FigureOptions options_of_a(FigureOptions options, const PairedTokens& pairs) {
  options.queries = positions_in_a(pairs, Axis::kQueries, options.queries);
  options.keys = positions_in_a(pairs, Axis::kKeys, options.keys);
  std::vector<attention::CellRef> pins;
  const auto paired = [&](attention::CellRef cell) -> std::optional<attention::CellRef> {
    const auto stage = attention::stage_from_name(cell.matrix);
    if (!stage) return std::nullopt;
    cell.row = pairs.in_a(attention::stage_info(*stage).rows, cell.row);
    cell.col = pairs.in_a(attention::stage_info(*stage).cols, cell.col);
    return cell.row >= 0 && cell.col >= 0 ? std::optional(cell) : std::nullopt;
  };
  for (const attention::CellRef& pin : options.marks.pins)
    if (const auto there = paired(pin)) pins.push_back(*there);
  options.marks.pins = std::move(pins);
  if (options.marks.selected) options.marks.selected = paired(*options.marks.selected);
  return options;
}

// Those of the chosen positions of B, where none means all of them, whose tokens A has too.
std::vector<Index> in_both(const PairedTokens& pairs, Axis axis, const std::vector<Index>& chosen,
                           std::size_t count) {
  std::vector<Index> positions;
  for (std::size_t i = 0; i < (chosen.empty() ? count : chosen.size()); ++i) {
    const Index at = chosen.empty() ? static_cast<Index>(i) : chosen[i];
    if (pairs.in_a(axis, at) >= 0) positions.push_back(at);
  }
  return positions;
}

Panel difference_in_both(const FigureSource& source, const PairedTokens& pairs) {
  const Stage stage = source.options.stage;
  const Index head = source.options.head;
  FigureOptions of_b = source.options;
  of_b.queries = in_both(pairs, Axis::kQueries, of_b.queries, pairs.queries.size());
  of_b.keys = in_both(pairs, Axis::kKeys, of_b.keys, pairs.keys.size());
  const FigureOptions of_a = options_of_a(of_b, pairs);
  const FigureSource b{source.document, source.trace, of_b, nullptr, source.common};
  const FigureSource a{source.kept->document, source.kept->trace, of_a, nullptr, nullptr};
  const Panel like = stage_panel(b, stage, head);
  Panel panel = difference_panel(b, like, *shown_values(a, stage, head), *like.values);
  panel.title = "B − A";
  return panel;
}

// True when an axis has the same length in A and B or, of tokens, shares words.
bool can_pair(const PairedTokens& pairs, Axis axis, Index in_a, Index in_b) {
  const bool of_tokens = axis == Axis::kQueries || axis == Axis::kKeys;
  return of_tokens ? pairs.share(axis) : in_a == in_b;
}

}  // namespace

bool has_difference(const FigureSource& source, const PairedTokens& pairs) {
  const Stage stage = source.options.stage;
  const attention::StageInfo& info = attention::stage_info(stage);
  const auto a = source.of_kept().values(stage, source.options.head).shape();
  const auto b = source.values(stage, source.options.head).shape();
  return can_pair(pairs, info.rows, a.rows, b.rows) && can_pair(pairs, info.cols, a.cols, b.cols);
}

std::vector<Panel> panels_of_two_sentences(const FigureSource& source, const PairedTokens& pairs) {
  const Stage stage = source.options.stage;
  const Index head = source.options.head;
  const FigureOptions options = options_of_a(source.options, pairs);
  const FigureSource kept{source.kept->document, source.kept->trace, options, nullptr, nullptr};
  std::vector<Panel> panels{stage_panel(kept, stage, head), stage_panel(source, stage, head)};
  Panel &before = panels[0], &after = panels[1];
  before.title = "A", after.title = "B";
  if (source.options.range_rule != RangeRule::kFixed)
    before.range = after.range = united(before.range, after.range);
  if (has_difference(source, pairs)) panels.push_back(difference_in_both(source, pairs));
  return panels;
}

}  // namespace lab::figure
