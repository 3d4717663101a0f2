// The invariants hold for what the evaluator computes, and each one notices a trace that violates
// it.

#include "core/analysis/invariants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "core/config.h"
#include "core/layer/evaluator.h"
#include "core/tests/random_problem.h"
#include "core/tests/special_values.h"

namespace attention::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::vector<std::string> broken(const Problem& problem, const Trace& trace) {
  std::vector<std::string> names;
  for (const Invariant& invariant : check_invariants(problem, trace)) {
    if (!invariant.holds()) names.push_back(invariant.name);
  }
  return names;
}

std::vector<std::string> broken(const Problem& problem) {
  Evaluator evaluator;
  return broken(problem, evaluator.evaluate(problem));
}

// The invariants that fail when one matrix of a good trace is changed.
std::vector<std::string> broken_by(const Problem& problem,
                                   const std::function<void(Trace&)>& change) {
  Evaluator evaluator;
  Trace trace = evaluator.evaluate(problem);
  change(trace);
  return broken(problem, trace);
}

// With masks of both kinds, a dead row 3 and a bias.
Problem masked_problem() { return problem_variants()[1]; }

std::vector<std::string> broken_by(const std::function<void(Trace&)>& change) {
  return broken_by(masked_problem(), change);
}

Problem plain_problem(Config config = Config(), Index seq_len = 4) {
  PortableRandom random(43);
  return random_problem(config, seq_len, 0, random);
}

TEST(Invariants, HoldForEveryVariant) {
  for (const Problem& problem : problem_variants()) EXPECT_THAT(broken(problem), IsEmpty());
}

// The stages that the invariants compare with the reference.
std::set<std::string> compared(const Problem& problem) {
  Evaluator evaluator;
  std::set<std::string> names;
  for (const Invariant& invariant : check_invariants(problem, evaluator.evaluate(problem))) {
    const size_t end = invariant.name.find(" agrees with");
    if (end != std::string::npos) names.insert(invariant.name.substr(0, end));
  }
  return names;
}

TEST(Invariants, CompareEveryActiveStageWithTheReference) {
  for (const Problem& problem : problem_variants()) {
    std::set<std::string> active;
    for (const Stage stage : kAllStages) {
      if (is_active(problem, stage)) active.emplace(stage_name(stage));
    }
    active.erase("embedding");
    active.erase("embedding_kv");
    EXPECT_EQ(compared(problem), active);
  }
}

// From tiny to huge numbers, long rows and sums that cancel out to nothing.
TEST(Invariants, HoldAtEverySize) {
  PortableRandom random(41);
  Config config;
  config.n_heads = 2;
  for (const bool layer_norm : {false, true}) {
    config.residual = config.layer_norm = layer_norm;
    config.head_norm = layer_norm;
    config.score_cap = layer_norm ? 30.0f : 0.0f;
    for (const float size : {0.0f, 1e-8f, 1e-3f, 10.0f, 1e3f, 1e6f}) {
      for (const Index seq_len : {1, 3, 300}) {
        Problem problem = random_problem(config, seq_len, 0, random);
        problem.embedding = SharedMatrix(size * *problem.embedding);
        EXPECT_THAT(broken(problem), IsEmpty()) << seq_len << " tokens of size " << size;
      }
    }
  }
}

TEST(Invariants, HoldWithEveryKindOfPositionInLongSentences) {
  PortableRandom random(44);
  Config config;
  config.n_heads = 3;
  for (const Positions positions :
       {Positions::kSinusoidal, Positions::kLearned, Positions::kRotary, Positions::kAlibi}) {
    config.positions = positions;
    EXPECT_THAT(broken(random_problem(config, 300, 0, random)), IsEmpty());
  }
}

TEST(Invariants, HoldWhereAllSumsCancel) {
  Problem problem = plain_problem();
  problem.embedding.edit([](Matrix& X) { X.rightCols(4) = X.leftCols(4); });
  const auto cancel = [](Matrix& W) { W.bottomRows(4) = -W.topRows(4) * 1.0000001f; };
  problem.parameters.heads[0].W_Q.edit(cancel);
  problem.parameters.kv_heads[0].W_K.edit(cancel);
  problem.parameters.kv_heads[0].W_V.edit(cancel);
  EXPECT_THAT(broken(problem), IsEmpty());
}

