// The numbers that the tiles of a trained model's heads show.
#include <gtest/gtest.h>

#include <cmath>

#include "app/document/analysis/answer_sweep.h"
#include "app/tests/view/model_screen.h"
#include "app/view/model/tile_numbers.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::network::NetworkEvaluator;

// What tile_numbers() needs besides the window.
struct TileReader {
  explicit TileReader(ModelScreen& shown) : screen(shown) {}

  std::optional<TileNumbers> read(TileView view) {
    Ui ui{screen.workspace,
          screen.view.state(),
          intents,
          theme_for(screen.view.state().theme),
          fonts,
          labels,
          lines,
          values,
          metrics,
          sensitivity,
          means,
          screen.sink,
          widgets,
          screen.desktop,
          jobs,
          trainer,
          preview,
          tiles,
          requested,
          screen.numbers(),
          screen.view.model_numbers().unedited(),
          {}};
    return tile_numbers(ui, view);
  }

  ModelScreen& screen;
  std::vector<Intent> intents;
  Fonts fonts{};
  LabelCache labels{screen.sink};
  BatchMeans means;
  TextLinesMemo lines;
  ValuesCache values{screen.sink};
  MetricsCache metrics;
  SensitivityMaps sensitivity;
  WidgetRegistry widgets;
  Jobs jobs;
  BackgroundTrainer trainer;
  FigurePreview preview{screen.sink};
  TileMaps tiles;
  AnalysisRequest requested;
};

// The view after a click on its button, which is there where there is room for it, once its numbers
// are known.
Matrix shown_numbers(ModelScreen& screen, TileView view) {
  const std::string button = "tiles/" + std::to_string(static_cast<int>(view));
  screen.settle();
  if (screen.shows(button)) screen.click(button);
  screen.view.state().model.tiles = view;
  screen.settle();
  const auto numbers = TileReader(screen).read(view);
  EXPECT_TRUE(numbers);
  if (!numbers) return {};
  EXPECT_EQ(numbers->error, "");
  EXPECT_EQ(numbers->progress, 1);
  for (const float value : numbers->values.reshaped()) {
    EXPECT_TRUE(std::isfinite(value));
    EXPECT_GE(value, numbers->range.lo);
    EXPECT_LE(value, numbers->range.hi);
  }
  return numbers->values;
}

Matrix labels_of(const ModelDocument& model, float attention::network::HeadScores::*score) {
  Matrix values = Matrix::Zero(2, 4);
  for (const LabelledHead& head : labelled_heads(model, 1).heads)
    values(head.at.at.layer, head.at.head) = head.scores.*score;
  return values;
}

TEST(TileViews, GiveTheNumbersOfTheFunctions) {
  using attention::network::HeadScores;
  ModelScreen screen;
  screen.settle();
  const ModelDocument& model = screen.model();
  NetworkEvaluator fresh;
  const auto trace = fresh.evaluate(model.network, tokens_of(model));
  const auto answer = screen.numbers().answer.value->answer();
  EXPECT_EQ(shown_numbers(screen, TileView::kEffect),
            knock_out_map(model.network, tokens_of(model), {}, answer, 1));
  EXPECT_EQ(shown_numbers(screen, TileView::kWritten),
            attribute_logit(model.network, trace, {}, answer, fresh.pool()).heads);
  EXPECT_EQ(shown_numbers(screen, TileView::kPrevious), labels_of(model, &HeadScores::previous));
  EXPECT_EQ(shown_numbers(screen, TileView::kInduction), labels_of(model, &HeadScores::induction));
  EXPECT_EQ(shown_numbers(screen, TileView::kDuplicate), labels_of(model, &HeadScores::duplicate));
  EXPECT_EQ(shown_numbers(screen, TileView::kFirst), labels_of(model, &HeadScores::first));
  const Matrix entropies = shown_numbers(screen, TileView::kEntropy);
  ASSERT_EQ(entropies.rows(), 2);
  for (Index layer = 0; layer < 2; ++layer)
    for (Index head = 0; head < 4; ++head) {
      const Matrix weights = trace.stack.head_weights(layer, head);
      double entropy = 0;  // −Σ p ln p of a row, on average
      for (const float p : weights.reshaped())
        if (p > 0) entropy -= static_cast<double>(p) * std::log(static_cast<double>(p));
      EXPECT_NEAR(entropies(layer, head), entropy / static_cast<double>(weights.rows()), 1e-5);
    }
  screen.click("tiles/0");
  screen.settle();
  EXPECT_FALSE(TileReader(screen).read(TileView::kAttention));
}

TEST(TileViews, FindTheInductionHead) {
  ModelScreen screen;
  const Matrix induction = shown_numbers(screen, TileView::kInduction);
  Index layer = 0, head = 0;
  EXPECT_GT(induction.maxCoeff(&layer, &head), 0.8f);
  EXPECT_EQ(layer, 1);
  EXPECT_EQ(head, 3);
}

TEST(TileViews, FollowWhatIsMuted) {
  ModelScreen screen;
  screen.settle();
  const Matrix before = shown_numbers(screen, TileView::kEffect);
  screen.click("tile/1/3");
  screen.key(Key::kM);
  const Matrix after = shown_numbers(screen, TileView::kEffect);
  EXPECT_NE(before(1, 3), 0);
  EXPECT_NEAR(after(1, 3), 0, 1e-6) << "what is muted already has no effect";
}

}  // namespace
}  // namespace lab
