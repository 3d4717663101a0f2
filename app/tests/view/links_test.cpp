// Which cells are highlighted for a cell, compared with the operands in its explanation.
#include "app/view/state/data_flow.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"
#include "core/tests/random_problem.h"

namespace lab {
namespace {

using attention::CellRef;
using attention::Explanation;
using attention::Index;
using attention::Problem;
using attention::Stage;

// Numbers that belong to no matrix that the window shows.
bool stands_nowhere(const CellRef& cell) {
  constexpr std::string_view kNames[] = {"cos",  "sin",       "slope", "distance",
                                         "gain", "head_bias", "P_K",   "P_Q"};
  return std::ranges::find(kNames, cell.matrix) != std::end(kNames);
}

std::vector<CellRef> operands(const Problem& problem, const Explanation& e) {
  std::vector<CellRef> cells;
  const auto add = [&cells](const CellRef& cell) {
    if (!stands_nowhere(cell)) cells.push_back(cell);
  };
  for (const auto& term : e.terms) {
    add(term.a.cell);
    if (term.b) add(term.b->cell);
  }
  if (e.layer_norm && !problem.parameters.gamma.empty()) add({"gamma", 0, 0, e.col});
  if (e.layer_norm && !problem.parameters.beta.empty()) add({"beta", 0, 0, e.col});
  const auto head = static_cast<std::size_t>(e.head);
  if (e.softmax && e.softmax->sink && !problem.parameters.heads[head].sink.empty())
    add(e.softmax->sink->cell);
  const bool query = e.stage == Stage::kNormedQ;
  const auto& factors = query ? problem.parameters.norm_Q : problem.parameters.norm_K;
  const bool values = e.stage == Stage::kNormedV;  // without factors, each head alone
  if (e.head_norm && !values && !factors.empty())
    add({query ? "norm_Q" : "norm_K", 0, 0, e.head_norm->weight_col});
  // The mean square is one of all heads.
  if (e.head_norm && !values && problem.config.head_norm_joint)
    for (Index other = 0; other < problem.config.n_heads; ++other) {
      CellRef cell = e.terms.front().a.cell;
      cell.head = other;
      add(cell);
    }
  return cells;
}

bool holds(const HighlightRegion& region, const CellRef& cell) {
  return region.matrix == cell.matrix && region.head == cell.head &&
         region.box.contains(cell.row, cell.col);
}

// Expects the sources of a cell to be the operands that its explanation names.
void expect_linked(const Problem& problem, const attention::Trace& trace, const CellRef& cell) {
  const Stage stage = *attention::stage_from_name(cell.matrix);
  const Explanation e = attention::explain(problem, trace, stage, cell.head, cell.row, cell.col);
  const HighlightRegions regions = source_regions(problem, cell);
  const auto cells = operands(problem, e);
  for (const CellRef& operand : cells) {
    EXPECT_TRUE(std::ranges::any_of(regions, [&](const auto& r) { return holds(r, operand); }))
        << cell.matrix << " " << cell.row << " " << cell.col << " needs " << operand.matrix;
  }
  for (const HighlightRegion& region : regions) {
    EXPECT_TRUE(std::ranges::any_of(cells, [&](const auto& c) { return holds(region, c); }))
        << cell.matrix << " " << cell.row << " " << cell.col << " lights " << region.matrix;
  }
}

TEST(Links, LightWhatTheArithmeticNamesInEveryStageOfEveryVariant) {
  std::size_t seen = 0;
  for (const Problem& problem : attention::test::problem_variants()) {
    attention::Evaluator evaluator;
    const auto& trace = evaluator.evaluate(problem);
    for (const Stage stage : attention::kAllStages) {
      const attention::Shape shape = stage_shape(problem, stage);
      seen += shape.rows > 0;
      const Index heads = is_per_head(stage) ? problem.config.n_heads : 1;
      for (Index head = 0; head < heads; ++head)
        for (Index i = 0; i < shape.rows; ++i)
          for (Index j = 0; j < shape.cols; ++j)
            expect_linked(problem, trace, {stage_name(stage), head, i, j});
    }
  }
  EXPECT_GT(seen, attention::kAllStages.size());
}

Problem plain() { return attention::test::problem_variants().front(); }

CellBlock highlight(const HighlightRegions& regions, std::string_view matrix) {
  const auto found = std::ranges::find(regions, matrix, &HighlightRegion::matrix);
  EXPECT_NE(found, regions.end()) << matrix;
  return found == regions.end() ? CellBlock{} : found->box;
}

TEST(Links, AScoreLightsItsQueryAndKeyRows) {
  const HighlightRegions regions = source_regions(plain(), {"scores", 1, 2, 4});
  EXPECT_EQ(highlight(regions, "Q"), (CellBlock{2, 0, 1, 4}));
  EXPECT_EQ(highlight(regions, "K"), (CellBlock{4, 0, 1, 4}));
}

TEST(Links, AWeightLightsItsWholeRowOfScores) {
  const HighlightRegions regions = source_regions(plain(), {"weights", 0, 3, 1});
  EXPECT_EQ(highlight(regions, "scaled_scores"), (CellBlock{3, 0, 1, 5}));
}

TEST(Links, AnOutputLightsItsConcatRowAndItsColumnOfWO) {
  const HighlightRegions regions = source_regions(plain(), {"output", 0, 3, 2});
  EXPECT_EQ(highlight(regions, "concat"), (CellBlock{3, 0, 1, 9}));
  EXPECT_EQ(highlight(regions, "W_O"), (CellBlock{0, 2, 9, 1}));
}

TEST(Links, AParameterLightsTheColumnItGoesInto) {
  const HighlightRegions regions = fed_regions(plain(), {"W_Q", 1, 5, 3});
  EXPECT_EQ(highlight(regions, "Q"), (CellBlock{0, 3, 5, 1}));
  EXPECT_EQ(regions.front().head, 1);
  EXPECT_TRUE(fed_regions(plain(), {"scores", 0, 0, 0}).empty());
}

}  // namespace
}  // namespace lab
