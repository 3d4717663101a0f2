#include "core/shared_matrix.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace attention::test {
namespace {

TEST(SharedMatrix, CopiesShareNumbersAndVersion) {
  const SharedMatrix a(Matrix::Ones(2, 3));
  const SharedMatrix b = a;
  EXPECT_EQ(a->data(), b->data());
  EXPECT_TRUE(a.same_as(b));
  EXPECT_FALSE(a.same_as(SharedMatrix(Matrix::Ones(2, 3))));
}

TEST(SharedMatrix, AnEditLeavesOtherHandles) {
  SharedMatrix a(Matrix::Ones(1, 2));
  const SharedMatrix b = a;
  a.edit([](Matrix& m) { m(0, 1) = 5; });
  EXPECT_EQ(*b, Matrix::Ones(1, 2));
  EXPECT_EQ((*a)(0, 1), 5);
  EXPECT_FALSE(a.same_as(b));
}

TEST(SharedMatrix, EmptyHandlesAreTheSame) {
  EXPECT_TRUE(SharedMatrix().same_as(SharedMatrix()));
  EXPECT_TRUE(SharedMatrix().empty());
  EXPECT_EQ(SharedMatrix().shape(), Shape{});
}

// An empty handle that kept its version would be mistaken for the numbers it no longer holds.
TEST(SharedMatrix, AMovedFromHandleIsEmptyWithVersionZero) {
  SharedMatrix a(Matrix::Ones(2, 3));
  const std::uint64_t version = a.version();
  SharedMatrix b = std::move(a);
  EXPECT_EQ(b.version(), version);
  EXPECT_TRUE(a.same_as(SharedMatrix()));  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(a.version(), 0u);
  EXPECT_TRUE(a.empty());
  a = std::move(b);
  EXPECT_EQ(a.version(), version);
  EXPECT_EQ(b.version(), 0u);  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(b.empty());
  EXPECT_EQ(b.shape(), Shape{});
}

TEST(SharedMatrix, TheOnlyHandleGivesItsStorageAway) {
  SharedMatrix a(Matrix::Ones(4, 4));
  const float* const storage = a->data();
  EXPECT_EQ(a.release().data(), storage);
  EXPECT_TRUE(a.empty());
  EXPECT_TRUE(a.same_as(SharedMatrix()));
}

TEST(SharedMatrix, AHandleThatIsNotTheOnlyOneGivesACopy) {
  SharedMatrix a(Matrix::Ones(4, 4));
  const SharedMatrix b = a;
  const Matrix copy = a.release();
  EXPECT_NE(copy.data(), b->data());
  EXPECT_EQ(copy, *b);
}

TEST(SharedMatrix, RecyclesOnlyStorageOfTheSameShape) {
  SharedMatrix a(Matrix::Ones(4, 4));
  const float* const storage = a->data();
  EXPECT_EQ(a.recycle({4, 4}).data(), storage);
  SharedMatrix b(Matrix::Ones(4, 4));
  const Matrix other = b.recycle({2, 8});
  EXPECT_EQ(other.rows(), 2);
  EXPECT_EQ(other.cols(), 8);
  EXPECT_TRUE(b.empty());
}

TEST(SharedMatrix, VersionsAreUniqueAcrossThreads) {
  constexpr int kEach = 10'000;
  std::vector<std::vector<std::uint64_t>> found(4);
  {
    std::vector<std::jthread> threads;
    for (auto& versions : found) {
      threads.emplace_back([&versions] {
        for (int i = 0; i < kEach; ++i) versions.push_back(SharedMatrix(Matrix()).version());
      });
    }
  }
  std::set<std::uint64_t> all{0};
  for (const auto& versions : found) all.insert(versions.begin(), versions.end());
  EXPECT_EQ(all.size(), 4u * kEach + 1);
}

}  // namespace
}  // namespace attention::test