// Small scores that are the difference of large products: the error of the weights is that of the
// products.
TEST(Invariants, HoldWhereLargeScoresCancel) {
  Problem problem = plain_problem();
  problem.embedding.edit([](Matrix& X) {
    X.rightCols(4) = X.leftCols(4);
    X *= 1000;
  });
  problem.parameters.heads[0].W_Q.edit(
      [](Matrix& W) { W.bottomRows(4) = -W.topRows(4) * 1.0000001f; });
  EXPECT_THAT(broken(problem), IsEmpty());
}

// Rows whose deviation is far below their size: layer_norm divides by what is mostly rounding
// error.
TEST(Invariants, HoldWhereRowsAreNearlyConstant) {
  Config config;
  config.residual = config.layer_norm = true;
  for (const float epsilon : {1e-5f, 1e-12f}) {
    config.layer_norm_epsilon = epsilon;
    Problem problem = plain_problem(config);
    problem.embedding.edit([](Matrix& X) { X = X.array() * 1e-4f + 1000.0f; });
    problem.parameters.W_O.edit([](Matrix& W) { W *= 1e-6f; });
    problem.parameters.heads[0].W_Q = SharedMatrix(Matrix::Zero(8, 8));  // scores add no error
    EXPECT_THAT(broken(problem), IsEmpty());
  }
}

TEST(Invariants, HoldWithTheLargestNegativeBiasOfModelFiles) {
  Problem problem = plain_problem(Config(), 5);
  Matrix bias = Matrix::Zero(5, 5);
  bias.rightCols(2).setConstant(std::numeric_limits<float>::lowest());
  problem.bias = SharedMatrix(bias);
  EXPECT_THAT(broken(problem), IsEmpty());
}

TEST(Invariants, HoldWithMostWeightsDropped) {
  Config config;
  config.n_heads = 2;
  config.dropout_rate = 0.99f;
  EXPECT_THAT(broken(plain_problem(config, 60)), IsEmpty());
}

Override override_of(Stage stage, float value) {
  return {.stage = stage, .head = 0, .row = 1, .col = 2, .value = value};
}

// A row with an overridden weight need not sum to 1; an overridden masked weight need not be 0, nor
// the weight of an overridden masked score.
TEST(Invariants, HoldWithOverridesOfEveryStage) {
  for (const Stage stage : kAllStages) {
    Config config;
    config.mask.causal = true;
    config.dropout_rate = 0.5f;
    config.residual = config.layer_norm = true;
    Problem problem = plain_problem(config);
    if (stage == Stage::kContentToPosition || stage == Stage::kPositionToContent) {
      PortableRandom random(46);
      problem.relative = random_relative(problem, true, true, random);
    }
    if (stage == Stage::kPosition) problem.config.positions = Positions::kSinusoidal;
    const bool keys_apart = stage == Stage::kPositionKv || stage == Stage::kXKv;
    if (keys_apart || stage == Stage::kEmbedding || stage == Stage::kEmbeddingKv) continue;
    for (const float value : {0.0f, -3.0f, 1e4f}) {
      problem.overrides = {override_of(stage, value)};
      EXPECT_THAT(broken(problem), IsEmpty()) << stage_name(stage) << " " << value;
    }
  }
}

TEST(Invariants, HoldWithAScoreOverriddenToMinusInfinity) {
  for (const Stage stage :
       {Stage::kScores, Stage::kScaledScores, Stage::kCappedScores, Stage::kMaskedScores}) {
    Problem problem = plain_problem();
    problem.overrides = {override_of(stage, -kInfinity)};
    EXPECT_THAT(broken(problem), IsEmpty()) << stage_name(stage);
  }
}

// NaN as an override makes the rest of its row NaN, and only that.
TEST(Invariants, HoldWithScoresOrWeightsOverriddenToNaN) {
  for (const Stage stage : {Stage::kScores, Stage::kScaledScores, Stage::kCappedScores,
                            Stage::kMaskedScores, Stage::kWeights, Stage::kDroppedWeights}) {
    Config config;
    config.n_heads = 2;
    config.mask.causal = true;
    config.dropout_rate = stage == Stage::kDroppedWeights ? 0.5f : 0.0f;
    config.score_cap = stage == Stage::kCappedScores ? 5.0f : 0.0f;
    config.residual = config.layer_norm = true;
    Problem problem = plain_problem(config);
    problem.overrides = {override_of(stage, std::nanf(""))};
    EXPECT_THAT(broken(problem), IsEmpty()) << stage_name(stage);
    EXPECT_THAT(broken_by(problem,
                          [](Trace& trace) {
                            trace.output.edit([](Matrix& output) { output(2, 0) = std::nanf(""); });
                          }),
                Contains(HasSubstr("finite")))
        << stage_name(stage) << ": another row";
  }
}

