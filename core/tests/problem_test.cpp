#include "core/problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

// The message of validate() for the plain variant after `change`.
std::string complaint(const std::function<void(Problem&)>& change) {
  return test::complaint(problem_variants()[0], change);
}

std::string complaint_of_config(const std::function<void(Config&)>& change) {
  return complaint([&](Problem& problem) { change(problem.config); });
}

TEST(Validate, AcceptsEveryVariant) {
  for (const Problem& problem : problem_variants()) EXPECT_NO_THROW(validate(problem));
}

TEST(Validate, NamesTheSizeItsValueAndItsLimits) {
  EXPECT_EQ(complaint_of_config([](Config& c) { c.d_k = 0; }), "d_k is 0, it must be 1 … 1024");
  EXPECT_EQ(complaint_of_config([](Config& c) { c.d_v = 1025; }),
            "d_v is 1025, it must be 1 … 1024");
  EXPECT_EQ(complaint_of_config([](Config& c) { c.n_heads = 65; }),
            "n_heads is 65, it must be 1 … 64");
  EXPECT_EQ(complaint_of_config([](Config& c) { c.d_model = -3; }),
            "d_model is -3, it must be 1 … 4096");
  EXPECT_EQ(complaint_of_config([](Config& c) { c.d_out = std::numeric_limits<int>::max(); }),
            "d_out is 2147483647, it must be 1 … 4096");
}

TEST(Validate, RequiresAPositiveTemperature) {
  EXPECT_EQ(complaint_of_config([](Config& c) { c.temperature = 0; }),
            "temperature is 0, it must be a positive number");
  for (const float bad : {-1.0f, std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN(), 1e-40f}) {
    EXPECT_NE(complaint_of_config([&](Config& c) { c.temperature = bad; }), "") << bad;
  }
}

TEST(Validate, CountsTheParametersBeforeTheyExist) {
  EXPECT_EQ(complaint_of_config([](Config& c) {
              c.d_model = c.d_out = 4096;
              c.n_heads = 64;
              c.d_k = c.d_v = 1024;
            }),
            "the weights have 1073741824 numbers together, they must have at most 67108864");
}

TEST(Validate, RequiresAtLeastOneToken) {
  EXPECT_EQ(complaint([](Problem& p) { p.embedding = {}; }), "seq_len is 0, it must be 1 … 2048");
  EXPECT_EQ(complaint([](Problem& p) { p.embedding_kv = SharedMatrix(Matrix(0, 6)); }),
            "kv_len is 0, it must be 1 … 2048");
}

TEST(Validate, LimitsTheTokensAndTheScores) {
  EXPECT_EQ(complaint([](Problem& p) { p.embedding = SharedMatrix(Matrix::Zero(2049, 6)); }),
            "seq_len is 2049, it must be 1 … 2048");
  EXPECT_EQ(complaint([](Problem& p) {
              p.embedding = SharedMatrix(Matrix::Zero(2048, 6));
              p.config.n_heads = 17;
            }),
            "n_heads · seq_len · kv_len is 71303168, it must be at most 67108864");
}

TEST(Validate, NamesTheMatrixAndBothShapes) {
  EXPECT_EQ(complaint([](Problem& p) { p.embedding = SharedMatrix(Matrix::Zero(5, 7)); }),
            "X is 5 × 7, it must be 5 × 6 (seq_len × d_model)");
  EXPECT_EQ(complaint([](Problem& p) { p.embedding_kv = SharedMatrix(Matrix::Zero(3, 5)); }),
            "X_kv is 3 × 5, it must be 3 × 6 (kv_len × d_model)");
  EXPECT_EQ(complaint([](Problem& p) { p.parameters.kv_heads[1].W_K = {}; }),
            "W_K of head_2 is 0 × 0, it must be 6 × 4 (d_model × d_k)");
  EXPECT_EQ(complaint([](Problem& p) {
              p.parameters.kv_heads[2].b_V = SharedMatrix(Matrix::Zero(3, 1));
            }),
            "b_V of head_3 is 3 × 1, it must be 1 × 3 (1 × d_v)");
  EXPECT_EQ(complaint([](Problem& p) { p.parameters.W_O = SharedMatrix(Matrix::Zero(3, 5)); }),
            "W_O is 3 × 5, it must be 9 × 5 (n_heads·d_v × d_out)");
  EXPECT_EQ(complaint([](Problem& p) { p.allowed = SharedMatrix(Matrix::Ones(5, 4)); }),
            "the mask is 5 × 4, it must be 5 × 5 (seq_len × kv_len)");
  EXPECT_EQ(complaint([](Problem& p) { p.bias = SharedMatrix(Matrix::Ones(1, 5)); }),
            "bias is 1 × 5, it must be 5 × 5 (seq_len × kv_len)");
}

