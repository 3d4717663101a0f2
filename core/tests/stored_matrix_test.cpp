#include "core/network/stored_matrix.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "core/tests/matrix_compare.h"

namespace attention::test {
namespace {

using network::ComputedRows;
using network::StoredMatrix;

constexpr Index kColumns = 7;

// The number at row i and column j is 10 i + j.
class Numbered : public ComputedRows {
 public:
  void read(Index row, Index first, Index count, float* to) const override {
    ASSERT_LE(first + count, kColumns);
    for (Index j = 0; j < count; ++j) to[j] = static_cast<float>(10 * row + first + j);
  }
};

TEST(StoredMatrix, OfComputedNumbersIsReadLikeAnyOther) {
  Matrix numbers(5, kColumns);
  for (Index i = 0; i < numbers.rows(); ++i) Numbered().read(i, 0, kColumns, numbers.row(i).data());
  const StoredMatrix stored{SharedMatrix(numbers)};
  const StoredMatrix computed(std::make_shared<Numbered>(), Shape{5, kColumns});
  EXPECT_TRUE(all_identical(computed.values(), numbers));
  EXPECT_TRUE(all_identical(computed.transposed().values(), numbers.transpose()));
  for (Index first = 0; first < 3; ++first) {
    const auto part = [&](const StoredMatrix& all) {
      return all.columns(first, 4).row_range(1, 3).transposed().columns(first, 1).columns(0, 1);
    };
    EXPECT_TRUE(all_identical(part(computed).values(), part(stored).values())) << first;
  }
  EXPECT_EQ(computed.columns(1, 3).columns(1, 2), computed.columns(2, 2));
  EXPECT_NE(computed, StoredMatrix(std::make_shared<Numbered>(), {5, kColumns}));
  EXPECT_EQ(computed.in_place(), nullptr);
  EXPECT_THROW(computed.columns(4, 4), std::out_of_range);
  EXPECT_EQ(computed.columns(7, 0).values().size(), 0);
}

}  // namespace
}  // namespace attention::test
