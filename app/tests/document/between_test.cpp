#include "app/document/commands/between.h"

#include <gmock/gmock.h>

#include <limits>

#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"
#include "app/tests/special_values.h"

namespace lab {
namespace {

using attention::Matrix;
using attention::Stage;
using samples::after;
using samples::file_document;
using samples::small_document;

TEST(Between, TheEndsAreTheStatesThemselves) {
  const Document from = small_document(), to = after(from, SetTemperature{3});
  EXPECT_TRUE(same_document(between(from, to, 0).value(), from));
  EXPECT_TRUE(same_document(between(from, to, 1).value(), to));
}

TEST(Between, EveryMatrixIsInterpolatedLinearly) {
  Document from = file_document();
  Document to = from;
  for (const MatrixId id :
       {MatrixId::kX, MatrixId::kWQ, MatrixId::kWK, MatrixId::kWV, MatrixId::kWO, MatrixId::kBQ,
        MatrixId::kBO, MatrixId::kGamma, MatrixId::kBeta, MatrixId::kNormQ, MatrixId::kScoreBias})
    to = after(to, SetCell{{id, 0}, 0, 1, 8});
  const Document there = between(from, to, 0.25).value();
  EXPECT_NO_THROW(attention::validate(there.problem));
  for (const MatrixId id :
       {MatrixId::kX, MatrixId::kWQ, MatrixId::kWK, MatrixId::kWV, MatrixId::kWO, MatrixId::kBQ,
        MatrixId::kBO, MatrixId::kGamma, MatrixId::kBeta, MatrixId::kNormQ, MatrixId::kScoreBias}) {
    const Matrix a = shown_numbers(from, {id, 0}), b = shown_numbers(to, {id, 0});
    EXPECT_NE(a, b) << matrix_name(id);
    EXPECT_TRUE(shown_numbers(there, {id, 0}).isApprox(0.75f * a + 0.25f * b)) << matrix_name(id);
  }
}

TEST(Between, EqualMatricesAreShared) {
  const Document from = small_document(), to = after(from, SetCell{{MatrixId::kWQ, 0}, 0, 0, 9});
  const Document there = between(from, to, 0.5).value();
  for (const MatrixId id : {MatrixId::kX, MatrixId::kWK, MatrixId::kWO})
    EXPECT_TRUE(matrix_of(there, {id, 0}).same_as(matrix_of(from, {id, 0}))) << matrix_name(id);
}

TEST(Between, NumbersOutsideMatricesAreInterpolatedToo) {
  const StageCell cell{Stage::kScores, 0, 0, 1};
  Document from = after(small_document(), SetOverride{cell, 2});
  Document to = after(small_document(), SetOverride{cell, 6});
  to = after(to, SetTemperature{3});
  to = after(to, SetHeadMix{0, {}, {}, 0.0f});
  const Document there = between(from, to, 0.5).value();
  EXPECT_FLOAT_EQ(there.problem.config.temperature, 2);
  EXPECT_FLOAT_EQ(there.problem.head_mix.at(0).scale, 0.5f);
  EXPECT_FLOAT_EQ(there.problem.overrides.at(0).value, 4);
}

// Between no cap and one there is no other: a small cap would be the opposite of none.
TEST(Between, ACapIsInterpolatedOnlyWithAnother) {
  const Document none = small_document(), from = after(none, SetScoreCap{20}),
                 to = after(none, SetScoreCap{40});
  EXPECT_FLOAT_EQ(between(from, to, 0.25)->problem.config.score_cap, 25);
  EXPECT_EQ(between(none, to, 0.25)->problem.config.score_cap, 0);
  EXPECT_EQ(between(none, to, 0.75)->problem.config.score_cap, 40);
}

TEST(Between, OtherValuesChangeHalfWay) {
  const Document from = small_document();
  Document to = after(from, SetMask{true, {}, {}});
  to = after(to, SetCell{{MatrixId::kScoreBias, 0}, 0, 0, -kInfinity});
  for (const double share : {0.1, 0.4, 0.6, 0.9}) {
    const Document there = between(from, to, share).value();
    EXPECT_EQ(there.problem.config.mask.causal, share > 0.5);
    EXPECT_EQ(shown_numbers(there, {MatrixId::kScoreBias, 0})(0, 0), share > 0.5 ? -kInfinity : 0);
  }
}

TEST(Between, StatesOfDifferentShapesAreRefused) {
  const Document from = small_document();
  for (const Command& command :
       {Command{SetSize{SizeId::kDK, 7}}, Command{SetSize{SizeId::kHeads, 1}},
        Command{SetSentence{"one more word and another one than there were before"}},
        Command{SetKvSentence{"two sentences"}}}) {
    const auto there = between(from, after(from, command), 0.5);
    ASSERT_FALSE(there);
    EXPECT_EQ(there.error().type, ErrorType::kUsage);
  }
}

}  // namespace
}  // namespace lab
