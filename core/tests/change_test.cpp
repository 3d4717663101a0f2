#include "core/layer/change.h"

#include <gtest/gtest.h>

#include <limits>

namespace attention::test {
namespace {

SharedMatrix numbered(Index rows, Index cols) {
  float next = 0;
  return SharedMatrix(Matrix::NullaryExpr(rows, cols, [&] { return next++; }));
}

TEST(Change, IsFoundByRowsAndByColumns) {
  const SharedMatrix before = numbered(6, 5);
  SharedMatrix now = before;
  EXPECT_TRUE(changed_rows(before, now).is_none());
  now.edit([](Matrix& m) { m(1, 3) = m(2, 1) = -1; });
  EXPECT_EQ(changed_rows(before, now), Change::rows(1, 2));
  EXPECT_EQ(changed_columns(before, now), Change::columns(1, 3));
}

TEST(Change, EveryPlaceIsFound) {
  const SharedMatrix before = numbered(4, 3);
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 3; ++j) {
      SharedMatrix now = before;
      now.edit([&](Matrix& m) { m(i, j) = -1; });
      EXPECT_EQ(changed_rows(before, now), Change::rows(i, 1));
      EXPECT_EQ(changed_columns(before, now), Change::columns(j, 1));
    }
  }
}

TEST(Change, EqualNumbersUnderAnotherVersionAreNone) {
  EXPECT_TRUE(changed_rows(numbered(2, 2), numbered(2, 2)).is_none());
  EXPECT_TRUE(changed_columns(numbered(2, 2), numbered(2, 2)).is_none());
}

TEST(Change, ComparesBits) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const SharedMatrix nans(Matrix::Constant(2, 2, nan));
  EXPECT_TRUE(changed_rows(nans, SharedMatrix(Matrix::Constant(2, 2, nan))).is_none());
  const SharedMatrix zero(Matrix::Zero(1, 2)), minus_zero(Matrix::Constant(1, 2, -0.0f));
  EXPECT_EQ(changed_columns(zero, minus_zero), Change::columns(0, 2));
}

TEST(Change, AnotherShapeIsAWholeChange) {
  EXPECT_TRUE(changed_rows(numbered(2, 2), numbered(2, 3)).is_whole());
  EXPECT_TRUE(changed_columns(SharedMatrix(), numbered(1, 1)).is_whole());
  EXPECT_TRUE(changed_rows(SharedMatrix(), SharedMatrix()).is_none());
}

TEST(Change, EitherSpansWhatLiesBetween) {
  EXPECT_EQ(either(Change::rows(1, 2), Change::rows(5, 1)), Change::rows(1, 5));
  EXPECT_EQ(either(Change::columns(4, 1), Change::columns(2, 1)), Change::columns(2, 3));
  EXPECT_EQ(either({}, Change::rows(2, 1)), Change::rows(2, 1));
  EXPECT_TRUE(either(Change::rows(1, 1), Change::columns(1, 1)).is_whole());
  EXPECT_TRUE(either(Change::whole(), Change::rows(1, 1)).is_whole());
}

TEST(Change, MostRowsAreTheWhole) {
  EXPECT_EQ(simplified(Change::rows(0, 2), {4, 9}), Change::rows(0, 2));
  EXPECT_TRUE(simplified(Change::rows(1, 3), {4, 9}).is_whole());
  EXPECT_TRUE(simplified(Change::columns(0, 1), {4, 1}).is_whole());
  EXPECT_TRUE(simplified({}, {4, 1}).is_none());
}

}  // namespace
}  // namespace attention::test
