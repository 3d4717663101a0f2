#include "core/layer/head_build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/tests/matrix_compare.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// d_k and d_v that do not split d_model, and two heads for each key and value head.
Config grouped_config() {
  Config config;
  config.d_model = 8;
  config.n_heads = 4;
  config.n_kv_heads = 2;
  config.d_k = 3;
  config.d_v = 5;
  config.d_out = 7;
  return config;
}

// With every bias, and the weights of every norm.
Parameters parameters_of(Config config) {
  PortableRandom random(81);
  config.layer_norm = config.head_norm = config.sink = true;
  Problem problem = random_problem(config, 2, 0, random);
  add_biases(problem, random);
  return problem.parameters;
}

TEST(Join, PutsTheHeadsSideBySide) {
  const Config config = grouped_config();
  const Parameters parameters = parameters_of(config);
  const JoinedParameters joined = join(parameters, config);
  EXPECT_EQ(joined.W_Q.shape(), (Shape{8, 12}));
  EXPECT_EQ(joined.W_K.shape(), (Shape{8, 6}));
  EXPECT_EQ(joined.W_V.shape(), (Shape{8, 10}));
  EXPECT_EQ(joined.b_Q.shape(), (Shape{1, 12}));
  EXPECT_EQ(joined.sink.shape(), (Shape{1, 4}));
  EXPECT_EQ((*joined.sink)(0, 2), (*parameters.heads[2].sink)(0, 0));
  EXPECT_EQ(joined.b_K.shape(), (Shape{1, 6}));
  EXPECT_EQ(joined.b_V.shape(), (Shape{1, 10}));
  EXPECT_EQ((*joined.W_Q)(6, 3 * 2 + 1), (*parameters.heads[2].W_Q)(6, 1));
  EXPECT_EQ((*joined.W_V)(6, 5 * 1 + 4), (*parameters.kv_heads[1].W_V)(6, 4));
  EXPECT_EQ((*joined.b_K)(0, 3 * 1 + 2), (*parameters.kv_heads[1].b_K)(0, 2));
}

TEST(Join, KeepsTheOtherHandles) {
  const Parameters parameters = parameters_of(grouped_config());
  const JoinedParameters joined = join(parameters, grouped_config());
  const Parameters back = split(joined, grouped_config());
  for (const auto& [one, two] : {std::pair(joined.W_O, back.W_O),
                                 {joined.b_O, back.b_O},
                                 {joined.gamma, back.gamma},
                                 {joined.beta, back.beta},
                                 {joined.norm_Q, back.norm_Q},
                                 {joined.norm_K, back.norm_K}}) {
    EXPECT_TRUE(one.same_as(two));
  }
  EXPECT_TRUE(joined.W_O.same_as(parameters.W_O));
  EXPECT_TRUE(joined.beta.same_as(parameters.beta));
  EXPECT_TRUE(joined.norm_Q.same_as(parameters.norm_Q));
  EXPECT_FALSE(joined.norm_K.same_as(parameters.norm_Q));
}

void expect_identical(const Parameters& found, const Parameters& expected) {
  ASSERT_EQ(found.heads.size(), expected.heads.size());
  ASSERT_EQ(found.kv_heads.size(), expected.kv_heads.size());
  for (size_t h = 0; h < expected.heads.size(); ++h) {
    EXPECT_TRUE(all_identical(*found.heads[h].W_Q, *expected.heads[h].W_Q));
    EXPECT_TRUE(all_identical(*found.heads[h].b_Q, *expected.heads[h].b_Q));
    EXPECT_TRUE(all_identical(*found.heads[h].sink, *expected.heads[h].sink));
  }
  for (size_t h = 0; h < expected.kv_heads.size(); ++h) {
    const KeyValueParameters &a = found.kv_heads[h], &b = expected.kv_heads[h];
    EXPECT_TRUE(all_identical(*a.W_K, *b.W_K));
    EXPECT_TRUE(all_identical(*a.W_V, *b.W_V));
    EXPECT_TRUE(all_identical(*a.b_K, *b.b_K));
    EXPECT_TRUE(all_identical(*a.b_V, *b.b_V));
  }
}

TEST(Split, IsTheInverseOfJoinBitForBit) {
  for (const int n_kv_heads : {0, 1, 2, 4}) {
    Config config = grouped_config();
    config.n_kv_heads = n_kv_heads;
    Parameters parameters = parameters_of(config);
    parameters.heads[1].W_Q.edit([](Matrix& W) { W.row(0) << -0.0f, 1e-45f, NAN; });
    expect_identical(split(join(parameters, config), config), parameters);
  }
}

