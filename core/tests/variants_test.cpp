// Each variant of the layer, expressed in a second way: both must give the same numbers.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/layer/evaluator.h"
#include "core/layer/positions.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/random_problem.h"
#include "core/tests/special_values.h"

namespace attention::test {
namespace {

constexpr double kVariantsRelative = 1e-5;

// Four heads of d_k = d_v = 4 on 8 features.
Config config_of_four_heads() {
  Config config;
  config.n_heads = 4;
  config.d_k = config.d_v = 4;
  return config;
}

// Six tokens with all biases, or as many keys as `kv_len` says.
Problem problem_with(std::uint64_t seed, void (*change)(Config&), Index kv_len = 0) {
  PortableRandom random(seed);
  Config config = config_of_four_heads();
  change(config);
  Problem problem = random_problem(config, 6, kv_len, random);
  add_biases(problem, random);
  return problem;
}

Problem plain(std::uint64_t seed) {
  return problem_with(seed, [](Config&) {});
}

Trace trace_of(const Problem& problem) { return Evaluator().evaluate(problem); }

// The result of the layer.
Matrix result_of(const Problem& problem) { return *trace_of(problem).layer_norm; }

TEST(Variants, ATableOfSinusoidsIsLearnedToBeSinusoidal) {
  const Problem given = problem_with(1, [](Config& c) { c.positions = Positions::kSinusoidal; });
  Problem learned = given;
  learned.config.positions = Positions::kLearned;
  learned.position_table = SharedMatrix(sinusoidal_positions(9, 8));
  EXPECT_TRUE(all_identical(result_of(learned), result_of(given)));
}

TEST(Variants, AddedPositionsAreAnotherEmbedding) {
  for (const Index kv_len : {0, 9}) {
    const Problem given = problem_with(
        2, [](Config& c) { c.positions = Positions::kLearned; }, kv_len);
    Problem added = given;
    added.config.positions = Positions::kNone;
    const Matrix& table = *given.position_table;
    added.embedding = SharedMatrix(*given.embedding + table.topRows(6));
    if (kv_len > 0) added.embedding_kv = SharedMatrix(*given.embedding_kv + table.topRows(kv_len));
    EXPECT_TRUE(all_near_relative(result_of(added), result_of(given), kVariantsRelative)) << kv_len;
  }
}

// (R_i q) · (R_j k) = q · (R_{j − i} k): with the same word everywhere only the distance matters.
TEST(Variants, RotaryScoresDependOnlyOnTheDistance) {
  for (const RotaryPairs pairs : {RotaryPairs::kAdjacent, RotaryPairs::kHalves}) {
    Problem problem = problem_with(3, [](Config& c) { c.positions = Positions::kRotary; });
    problem.config.rotary_pairs = pairs;
    problem.embedding = SharedMatrix(problem.embedding->row(0).replicate(6, 1));
    const Matrix scores = *trace_of(problem).heads[1].scores;
    EXPECT_TRUE(all_near_relative(Matrix(scores.bottomRightCorner(5, 5)),
                                  Matrix(scores.topLeftCorner(5, 5)), kVariantsRelative));
    EXPECT_FALSE(all_near_relative(Matrix(scores.row(1)), Matrix(scores.row(0)), 0.01));
  }
}

TEST(Variants, RotationKeepsLengthsAndTheFirstToken) {
  const Trace trace =
      trace_of(problem_with(4, [](Config& c) { c.positions = Positions::kRotary; }));
  const Matrix &Q = *trace.heads[2].Q, &rotated = *trace.heads[2].rotated_Q;
  EXPECT_EQ(rotated.row(0), Q.row(0));
  EXPECT_TRUE(all_near(Matrix(rotated.rowwise().norm()), Matrix(Q.rowwise().norm()), 1e-5));
  EXPECT_FALSE(all_near(rotated, Q, 0.1));
}

// Columns 0 1 2 3 in pairs (0 1) (2 3), or as columns 0 2 1 3 in pairs (0 2) (1 3).
TEST(Variants, RotaryHalvesAreAdjacentPairsInAnotherOrder) {
  const Problem adjacent = problem_with(5, [](Config& c) { c.positions = Positions::kRotary; });
  Problem halves = adjacent;
  halves.config.rotary_pairs = RotaryPairs::kHalves;
  const auto reorder = [](SharedMatrix& matrix) {
    matrix.edit([](Matrix& columns) { columns.col(1).swap(columns.col(2)); });
  };
  for (QueryParameters& head : halves.parameters.heads) reorder(head.W_Q), reorder(head.b_Q);
  for (KeyValueParameters& head : halves.parameters.kv_heads) reorder(head.W_K), reorder(head.b_K);
  EXPECT_TRUE(all_near_relative(result_of(halves), result_of(adjacent), kVariantsRelative));
}

TEST(Variants, AlibiOfOneHeadIsAnAdditiveBias) {
  const auto one_head = [](Config& c) {
    c.n_heads = 1;
    c.positions = Positions::kAlibi;
  };
  const Problem given = problem_with(6, one_head, 9);
  Problem biased = given;
  biased.config.positions = Positions::kNone;
  biased.bias = SharedMatrix(Matrix::NullaryExpr(
      6, 9, [](Index i, Index j) { return -static_cast<float>(std::abs(i - j)) / 256.0f; }));
  EXPECT_TRUE(all_near(*trace_of(biased).heads[0].masked_scores,
                       *trace_of(given).heads[0].masked_scores, 1e-6));
  EXPECT_FALSE(all_near(*trace_of(given).heads[0].masked_scores,
                        *trace_of(given).heads[0].scaled_scores, 0.01));
}

TEST(Variants, GroupedHeadsAreHeadsWithTheSameKeysAndValues) {
  const Problem grouped = problem_with(7, [](Config& c) { c.n_kv_heads = 2; });
  Problem separate = grouped;
  separate.config.n_kv_heads = 0;
  const std::vector<KeyValueParameters>& kv = grouped.parameters.kv_heads;
  separate.parameters.kv_heads = {kv[0], kv[0], kv[1], kv[1]};
  EXPECT_TRUE(all_identical(result_of(grouped), result_of(separate)));
}

TEST(Variants, MasksByRuleAreMasksCellByCell) {
  for (const MaskRules rules : {MaskRules{.causal = true},
                                {.key_count = 4},
                                {.window = 2},
                                {.causal = true, .key_count = 3, .window = 2}}) {
    Problem by_rule = plain(8);
    by_rule.config.mask = rules;
    Problem by_cell = plain(8);
    by_cell.allowed = SharedMatrix(Matrix::NullaryExpr(
        6, 6, [&](Index i, Index j) { return by_rule.may_attend(i, j) ? 1.0f : 0.0f; }));
    EXPECT_TRUE(all_identical(result_of(by_rule), result_of(by_cell)));
    EXPECT_FALSE(all_near_relative(result_of(by_rule), result_of(plain(8)), 0.01));
  }
}

TEST(Variants, MasksThatForbidNothingChangeNothing) {
  Problem wide = plain(9);
  wide.config.mask = {.key_count = 6, .window = 6};
  EXPECT_TRUE(all_identical(result_of(wide), result_of(plain(9))));
}

TEST(Variants, AWindowOfOneSeesOnlyItself) {
  const Problem problem = problem_with(10, [](Config& c) { c.mask.window = 1; });
  const Trace trace = trace_of(problem);
  EXPECT_EQ(*trace.heads[3].weights, Matrix::Identity(6, 6));
  EXPECT_TRUE(all_near_relative(*trace.heads[3].head_output, *trace.heads[3].V, kVariantsRelative));
}

TEST(Variants, PaddingIsNotRead) {
  const Problem problem = problem_with(
      11, [](Config& c) { c.mask.key_count = 5; }, 9);
  Problem other = problem;
  other.embedding_kv.edit([](Matrix& rows) { rows.bottomRows(4) *= -3.0f; });
  EXPECT_TRUE(all_identical(result_of(other), result_of(problem)));
  other.embedding_kv.edit([](Matrix& rows) { rows.row(4) *= -3.0f; });
  EXPECT_FALSE(all_near_relative(result_of(other), result_of(problem), 0.01));
}

TEST(Variants, BiasesSwitchedOffAreAbsentBiases) {
  const Problem off = problem_with(12, [](Config& c) { c.biases = false; });
  Problem without = off;
  without.config.biases = true;
  without.parameters.b_O = {};
  for (QueryParameters& head : without.parameters.heads) head.b_Q = {};
  for (KeyValueParameters& head : without.parameters.kv_heads) head.b_K = head.b_V = {};
  EXPECT_TRUE(all_identical(result_of(off), result_of(without)));
}

TEST(Variants, BiasesSwitchedOffLeaveBetaAlone) {
  Problem problem = problem_with(13, [](Config& c) { c.layer_norm = true; });
  problem.config.biases = false;
  problem.parameters.gamma = SharedMatrix(Matrix::Zero(1, 8));
  EXPECT_TRUE(all_identical(result_of(problem), problem.parameters.beta->replicate(6, 1)));
}

// The mean over many seeds; a weight w spreads by w √(rate / (1 − rate) / seeds).
TEST(Variants, DropoutKeepsTheMeanOfTheWeights) {
  constexpr int kSeeds = 600;
  Problem problem = problem_with(14, [](Config& c) { c.dropout_rate = 0.3f; });
  Matrix sum = Matrix::Zero(6, 6);
  for (int seed = 0; seed < kSeeds; ++seed) {
    problem.config.dropout_seed = static_cast<std::uint64_t>(seed);
    sum += *trace_of(problem).heads[2].dropped_weights;
  }
  const Matrix weights = *trace_of(problem).heads[2].weights;
  EXPECT_TRUE(all_near(Matrix(sum / kSeeds), weights, 5 * std::sqrt(0.3 / 0.7 / kSeeds)));
}

TEST(Variants, DroppedWeightsAreZeroAndTheOthersGrow) {
  const Problem problem = problem_with(15, [](Config& c) { c.dropout_rate = 0.5f; });
  const Trace trace = trace_of(problem);
  int zeros = 0;
  for (Index i = 0; i < 36; ++i) {
    const float weight = trace.heads[1].weights->data()[i];
    const float dropped = trace.heads[1].dropped_weights->data()[i];
    EXPECT_TRUE(dropped == 0.0f || dropped == 2.0f * weight) << i;
    zeros += dropped == 0.0f ? 1 : 0;
  }
  EXPECT_GT(zeros, 6);
  EXPECT_LT(zeros, 30);
}

TEST(Variants, AResidualOfNoOutputIsTheInput) {
  Problem problem = problem_with(16, [](Config& c) {
    c.residual = true;
    c.positions = Positions::kSinusoidal;
  });
  problem.parameters.W_O = SharedMatrix(Matrix::Zero(16, 8));
  problem.parameters.b_O = {};
  const Trace trace = trace_of(problem);
  EXPECT_TRUE(all_identical(*trace.residual, *trace.X));
  EXPECT_FALSE(all_near(*trace.residual, *problem.embedding, 0.1));
}

TEST(Variants, NormalisedRowsHaveMeanZeroAndVarianceOne) {
  Problem problem = problem_with(17, [](Config& c) { c.residual = c.layer_norm = true; });
  problem.parameters.gamma = problem.parameters.beta = {};
  const Matrix rows = result_of(problem);
  EXPECT_TRUE(all_near(Matrix(rows.rowwise().mean()), Matrix::Zero(6, 1), 1e-6));
  const Matrix squares = rows.array().square().rowwise().mean();
  EXPECT_TRUE(all_near(squares, Matrix::Ones(6, 1), 1e-4));
}

TEST(Variants, ANormIgnoresAConstantInTheRow) {
  const Problem problem = problem_with(18, [](Config& c) { c.layer_norm = true; });
  Problem shifted = problem;
  shifted.parameters.b_O.edit([](Matrix& b_O) { b_O.array() += 3.0f; });
  EXPECT_TRUE(all_near_relative(result_of(shifted), result_of(problem), kVariantsRelative));
}

TEST(Variants, AConstantRowIsNormalisedToBeta) {
  Problem problem = problem_with(19, [](Config& c) { c.layer_norm = true; });
  problem.parameters.W_O = SharedMatrix(Matrix::Zero(16, 8));
  problem.parameters.b_O = SharedMatrix(Matrix::Constant(1, 8, 7.5f));
  EXPECT_TRUE(all_near(result_of(problem), problem.parameters.beta->replicate(6, 1), 1e-6));
}

TEST(Variants, AGainOfAHeadIsAFactorOfItsRowsOfW_O) {
  Problem mixed = plain(20);
  mixed.head_mix = {{.scale = 0.5f}, {}, {.scale = -2.0f}, {.mute = true}};
  Problem scaled = plain(20);
  scaled.parameters.W_O.edit([](Matrix& W_O) {
    W_O.topRows(4) *= 0.5f;
    W_O.middleRows(8, 4) *= -2.0f;
    W_O.bottomRows(4).setZero();
  });
  EXPECT_TRUE(all_near_relative(result_of(mixed), result_of(scaled), kVariantsRelative));
}

TEST(Variants, AMutedHeadGivesZeroWhateverItHolds) {
  Problem problem = plain(21);
  problem.parameters.kv_heads[1].W_V.edit([](Matrix& W_V) { W_V(0, 0) = kNaN; });
  EXPECT_TRUE(result_of(problem).hasNaN());
  problem.head_mix.resize(4);
  problem.head_mix[1].mute = true;
  const Trace trace = trace_of(problem);
  EXPECT_TRUE(trace.heads[1].head_output->hasNaN());
  EXPECT_EQ(trace.concat->middleCols(4, 4), Matrix::Zero(6, 4));
  EXPECT_TRUE(trace.output->allFinite());
}

TEST(Variants, SoloMutesAllOthers) {
  Problem solo = plain(22), muted = plain(22);
  solo.head_mix.resize(4);
  muted.head_mix.resize(4);
  solo.head_mix[2].solo = true;
  for (const size_t h : {0, 1, 3}) muted.head_mix[h].mute = true;
  EXPECT_TRUE(all_identical(result_of(solo), result_of(muted)));
}

TEST(Overriding, ACellWithItsOwnNumberChangesNothing) {
  Problem problem = problem_with(23, [](Config& c) {
    c.positions = Positions::kRotary;
    c.n_kv_heads = 2;
    c.head_norm = true;
    c.score_cap = 20;
    c.dropout_rate = 0.2f;
    c.residual = c.layer_norm = true;
  });
  PortableRandom random(27);
  problem.relative = random_relative(problem, true, true, random);
  const Trace trace = trace_of(problem);
  for (const Stage stage : kAllStages) {
    if (stage < Stage::kQ && stage != Stage::kX) continue;
    const float value = (*stage_matrix(problem, trace, stage, 0))(2, 1);
    Problem same = problem;
    same.overrides = {{stage, 0, 2, 1, value}};
    EXPECT_TRUE(all_identical(result_of(same), *trace.layer_norm)) << stage_name(stage);
    same.overrides[0].value = value + 1.0f;
    EXPECT_FALSE(all_near(result_of(same), *trace.layer_norm, 1e-3)) << stage_name(stage);
  }
}

TEST(Overriding, AScoreAffectsOnlyItsRow) {
  Problem problem = plain(24);
  const Trace before = trace_of(problem);
  problem.overrides = {{Stage::kScores, 2, 3, 1, 5.0f}};
  const Trace after = trace_of(problem);
  Matrix scores = *before.heads[2].scores;
  scores(3, 1) = 5.0f;
  EXPECT_TRUE(all_identical(*after.heads[2].scores, scores));
  EXPECT_NEAR(after.heads[2].weights->row(3).sum(), 1.0f, 1e-6);
  EXPECT_GT((*after.heads[2].weights)(3, 1), (*before.heads[2].weights)(3, 1));
  EXPECT_TRUE(all_identical(after.output->topRows(3), before.output->topRows(3)));
  EXPECT_FALSE(all_near(Matrix(after.output->row(3)), Matrix(before.output->row(3)), 0.01));
  EXPECT_TRUE(all_identical(*after.heads[1].head_output, *before.heads[1].head_output));
}

TEST(Overriding, AKeyThatHeadsShareChangesInAllOfThem) {
  Problem problem = problem_with(25, [](Config& c) { c.n_kv_heads = 2; });
  const Trace before = trace_of(problem);
  problem.overrides = {{Stage::kK, 2, 4, 1, 6.0f}};
  const Trace after = trace_of(problem);
  for (const size_t h : {2, 3}) {
    EXPECT_EQ((*after.heads[h].K)(4, 1), 6.0f);
    EXPECT_FALSE(all_near(*after.heads[h].weights, *before.heads[h].weights, 0.01)) << h;
  }
  for (const size_t h : {0, 1}) {
    EXPECT_TRUE(all_identical(*after.heads[h].weights, *before.heads[h].weights)) << h;
  }
}

TEST(Overriding, AMaskedScoreOpensWhatTheMaskForbids) {
  Problem problem = problem_with(26, [](Config& c) { c.mask.causal = true; });
  problem.overrides = {{Stage::kMaskedScores, 0, 0, 5, 2.0f}};
  const Matrix weights = *trace_of(problem).heads[0].weights;
  EXPECT_GT(weights(0, 5), 0.0f);
  EXPECT_NEAR(weights(0, 0) + weights(0, 5), 1.0f, 1e-6);
}

TEST(Overriding, AMutedHeadsCellOfConcatReachesTheOutput) {
  Problem problem = plain(27);
  problem.head_mix.resize(4);
  problem.head_mix[0].mute = true;
  problem.overrides = {{Stage::kConcat, 0, 2, 1, 4.0f}};
  const Matrix concat = *trace_of(problem).concat;
  EXPECT_EQ(concat(2, 1), 4.0f);
  EXPECT_EQ(concat(2, 0), 0.0f);
}

}  // namespace
}  // namespace attention::test
