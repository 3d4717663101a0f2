#include "app/figure/compose/range.h"
#include "app/tests/rooms.h"
#include "app/tests/special_values.h"

#include <gmock/gmock.h>

#include <limits>

namespace lab {
namespace {

using attention::Matrix;
using attention::Stage;

Matrix row(std::initializer_list<float> values) {
  Matrix m(1, static_cast<attention::Index>(values.size()));
  attention::Index j = 0;
  for (const float value : values) m(0, j++) = value;
  return m;
}

TEST(AutomaticRange, IsSymmetricAboutZeroForSignedStages) {
  EXPECT_EQ(automatic_range(Stage::kScores, row({-3, 1, 2})), (Range{-3, 3}));
  EXPECT_EQ(automatic_range(Stage::kOutput, row({0.5f, 0.25f})), (Range{-0.5f, 0.5f}));
}

TEST(AutomaticRange, IsZeroToOneForWeightsUnlessAllAreSmall) {
  EXPECT_EQ(automatic_range(Stage::kWeights, row({0.1f, 0.5f})), (Range{0, 1}));
  EXPECT_EQ(automatic_range(Stage::kWeights, row({0.003f, 0.02f})), (Range{0, 0.02f}));
  EXPECT_EQ(automatic_range(Stage::kDroppedWeights, row({0.1f, 0})), (Range{0, 0.1f}));
  EXPECT_EQ(automatic_range(Stage::kDroppedWeights, row({1.25f, 0})), (Range{0, 1.25f}));
  for (const float nothing : {0.0f, kNaN})
    EXPECT_EQ(automatic_range(Stage::kWeights, row({nothing})), (Range{0, 1}));
}

TEST(WeightsDifferenceRange, IsMinusOneToOneUnlessAllAreSmall) {
  EXPECT_EQ(weights_difference_range(row({0.6f, -0.1f})), (Range{-1, 1}));
  EXPECT_EQ(weights_difference_range(row({0.001f, -0.004f})), (Range{-0.004f, 0.004f}));
  EXPECT_EQ(weights_difference_range(row({0})), (Range{-1, 1}));
}

TEST(Spread, GivesSmallNumbersMoreColours) {
  const Range linear{0, 1}, root{0, 1, Spread::kSquareRoot}, log{0, 1, Spread::kLogarithmic};
  for (const Range& range : {linear, root, log}) {
    EXPECT_EQ(share_of(range, 0), 0);
    EXPECT_EQ(share_of(range, 1), 1);
    EXPECT_EQ(share_of(range, 7), 1);
    EXPECT_EQ(share_of(range, -7), 0);
    EXPECT_EQ(share_of(range, kNaN), 0);
  }
  EXPECT_DOUBLE_EQ(share_of(root, 0.0625f), 0.25);
  EXPECT_NEAR(share_of(log, 0.001f), 0.1, 0.001) << "a tenth of the colours below a thousandth";
  EXPECT_NEAR(share_of(log, 0.1f) - share_of(log, 0.01f), 0.32, 0.01) << "a third for a decade";
  EXPECT_NEAR(share_of(log, 1.0f) - share_of(log, 0.1f), 0.33, 0.01);
}

TEST(Spread, TreatsBothSidesOfZeroAlike) {
  for (const Spread spread : all_spreads()) {
    const Range range{-4, 4, spread};
    EXPECT_DOUBLE_EQ(share_of(range, 0), 0.5);
    EXPECT_NEAR(share_of(range, 1) + share_of(range, -1), 1, 1e-12);
    const Range about_two = centred(Range{0, 3, spread}, 2);
    EXPECT_DOUBLE_EQ(share_of(about_two, 2), 0.5);
    EXPECT_EQ(about_two.spread, spread);
  }
}

TEST(Spread, TheNumberAtAShareHasThatShare) {
  for (const Spread spread : all_spreads())
    for (const Range& ends : {Range{0, 1}, Range{-3, 3}, Range{2, 50}, Range{-1, 7}, Range{-9, -1}})
      for (const double share : {0.0, 0.1, 0.5, 0.9, 1.0}) {
        const Range range{ends.lo, ends.hi, spread};
        EXPECT_NEAR(share_of(range, value_at(range, share)), share, 1e-5) << spread_name(spread);
      }
}

TEST(Spread, HasNamesThatReadBack) {
  for (const Spread spread : all_spreads())
    EXPECT_EQ(spread_from_name(spread_name(spread)), spread);
  EXPECT_FALSE(spread_from_name("cubic"));
}

TEST(AutomaticRange, LooksOnlyAtFiniteValues) {
  EXPECT_EQ(automatic_range(Stage::kMaskedScores, row({-kInfinity, 2, kNaN, kInfinity})),
            (Range{-2, 2}));
}

TEST(AutomaticRange, IsMinusOneToOneWhereThereIsNothingToScale) {
  EXPECT_EQ(automatic_range(Stage::kQ, row({0, -0.0f})), (Range{-1, 1}));
  EXPECT_EQ(automatic_range(Stage::kQ, row({kNaN, -kInfinity})), (Range{-1, 1}));
  EXPECT_EQ(automatic_range(Stage::kQ, Matrix(0, 0)), (Range{-1, 1}));
}

TEST(UnitedRange, HoldsBoth) {
  EXPECT_EQ(united({-1, 2}, {-3, 1}), (Range{-3, 2}));
  EXPECT_EQ(united({0, 1}, {0, 1}), (Range{0, 1}));
}

TEST(DefaultPalette, SuitsTheSign) {
  for (const Stage stage : attention::kAllStages)
    EXPECT_EQ(is_diverging(default_palette(stage)),
              stage != Stage::kWeights && stage != Stage::kDroppedWeights)
        << attention::stage_name(stage);
}

}  // namespace
}  // namespace lab