TEST(Split, IsTheInverseOfJoinForEveryVariant) {
  for (const Problem& problem : problem_variants()) {
    const Parameters back = split(join(problem.parameters, problem.config), problem.config);
    expect_identical(back, problem.parameters);
  }
}

TEST(Join, OfNoBiasesHasNone) {
  PortableRandom random(82);
  const Parameters parameters = random_problem(grouped_config(), 2, 0, random).parameters;
  const JoinedParameters joined = join(parameters, grouped_config());
  EXPECT_TRUE(joined.b_Q.empty());
  EXPECT_TRUE(joined.b_K.empty());
  EXPECT_TRUE(joined.b_V.empty());
  EXPECT_TRUE(split(joined, grouped_config()).heads[3].b_Q.empty());
}

TEST(Join, OfSomeBiasesHasZerosForTheOthers) {
  Parameters parameters = parameters_of(grouped_config());
  parameters.heads[1].b_Q = {};
  const Matrix b_Q = *join(parameters, grouped_config()).b_Q;
  EXPECT_TRUE(all_identical(b_Q.middleCols(0, 3), *parameters.heads[0].b_Q));
  EXPECT_TRUE(all_identical(b_Q.middleCols(3, 3), Matrix::Zero(1, 3)));
  EXPECT_TRUE(all_identical(b_Q.middleCols(6, 3), *parameters.heads[2].b_Q));
}

template <typename Call>
void expect_refused(Call call, const std::string& message) {
  EXPECT_THAT(call, ThrowsMessage<std::invalid_argument>(HasSubstr(message)));
}

TEST(Join, RefusesWhatDoesNotFit) {
  const Config config = grouped_config();
  Parameters parameters = parameters_of(config);
  parameters.heads[2].W_Q = SharedMatrix(Matrix::Zero(8, 4));
  expect_refused([&] { join(parameters, config); }, "W_Q of head_3 is 8 × 4, it must be 8 × 3");
  parameters = parameters_of(config);
  parameters.kv_heads[1].b_V = SharedMatrix(Matrix::Zero(2, 5));
  expect_refused([&] { join(parameters, config); },
                 "b_V of key and value head_2 is 2 × 5, it must be 1 × 5");
  parameters = parameters_of(config);
  parameters.kv_heads[0].W_K = {};
  expect_refused([&] { join(parameters, config); },
                 "W_K of key and value head_1 is 0 × 0, it must be 8 × 3");
  parameters = parameters_of(config);
  parameters.heads.pop_back();
  expect_refused([&] { join(parameters, config); },
                 "there are query weights for 3 heads, n_heads is 4");
  parameters = parameters_of(config);
  parameters.kv_heads.pop_back();
  expect_refused([&] { join(parameters, config); },
                 "there are key and value weights for 1 heads, n_kv_heads is 2");
}

TEST(Split, RefusesWhatDoesNotFit) {
  const Config config = grouped_config();
  JoinedParameters joined = join(parameters_of(config), config);
  joined.W_V = SharedMatrix(Matrix::Zero(8, 20));
  expect_refused([&] { split(joined, config); }, "W_V is 8 × 20, it must be 8 × 10");
  joined = join(parameters_of(config), config);
  joined.b_Q = SharedMatrix(Matrix::Zero(1, 11));
  expect_refused([&] { split(joined, config); }, "b_Q is 1 × 11, it must be 1 × 12");
  joined.b_Q = joined.W_Q = {};
  expect_refused([&] { split(joined, config); }, "W_Q is 0 × 0, it must be 8 × 12");
}

// Impossible sizes are refused before anything is counted or split with them.
TEST(JoinAndSplit, RefuseImpossibleSizes) {
  const JoinedParameters joined = join(parameters_of(grouped_config()), grouped_config());
  for (const int n_kv_heads : {-1, 3, 8}) {
    Config config = grouped_config();
    config.n_kv_heads = n_kv_heads;
    const std::string message = "n_kv_heads is " + std::to_string(n_kv_heads);
    expect_refused([&] { split(joined, config); }, message);
    expect_refused([&] { join(parameters_of(grouped_config()), config); }, message);
  }
  for (const int n_heads : {0, -4}) {
    Config config = grouped_config();
    config.n_heads = n_heads;
    expect_refused([&] { split(joined, config); }, "n_heads is " + std::to_string(n_heads));
    expect_refused([&] { join(Parameters(), config); }, "n_heads is " + std::to_string(n_heads));
  }
}

