// "What moves this?": the maps show derivatives of the number that is asked about.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "app/document/analysis/predictions.h"
#include "app/document/commands/reducer.h"
#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/model_screen.h"
#include "app/tests/view/screen.h"
#include "core/analysis/reference.h"
#include "core/layer/trace.h"

namespace lab {
namespace {

using attention::Matrix;
using attention::Problem;
using attention::Stage;
using testing::HasSubstr;

ViewState& state_of(Screen& screen) { return screen.view.state(); }

void select(Screen& screen, Stage stage, Cell cell) {
  select_cell(state_of(screen).selection, stage, cell);
  screen.frames(2);
}

// The sentence has the keys at first.
void ask(Screen& screen) {
  screen.key(Key::kEscape);
  screen.frames();
  screen.key(Key::kW);
  screen.frames(2);
}

// What the map of a stage shows.
const Matrix& shown(Screen& screen, Stage stage, int head = 0) {
  return *screen.view.sensitivity().stage(screen.document().problem, stage, head);
}

const Matrix& shown(Screen& screen, MatrixId id, int head = 0) {
  return *screen.view.sensitivity().matrix(screen.document().problem, id, head);
}

// The number of the cell after a cell of a matrix was edited by so much, in double precision.
double after(const Document& document, MatrixRef ref, Cell cell, float by,
             const attention::CellRef& asked) {
  const float now = (*matrix_of(document, ref))(cell.row, cell.col);
  const auto edited = apply(
      document, SetCell{ref, static_cast<int>(cell.row), static_cast<int>(cell.col), now + by});
  const auto trace = reference_trace(edited->problem);
  const Stage stage = *attention::stage_from_name(asked.matrix);
  return stage_matrix(trace, stage, asked.head)(asked.row, asked.col);
}

double difference(const Document& document, MatrixRef ref, Cell cell,
                  const attention::CellRef& asked) {
  constexpr float kBy = 0.0078125f;
  return (after(document, ref, cell, kBy, asked) - after(document, ref, cell, -kBy, asked)) /
         (2 * double{kBy});
}

TEST(Sensitivity, EveryShownNumberIsTheDifferenceThatAnEditMakes) {
  Screen screen(*open_document("refer"));
  select(screen, Stage::kWeights, {7, 1});
  ask(screen);
  screen.frames();
  EXPECT_TRUE(screen.shows("moves/question"));
  const attention::CellRef asked{"weights", 0, 7, 1};
  for (const MatrixId id : {MatrixId::kWQ, MatrixId::kWK}) {
    const Matrix& sensitivity = shown(screen, id);
    for (attention::Index i = 0; i < sensitivity.rows(); ++i)
      for (attention::Index j = 0; j < sensitivity.cols(); ++j)
        EXPECT_NEAR(sensitivity(i, j), difference(screen.document(), {id, 0}, {i, j}, asked), 2e-4)
            << matrix_name(id) << " " << i << " " << j;
  }
  EXPECT_NEAR(shown(screen, MatrixId::kX)(1, 1),
              difference(screen.document(), {MatrixId::kX, 0}, {1, 1}, asked), 2e-3);
  EXPECT_EQ(shown(screen, Stage::kOutput).norm(), 0) << "what comes later does not move it";
  EXPECT_EQ(shown(screen, Stage::kWeights, 1).norm(), 0) << "nor another head";
}

TEST(Sensitivity, AnAbsentScoreBiasMovesTheScoresOfAllHeads) {
  Screen screen(*open_document("refer"));
  select(screen, Stage::kOutput, {7, 0});
  ask(screen);
  screen.frames();
  const Document& document = screen.document();
  ASSERT_TRUE(document.problem.bias.empty());
  const auto output = [&](float bias) {
    const auto edited = apply(document, SetCell{{MatrixId::kScoreBias, 0}, 7, 1, bias});
    return reference_trace(edited->problem).output(7, 0);
  };
  EXPECT_NEAR(shown(screen, MatrixId::kScoreBias)(7, 1),
              (output(0.0078125f) - output(-0.0078125f)) / 0.015625, 2e-4);
}

TEST(Sensitivity, FollowsTheSelectionUnlessItIsHeld) {
  Screen screen(*open_document("refer"));
  select(screen, Stage::kWeights, {7, 1});
  ask(screen);
  select(screen, Stage::kScores, {7, 5});
  EXPECT_EQ(shown(screen, Stage::kScores)(7, 5), 1);
  select(screen, Stage::kX, {3, 2});
  EXPECT_EQ(shown(screen, Stage::kScores)(7, 5), 1) << "an input is only looked at";
  EXPECT_TRUE(screen.shows("explain/moved_by"));
  screen.click("moves/hold");
  select(screen, Stage::kQ, {7, 0});
  EXPECT_EQ(shown(screen, Stage::kScores)(7, 5), 1);
  EXPECT_TRUE(screen.shows("explain/moved_by"));
  screen.click("moves/hold");
  screen.frames();
  EXPECT_EQ(shown(screen, Stage::kQ)(7, 0), 1);
  screen.key(Key::kEscape);
  screen.frames();
  EXPECT_FALSE(screen.shows("moves/question"));
  EXPECT_FALSE(screen.shows("panel/movers"));
}

TEST(Sensitivity, IsLiveWhileANumberIsDraggedAndCostsNothingOtherwise) {
  Screen screen(*open_document("refer"));
  select(screen, Stage::kWeights, {7, 1});
  ask(screen);
  screen.frames(2);
  const auto number = screen.view.sensitivity().number();
  const auto uploads = screen.sink.uploads();
  screen.frames(5);
  EXPECT_EQ(screen.view.sensitivity().number(), number);
  EXPECT_EQ(screen.sink.uploads(), uploads);
  const Matrix before = shown(screen, MatrixId::kWK);
  screen.drag("matrix/W_Q/5/2", {0, -30});
  screen.frames();
  EXPECT_GT(screen.view.sensitivity().number(), number);
  EXPECT_NE(shown(screen, MatrixId::kWK), before);
  EXPECT_NE(screen.cell(kWQ1, 5, 2), 0) << "and the number itself was edited";
}

TEST(Sensitivity, AListLeadsToTheNumbersThatMatterMost) {
  Screen screen(*open_document("refer"));
  select(screen, Stage::kOutput, {7, 0});
  ask(screen);
  screen.frames(2);
  const std::vector<attention::Sensitivity> contributors = screen.view.sensitivity().strongest();
  ASSERT_EQ(contributors.size(), 10U);
  for (std::size_t i = 0; i < contributors.size(); ++i) {
    const attention::Sensitivity& contributor = contributors[i];
    const int head = state_of(screen).head;
    screen.click("movers/" + std::to_string(i + 1));
    screen.frames(2);
    EXPECT_EQ(state_of(screen).edit.matrix, contributor.matrix);
    EXPECT_EQ(state_of(screen).edit.cursor, (Cell{contributor.row, contributor.col}));
    EXPECT_EQ(state_of(screen).head, is_per_head(contributor.matrix) ? contributor.head : head);
    EXPECT_EQ(shown(screen, Stage::kOutput)(7, 0), 1) << "the question stays";
  }
}

TEST(Sensitivity, WhatNothingMovesIsSaid) {
  Screen screen(*open_document("refer"));
  const auto problem = [&] { return screen.view.sensitivity().problem; };
  select(screen, Stage::kX, {0, 0});
  ask(screen);
  screen.frames();
  EXPECT_THAT(problem(), HasSubstr("is an input"));
  EXPECT_TRUE(screen.shows("moves/problem"));
  EXPECT_TRUE(screen.shows("stage/weights")) << "the numbers, to select another one";
  screen.workspace.queue(intent::Apply{SetMask{true}});
  screen.workspace.drain();
  select(screen, Stage::kMaskedScores, {0, 3});
  EXPECT_THAT(problem(), HasSubstr("is −∞"));
  screen.workspace.queue(intent::Apply{SetOverride{{Stage::kQ, 0, 1, 1}, 2.0f}});
  screen.workspace.drain();
  select(screen, Stage::kQ, {1, 1});
  EXPECT_THAT(problem(), HasSubstr("put there by hand"));
  EXPECT_FALSE(screen.view.sensitivity().any());
  select(screen, Stage::kWeights, {3, 1});
  EXPECT_EQ(problem(), "");
  EXPECT_TRUE(screen.view.sensitivity().any());
}

TEST(Sensitivity, SurvivesAnotherSentenceAndSize) {
  Screen screen(*open_document("refer"));
  select(screen, Stage::kWeights, {10, 10});
  ask(screen);
  for (const Command& command :
       {Command{SetSentence{"two words"}}, Command{SetSize{SizeId::kDModel, 5}},
        Command{SetBiases{true}}, Command{SetKvSentence{"one more"}}}) {
    screen.workspace.queue(intent::Apply{command});
    screen.workspace.drain();
    screen.frames(2);
    EXPECT_TRUE(screen.view.sensitivity().any());
    EXPECT_EQ(shown(screen, Stage::kQ).rows(), screen.document().problem.seq_len());
  }
}

// The logit of the answer when the head is multiplied by `gain`.
float logit_with(const ModelDocument& model, const HeadRef& head, float gain,
                 const attention::network::Answer& answer) {
  ModelDocument edited = model;
  edited.interventions.gains = {{.at = head.at, .head = head.head, .gain = gain}};
  attention::network::NetworkEvaluator evaluator;
  evaluator.evaluate(edited.network, tokens_of(edited), edited.interventions);
  const auto logits = logits_of_row({edited, evaluator.trace(), evaluator.pool()}, answer.row);
  return logit_of(answer, *logits);
}

TEST(Sensitivity, TheHeadsOfAModelAreRankedByWhatTheirGainDoes) {
  ModelScreen screen;
  screen.settle();
  ask(screen);
  screen.settle();
  const ModelGradient& gradient = *screen.numbers().gradient.value;
  const attention::network::Answer answer = screen.numbers().answer.value->answer();
  const HeadMap& map = gradient.heads.front();
  for (attention::Index layer = 0; layer < map.values.rows(); ++layer) {
    for (attention::Index head = 0; head < map.values.cols(); ++head) {
      const HeadRef place{{map.sublayer, layer}, head};
      const float moved = (logit_with(screen.model(), place, 1.03125f, answer) -
                           logit_with(screen.model(), place, 0.96875f, answer)) /
                          0.0625f;
      EXPECT_NEAR(map.values(layer, head), moved, 0.01 + 0.02 * std::abs(moved));
    }
  }
}

TEST(Sensitivity, OfAModelIsAboutItsAnswer) {
  ModelScreen screen;
  screen.settle();
  ask(screen);
  screen.settle();
  const auto& value = screen.numbers().gradient.value;
  ASSERT_NE(value, nullptr);
  EXPECT_TRUE(screen.view.sensitivity().any());
  EXPECT_TRUE(screen.shows("movers/heads/1"));
  EXPECT_TRUE(screen.shows("movers/tokens/1"));
  screen.click("movers/tiles");
  EXPECT_EQ(state_of(screen).model.tiles, TileView::kSensitivity);
  screen.click("movers/numbers/1");
  screen.settle();
  const WeightSensitivity& first = value->numbers.front();
  EXPECT_EQ(screen.at(), first.at);
  EXPECT_EQ(state_of(screen).edit.matrix, first.number.matrix);
  EXPECT_EQ(state_of(screen).edit.cursor, (Cell{first.number.row, first.number.col}));
  EXPECT_EQ(shown(screen, first.number.matrix, static_cast<int>(first.number.head))(
                first.number.row, first.number.col),
            first.number.derivative);
}

TEST(Sensitivity, OfAModelCanBeAboutACell) {
  ModelScreen screen;
  screen.settle();
  screen.click("explain/moves");
  screen.settle();
  const Selection& selected = state_of(screen).selection;
  EXPECT_EQ(shown(screen, Stage::kWeights, state_of(screen).head)(selected.query, selected.key), 1);
  screen.click("moves/answer");
  screen.settle();
  EXPECT_NE(shown(screen, Stage::kWeights, state_of(screen).head)(selected.query, selected.key), 1);
}

}  // namespace
}  // namespace lab
