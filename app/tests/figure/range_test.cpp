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

TEST(AutomaticRange, IsZeroToOneForWeightsWhateverTheyAre) {
  EXPECT_EQ(automatic_range(Stage::kWeights, row({0.1f, 0.2f})), (Range{0, 1}));
  EXPECT_EQ(automatic_range(Stage::kWeights, row({kNaN})), (Range{0, 1}));
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