TEST(CanSplit, WhereTheHeadsMakeUpTheWidth) {
  Config config;
  config.d_model = 12;
  config.n_heads = 3;
  config.d_k = config.d_v = 4;
  EXPECT_TRUE(can_split(config));
  config.d_v = 3;
  EXPECT_FALSE(can_split(config));
  config.d_v = 4;
  config.d_k = 5;
  EXPECT_FALSE(can_split(config));
}

// 8 · 536870913 is 8 more than 2³².
TEST(CanSplit, NotWhereTheSizesAreImpossible) {
  Config config;
  config.d_model = 8;
  config.n_heads = 8;
  config.d_k = config.d_v = 536870913;
  EXPECT_FALSE(can_split(config));
  config.n_heads = -2;
  config.d_k = config.d_v = -4;
  EXPECT_FALSE(can_split(config));
  config.n_heads = 0;
  EXPECT_FALSE(can_split(config));
}

TEST(SplitConfig, NeedsAtLeastOneHead) {
  Config config = grouped_config();
  for (const int n_heads : {0, -2, std::numeric_limits<int>::min()}) {
    config.n_heads = n_heads;
    EXPECT_FALSE(split_config(config)) << n_heads;
    EXPECT_FALSE(compare_builds(config).split) << n_heads;
  }
}

TEST(SplitConfig, DividesTheWidthAmongTheHeads) {
  const auto split = split_config(grouped_config());
  ASSERT_TRUE(split);
  EXPECT_EQ(split->d_k, 2);
  EXPECT_EQ(split->d_v, 2);
  EXPECT_EQ(split->head_build, HeadBuild::kSplit);
  EXPECT_TRUE(can_split(*split));
  EXPECT_NO_THROW(validate(*split));
  Config odd = grouped_config();
  odd.n_heads = 3;
  EXPECT_FALSE(split_config(odd));
}

TEST(ParameterCounts, CountEveryMatrix) {
  Config config = grouped_config();
  EXPECT_EQ(
      parameter_counts(config),
      (ParameterCounts{
          .W_Q = 96, .W_K = 48, .W_V = 80, .W_O = 140, .b_Q = 12, .b_K = 6, .b_V = 10, .b_O = 7}));
  EXPECT_EQ(parameter_counts(config).total(), 399);
  config.biases = false;
  EXPECT_EQ(parameter_counts(config).total(), 364);
  config.layer_norm = true;
  EXPECT_EQ(parameter_counts(config).gamma, 7);
  EXPECT_EQ(parameter_counts(config).total(), 378);
  config.head_norm = true;
  EXPECT_EQ(parameter_counts(config).total(), 378 + 2 * 3);
  config.sink = true;
  EXPECT_EQ(parameter_counts(config).total(), 378 + 2 * 3 + 4);
}

Index size_of(const JoinedParameters& joined) {
  return joined.W_Q->size() + joined.W_K->size() + joined.W_V->size() + joined.W_O->size() +
         joined.b_Q->size() + joined.b_K->size() + joined.b_V->size() + joined.b_O->size() +
         joined.gamma->size() + joined.beta->size() + joined.norm_Q->size() +
         joined.norm_K->size() + joined.sink->size();
}

TEST(ParameterCounts, AreTheNumbersOfALayerThatHasEverything) {
  Config config = grouped_config();
  config.layer_norm = config.head_norm = config.sink = true;
  EXPECT_EQ(parameter_counts(config).total(), size_of(join(parameters_of(config), config)));
}

TEST(CompareBuilds, CountsBothWays) {
  const BuildCounts counts = compare_builds(grouped_config());
  EXPECT_EQ(counts.separate.W_Q, 8 * 4 * 3);
  ASSERT_TRUE(counts.split);
  EXPECT_EQ(counts.split->W_Q, 8 * 8);
  EXPECT_EQ(counts.split->W_K, 8 * 4) << "two key and value heads of two features";
  EXPECT_EQ(counts.split->W_O, 8 * 7);
  Config odd = grouped_config();
  odd.n_heads = odd.n_kv_heads = 3;
  EXPECT_FALSE(compare_builds(odd).split);
  EXPECT_EQ(compare_builds(odd).separate.W_Q, 8 * 3 * 3);
}

}  // namespace
}  // namespace attention::test