TEST(Invariants, NoticeAMissingOverride) {
  Config config;
  config.n_heads = 4;
  config.n_kv_heads = 2;
  Problem problem = plain_problem(config);
  problem.overrides = {{.stage = Stage::kV, .head = 2, .row = 1, .col = 2, .value = 5}};
  for (const size_t head : {2, 3}) {
    EXPECT_THAT(broken_by(problem,
                          [head](Trace& trace) {
                            trace.heads[head].V.edit([](Matrix& V) { V(1, 2) = 5.5f; });
                          }),
                Contains("overridden cells hold what was put there"));
  }
  EXPECT_THAT(broken_by(problem, [](Trace&) {}), IsEmpty());
}

TEST(Invariants, NoticeARowThatDoesNotSumToOne) {
  const auto change = [](Trace& trace) {
    trace.heads[1].weights.edit([](Matrix& w) { w.row(2) *= 1.001f; });
  };
  EXPECT_THAT(broken_by(change), Contains(HasSubstr("sums to 1")));
  Problem problem = masked_problem();
  problem.overrides = {{.stage = Stage::kWeights, .head = 1, .row = 1, .col = 0, .value = 2}};
  EXPECT_THAT(broken_by(problem, change),
              Contains(HasSubstr("; 1 row with an override is left out")))
      << "another row is overridden";
}

TEST(Invariants, NoticeWeightInADeadRow) {
  EXPECT_THAT(broken_by([](Trace& trace) {
                trace.heads[0].weights.edit([](Matrix& w) { w.row(3).setConstant(0.2f); });
              }),
              Contains(HasSubstr("sums to 1")));
}

TEST(Invariants, NoticeTheSmallestMaskedWeight) {
  EXPECT_THAT(broken_by([](Trace& trace) {
                trace.heads[2].weights.edit([](Matrix& w) { w(0, 4) = 1e-30f; });
              }),
              ElementsAre("masked weights are exactly 0"));
}

TEST(Invariants, NoticeTheSmallestDroppedWeight) {
  Config config;
  config.dropout_rate = 0.5f;
  const Problem problem = plain_problem(config);
  Index col = 0;
  while (!is_dropped(config, 0, 1, col)) ++col;
  ASSERT_LT(col, 4);
  EXPECT_THAT(
      broken_by(problem,
                [col](Trace& trace) {
                  trace.heads[0].dropped_weights.edit([col](Matrix& w) { w(1, col) = 1e-30f; });
                }),
      ElementsAre("dropped weights are exactly 0"));
}

TEST(Invariants, NoticeAnOutputThatIsNotTheSumOfItsParts) {
  const auto change = [](Trace& trace) {
    trace.output.edit([](Matrix& output) { output(1, 1) += 0.01f; });
  };
  EXPECT_THAT(broken_by(change),
              AllOf(Contains(HasSubstr("add up")), Contains(HasSubstr("output agrees"))));
  Problem problem = masked_problem();
  problem.overrides = {{.stage = Stage::kOutput, .head = 0, .row = 1, .col = 2, .value = 2}};
  EXPECT_THAT(broken_by(problem, change), Contains(HasSubstr("add up")))
      << "another cell is overridden";
}

// A stage and its matrix, in the layer or in a head.
struct DamagedPlace {
  Stage stage;
  SharedMatrix Trace::*of_layer = nullptr;
  SharedMatrix HeadTrace::*of_head = nullptr;

  SharedMatrix& in(Trace& trace) const {
    return of_head != nullptr ? trace.heads[0].*of_head : trace.*of_layer;
  }
};