TEST(Validate, CountsTheHeads) {
  EXPECT_EQ(complaint([](Problem& p) { p.parameters.heads.pop_back(); }),
            "there are query weights for 2 heads, n_heads is 3");
  EXPECT_EQ(complaint([](Problem& p) { p.parameters.kv_heads.pop_back(); }),
            "there are key and value weights for 2 heads, n_heads is 3");
  EXPECT_EQ(complaint_of_config([](Config& c) { c.n_kv_heads = 1; }),
            "there are key and value weights for 3 heads, n_kv_heads is 1");
  EXPECT_EQ(complaint([](Problem& p) { p.head_mix.resize(2); }),
            "there are mixes for 2 heads, n_heads is 3");
}

// The shape of every matrix is checked, not only of those named above.
TEST(Validate, RefusesEveryMatrixOfAWrongShape) {
  const auto refuses = [](const std::function<SharedMatrix&(Problem&)>& matrix) {
    const auto break_it = [&](Problem& p) { matrix(p) = SharedMatrix(Matrix::Zero(1, 77)); };
    return complaint(break_it).find("1 × 77") != std::string::npos;
  };
  EXPECT_TRUE(refuses([](Problem& p) -> SharedMatrix& { return p.parameters.heads[0].W_Q; }));
  EXPECT_TRUE(refuses([](Problem& p) -> SharedMatrix& { return p.parameters.kv_heads[2].W_V; }));
  EXPECT_TRUE(refuses([](Problem& p) -> SharedMatrix& { return p.parameters.heads[0].b_Q; }));
  EXPECT_TRUE(refuses([](Problem& p) -> SharedMatrix& { return p.parameters.heads[2].sink; }));
  EXPECT_TRUE(refuses([](Problem& p) -> SharedMatrix& { return p.parameters.kv_heads[0].b_K; }));
  EXPECT_TRUE(refuses([](Problem& p) -> SharedMatrix& { return p.parameters.b_O; }));
  EXPECT_TRUE(refuses([](Problem& p) -> SharedMatrix& { return p.parameters.gamma; }));
  EXPECT_TRUE(refuses([](Problem& p) -> SharedMatrix& { return p.parameters.beta; }));
  EXPECT_TRUE(refuses([](Problem& p) -> SharedMatrix& { return p.parameters.norm_Q; }));
}

TEST(SharedMatrix, CopiesShareUntilOneIsEdited) {
  const SharedMatrix original(Matrix::Ones(2, 2));
  SharedMatrix copy = original;
  EXPECT_TRUE(copy.same_as(original));
  copy.edit([](Matrix& values) { values(0, 0) = 5; });
  EXPECT_FALSE(copy.same_as(original));
  EXPECT_EQ((*original)(0, 0), 1.0f);
  EXPECT_EQ((*copy)(0, 0), 5.0f);
}

TEST(SharedMatrix, EqualNumbersMadeApartHaveTheirOwnVersions) {
  EXPECT_FALSE(SharedMatrix(Matrix::Ones(2, 2)).same_as(SharedMatrix(Matrix::Ones(2, 2))));
  EXPECT_TRUE(SharedMatrix().same_as(SharedMatrix()));
  EXPECT_TRUE(SharedMatrix().empty());
  EXPECT_EQ(SharedMatrix().shape(), (Shape{0, 0}));
  EXPECT_EQ(SharedMatrix().version(), 0u);
}

TEST(SharedMatrix, ReleaseGivesTheNumbersAndLeavesOtherHandlesAlone) {
  SharedMatrix only(Matrix::Ones(2, 2));
  const float* const storage = only->data();
  const Matrix moved = only.release();
  EXPECT_EQ(moved.data(), storage);
  EXPECT_TRUE(only.empty());
  SharedMatrix one(Matrix::Ones(2, 2));
  const SharedMatrix other = one;
  EXPECT_EQ(one.release(), Matrix::Ones(2, 2));
  EXPECT_EQ(*other, Matrix::Ones(2, 2));
  EXPECT_EQ(SharedMatrix().release().size(), 0);
}

// Few parameters can still give many values.
TEST(Validate, RefusesMoreNumbersThanTheBudgetBeforeAllocating) {
  Config config;
  config.n_heads = 64;
  config.d_k = config.d_v = 1024;
  PortableRandom random(1);
  const Problem problem = random_problem(config, 2048, 512, random);
  try {
    validate(problem);
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "the stages would hold 974217216 numbers together, they may hold at most "
                 "536870912");
  }
}

}  // namespace
}  // namespace attention::test
