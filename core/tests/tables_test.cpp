// The records of stages and of matrices, compared with each other and with what they describe.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "core/matrix_id.h"

namespace attention {
namespace {

using testing::ElementsAre;

TEST(StageInfo, NamesReadBack) {
  for (const Stage stage : kAllStages) EXPECT_EQ(stage_from_name(stage_name(stage)), stage);
  EXPECT_EQ(stage_from_name("clipped_scores"), std::nullopt);
}

TEST(StageInfo, OperandsComeBeforeTheStage) {
  for (const StageInfo& info : kStageInfos) {
    for (const StageOperand& operand : info.operands) {
      if (operand.reach == Reach::kNone) continue;
      EXPECT_LT(operand.stage, info.stage) << info.name;
    }
  }
}

TEST(StageInfo, WhatAStageRepeatsIsOneOfItsOperandsAndOfItsShape) {
  for (const StageInfo& info : kStageInfos) {
    if (!info.repeats) continue;
    const auto is_repeated = [&](const StageOperand& o) { return o.stage == *info.repeats; };
    EXPECT_TRUE(std::ranges::any_of(info.operands, is_repeated)) << info.name;
    EXPECT_EQ(stage_info(*info.repeats).rows, info.rows) << info.name;
    EXPECT_EQ(stage_info(*info.repeats).cols, info.cols) << info.name;
    EXPECT_NE(info.switched_on, nullptr) << info.name;
  }
}

TEST(StageInfo, OnlyEmbeddingsAreGiven) {
  std::vector<Stage> given;
  std::ranges::copy_if(kAllStages, std::back_inserter(given), is_input);
  EXPECT_THAT(given, ElementsAre(Stage::kEmbedding, Stage::kEmbeddingKv));
}

TEST(MatrixInfo, NamesReadBack) {
  for (const MatrixInfo& info : kMatrixInfos) EXPECT_EQ(matrix_from_name(info.name), info.id);
  EXPECT_EQ(matrix_from_name("W"), std::nullopt);
}

// Two query heads that share one key and value head.
Parameters small_parameters() {
  const auto matrix = [](float value) { return SharedMatrix(Matrix::Constant(1, 1, value)); };
  return {.heads = {{matrix(1), matrix(2), matrix(13)}, {matrix(3), {}}},
          .kv_heads = {{matrix(4), matrix(5), matrix(6), matrix(7)}},
          .W_O = matrix(8),
          .b_O = {},
          .gamma = matrix(9),
          .beta = matrix(10),
          .norm_Q = matrix(11),
          .norm_K = matrix(12)};
}

struct Seen {
  std::string_view name;
  Index head;
  float value;
  bool operator==(const Seen&) const = default;
};

TEST(EachParameter, ComesHeadByHeadAndThenTheRest) {
  const Parameters parameters = small_parameters();
  std::vector<Seen> seen;
  for_each_parameter(parameters, [&](const MatrixInfo& info, Index head, const SharedMatrix& m) {
    seen.push_back({info.name, head, m.empty() ? 0.0f : (*m)(0, 0)});
  });
  EXPECT_THAT(
      seen, ElementsAre(Seen{"W_Q", 0, 1}, Seen{"b_Q", 0, 2}, Seen{"sink", 0, 13},
                        Seen{"W_Q", 1, 3}, Seen{"b_Q", 1, 0}, Seen{"sink", 1, 0}, Seen{"W_K", 0, 4},
                        Seen{"W_V", 0, 5}, Seen{"b_K", 0, 6}, Seen{"b_V", 0, 7}, Seen{"W_O", 0, 8},
                        Seen{"b_O", 0, 0}, Seen{"gamma", 0, 9}, Seen{"beta", 0, 10},
                        Seen{"norm_Q", 0, 11}, Seen{"norm_K", 0, 12}));
}

TEST(EachParameter, MayBeWrittenTo) {
  Parameters parameters = small_parameters();
  for_each_parameter(parameters, [](const MatrixInfo&, Index, SharedMatrix& m) { m = {}; });
  EXPECT_TRUE(parameters.heads[1].W_Q.empty());
  EXPECT_TRUE(parameters.beta.empty());
}

// A struct like that of gradients: the same members, another matrix type.
struct QueryAdjoints {
  Matrix W_Q, b_Q, sink;
};
struct KeyValueAdjoints {
  Matrix W_K, W_V, b_K, b_V;
};
struct Adjoints {
  std::vector<QueryAdjoints> heads;
  std::vector<KeyValueAdjoints> kv_heads;
  Matrix W_O, b_O, gamma, beta, norm_Q, norm_K;
};

TEST(EachParameter, IsOfAnyStructWithTheSameMembers) {
  Config config;
  config.d_model = 6;
  config.n_heads = 4;
  config.n_kv_heads = 2;
  config.d_k = 3;
  config.d_v = 2;
  config.d_out = 5;
  Adjoints adjoints{.heads = std::vector<QueryAdjoints>(4),
                    .kv_heads = std::vector<KeyValueAdjoints>(2),
                    .W_O = {},
                    .b_O = {},
                    .gamma = {},
                    .beta = {},
                    .norm_Q = {},
                    .norm_K = {}};
  for_each_parameter(adjoints, [&](const MatrixInfo& info, Index, Matrix& m) {
    const Shape shape = parameter_shape(config, info.id);
    m = Matrix::Zero(shape.rows, shape.cols);
  });
  EXPECT_EQ(adjoints.heads[3].W_Q.rows(), 6);
  EXPECT_EQ(adjoints.heads[3].W_Q.cols(), 3);
  EXPECT_EQ(adjoints.kv_heads[1].b_V.cols(), 2);
  EXPECT_EQ(adjoints.W_O.rows(), 8);
  EXPECT_EQ(adjoints.gamma.cols(), 5);
  EXPECT_EQ(adjoints.norm_K.cols(), 3);
}

TEST(EachMatrix, IsFoundByItsIdToo) {
  Problem problem;
  problem.embedding = SharedMatrix(Matrix::Ones(1, 1));
  problem.parameters = small_parameters();
  std::set<MatrixId> ids;
  for_each_matrix(problem, [&](const MatrixInfo& info, Index head, SharedMatrix& matrix) {
    EXPECT_EQ(&matrix_of(problem, info.id, head), &matrix) << info.name;
    ids.insert(info.id);
  });
  EXPECT_EQ(ids.size(), kMatrixCount);
  EXPECT_EQ(matrices_of(problem).size(), 6U + 16U);
  EXPECT_THROW(matrix_of(problem, MatrixId::kWK, 1), std::out_of_range);
}

TEST(EachMatrix, IsInUseWhereTheFormulaReadsIt) {
  Problem problem;
  EXPECT_TRUE(is_in_use(problem, MatrixId::kBQ));
  EXPECT_FALSE(is_in_use(problem, MatrixId::kGamma));
  EXPECT_FALSE(is_in_use(problem, MatrixId::kNormQ));
  EXPECT_FALSE(is_in_use(problem, MatrixId::kSink));
  EXPECT_FALSE(is_in_use(problem, MatrixId::kXKv));
  problem.config.biases = false;
  problem.config.layer_norm = problem.config.head_norm = problem.config.sink = true;
  problem.config.positions = Positions::kLearned;
  EXPECT_FALSE(is_in_use(problem, MatrixId::kBQ));
  EXPECT_TRUE(is_in_use(problem, MatrixId::kGamma));
  EXPECT_TRUE(is_in_use(problem, MatrixId::kNormK));
  EXPECT_TRUE(is_in_use(problem, MatrixId::kSink));
  EXPECT_TRUE(is_in_use(problem, MatrixId::kPositionTable));
  EXPECT_FALSE(is_in_use(problem, MatrixId::kPositionTableKv));
}

}  // namespace
}  // namespace attention