const DamagedPlace kPlaces[] = {
    {Stage::kPosition, &Trace::position},
    {Stage::kX, &Trace::X},
    {Stage::kPositionKv, &Trace::position_kv},
    {Stage::kXKv, &Trace::X_kv},
    {Stage::kQ, nullptr, &HeadTrace::Q},
    {Stage::kK, nullptr, &HeadTrace::K},
    {Stage::kV, nullptr, &HeadTrace::V},
    {Stage::kNormedQ, nullptr, &HeadTrace::normed_Q},
    {Stage::kNormedK, nullptr, &HeadTrace::normed_K},
    {Stage::kNormedV, nullptr, &HeadTrace::normed_V},
    {Stage::kRotatedQ, nullptr, &HeadTrace::rotated_Q},
    {Stage::kRotatedK, nullptr, &HeadTrace::rotated_K},
    {Stage::kScores, nullptr, &HeadTrace::scores},
    {Stage::kContentToPosition, nullptr, &HeadTrace::content_to_position},
    {Stage::kPositionToContent, nullptr, &HeadTrace::position_to_content},
    {Stage::kSummedScores, nullptr, &HeadTrace::summed_scores},
    {Stage::kScaledScores, nullptr, &HeadTrace::scaled_scores},
    {Stage::kCappedScores, nullptr, &HeadTrace::capped_scores},
    {Stage::kMaskedScores, nullptr, &HeadTrace::masked_scores},
    {Stage::kWeights, nullptr, &HeadTrace::weights},
    {Stage::kDroppedWeights, nullptr, &HeadTrace::dropped_weights},
    {Stage::kHeadOutput, nullptr, &HeadTrace::head_output},
    {Stage::kConcat, &Trace::concat},
    {Stage::kOutput, &Trace::output},
    {Stage::kResidual, &Trace::residual},
    {Stage::kLayerNorm, &Trace::layer_norm}};

// Changes one cell of each active stage in turn; returns those stages.
std::set<Stage> expect_each_change_noticed(const Problem& problem) {
  std::set<Stage> changed;
  for (const DamagedPlace& place : kPlaces) {
    if (!is_active(problem, place.stage)) continue;
    changed.insert(place.stage);
    const std::string name(stage_name(place.stage));
    EXPECT_THAT(broken_by(problem,
                          [&](Trace& trace) {
                            place.in(trace).edit([](Matrix& values) {
                              values(0, 0) += 0.01f * (1 + std::abs(values(0, 0)));
                            });
                          }),
                Contains(StartsWith(name + " agrees")))
        << name;
  }
  return changed;
}

// Three problems that between them have every stage.
TEST(Invariants, NoticeEveryStageThatIsOffByOneInAHundred) {
  PortableRandom random(45);
  std::set<Stage> changed = expect_each_change_noticed(problem_with_everything(random));
  Config config = variant_config();
  config.positions = Positions::kSinusoidal;
  config.value_norm = true;
  changed.merge(expect_each_change_noticed(random_problem(config, 4, 6, random)));
  Problem by_distance = random_problem(variant_config(), 4, 0, random);
  by_distance.relative = random_relative(by_distance, true, true, random);
  changed.merge(expect_each_change_noticed(by_distance));
  EXPECT_EQ(changed.size(), std::size(kPlaces));
}

TEST(Invariants, NoticeARowOfLayerNormThatIsOffByOneInAThousand) {
  Config config;
  config.layer_norm = true;
  EXPECT_THAT(broken_by(plain_problem(config),
                        [](Trace& trace) {
                          trace.layer_norm.edit([](Matrix& rows) { rows.row(2) *= 1.001f; });
                        }),
              ElementsAre(StartsWith("layer_norm agrees")));
}

TEST(Invariants, NoticeInfinityWhereNothingIsMasked) {
  for (const float infinity : {kInfinity, -kInfinity}) {
    EXPECT_THAT(broken_by([infinity](Trace& trace) {
                  trace.concat.edit([infinity](Matrix& concat) { concat(0, 0) = infinity; });
                }),
                Contains(HasSubstr("finite")));
  }
}

TEST(Invariants, NoticeInfinityInScoresThatAreNotMasked) {
  const auto change = [](Trace& trace) {
    trace.heads[0].masked_scores.edit([](Matrix& scores) { scores(4, 4) = -kInfinity; });
  };
  Config config;
  config.mask.causal = true;
  EXPECT_THAT(broken_by(plain_problem(config, 5), change), Contains(HasSubstr("finite")));
}

TEST(Invariants, ErrorsAreNaNWhereTheTraceContainsNaN) {
  Problem problem = plain_problem();
  problem.embedding.edit([](Matrix& X) { X(1, 1) = std::nanf(""); });
  Evaluator evaluator;
  for (const Invariant& invariant : check_invariants(problem, evaluator.evaluate(problem))) {
    const bool about_zeros = invariant.name.ends_with("exactly 0");
    if (about_zeros || invariant.name.starts_with("overridden")) continue;
    EXPECT_TRUE(std::isnan(invariant.error)) << invariant.name;
    EXPECT_FALSE(invariant.holds()) << invariant.name;
  }
}

}  // namespace
}  // namespace attention::test
