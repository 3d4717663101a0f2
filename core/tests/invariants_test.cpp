// The invariants hold of what the evaluator computes, and each one notices a trace it is about.

#include "core/invariants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "core/evaluator.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

std::vector<std::string> broken(const Problem& problem, const Trace& trace) {
  std::vector<std::string> names;
  for (const Invariant& invariant : check_invariants(problem, trace)) {
    if (!invariant.holds()) names.push_back(invariant.name);
  }
  return names;
}

// The invariants that fail when one matrix of a good trace of the masked variant is changed.
std::vector<std::string> broken_by(const std::function<void(Trace&)>& change) {
  const Problem problem = problem_variants()[1];
  Evaluator evaluator;
  Trace trace = evaluator.evaluate(problem);
  change(trace);
  return broken(problem, trace);
}

TEST(Invariants, HoldOfEveryVariant) {
  for (const Problem& problem : problem_variants()) {
    Evaluator evaluator;
    EXPECT_THAT(broken(problem, evaluator.evaluate(problem)), testing::IsEmpty());
  }
}

// From tiny to huge numbers, long rows and sums that cancel out to nothing.
TEST(Invariants, HoldAtEverySize) {
  PortableRandom random(41);
  Config config;
  config.n_heads = 2;
  for (const float size : {0.0f, 1e-8f, 1e-3f, 10.0f, 1e3f, 1e6f}) {
    for (const Index seq_len : {1, 3, 300}) {
      Problem problem = random_problem(config, seq_len, 0, random);
      problem.X = SharedMatrix(size * *problem.X);
      Evaluator evaluator;
      EXPECT_THAT(broken(problem, evaluator.evaluate(problem)), testing::IsEmpty())
          << seq_len << " tokens of size " << size;
    }
  }
}

TEST(Invariants, HoldWhereAllSumsCancel) {
  PortableRandom random(42);
  Config config;
  Problem problem = random_problem(config, 4, 0, random);
  problem.X.edit([](Matrix& X) { X.rightCols(4) = X.leftCols(4); });
  for (SharedMatrix HeadParameters::*W :
       {&HeadParameters::W_Q, &HeadParameters::W_K, &HeadParameters::W_V}) {
    (problem.parameters.heads[0].*W).edit([](Matrix& values) {
      values.bottomRows(4) = -values.topRows(4) * 1.0000001f;
    });
  }
  Evaluator evaluator;
  EXPECT_THAT(broken(problem, evaluator.evaluate(problem)), testing::IsEmpty());
}

TEST(Invariants, HoldWithTheLargestNegativeBiasOfModelFiles) {
  PortableRandom random(43);
  Problem problem = random_problem(Config(), 5, 0, random);
  Matrix bias = Matrix::Zero(5, 5);
  bias.rightCols(2).setConstant(std::numeric_limits<float>::lowest());
  problem.bias = SharedMatrix(bias);
  Evaluator evaluator;
  EXPECT_THAT(broken(problem, evaluator.evaluate(problem)), testing::IsEmpty());
}

TEST(Invariants, NoticeARowThatDoesNotSumToOne) {
  EXPECT_THAT(broken_by([](Trace& trace) {
                trace.heads[1].weights.edit([](Matrix& w) { w.row(2) *= 1.001f; });
              }),
              Contains(HasSubstr("sums to 1")));
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
              testing::ElementsAre("masked weights are exactly 0"));
}

TEST(Invariants, NoticeAnOutputThatIsNotTheSumOfItsParts) {
  EXPECT_THAT(broken_by([](Trace& trace) {
                trace.output.edit([](Matrix& output) { output(1, 1) += 0.01f; });
              }),
              AllOf(Contains(HasSubstr("add up")), Contains(HasSubstr("output agrees"))));
}

TEST(Invariants, NoticeEveryStageThatIsOff) {
  const auto off = [](SharedMatrix& matrix) {
    matrix.edit([](Matrix& values) { values(0, 0) += 0.1f * values.cwiseAbs().minCoeff() + 0.1f; });
  };
  EXPECT_THAT(broken_by([&](Trace& t) { off(t.heads[0].Q); }), Contains(HasSubstr("Q agrees")));
  EXPECT_THAT(broken_by([&](Trace& t) { off(t.heads[1].K); }), Contains(HasSubstr("K agrees")));
  EXPECT_THAT(broken_by([&](Trace& t) { off(t.heads[2].V); }), Contains(HasSubstr("V agrees")));
  EXPECT_THAT(broken_by([&](Trace& t) { off(t.heads[0].scores); }),
              Contains(testing::StartsWith("scores agrees")));
  EXPECT_THAT(broken_by([&](Trace& t) { off(t.heads[0].scaled_scores); }),
              Contains(HasSubstr("scaled_scores agrees")));
  EXPECT_THAT(
      broken_by([](Trace& t) { t.heads[0].masked_scores.edit([](Matrix& m) { m(0, 1) = 0; }); }),
      Contains(HasSubstr("masked_scores agrees")));
  EXPECT_THAT(broken_by([&](Trace& t) { off(t.heads[0].weights); }),
              Contains(HasSubstr("weights agrees")));
  EXPECT_THAT(broken_by([&](Trace& t) { off(t.heads[0].head_output); }),
              Contains(HasSubstr("head_output agrees")));
  EXPECT_THAT(broken_by([&](Trace& t) { off(t.concat); }), Contains(HasSubstr("concat agrees")));
}

TEST(Invariants, NoticeInfinityWhereNothingIsMasked) {
  EXPECT_THAT(broken_by([](Trace& trace) {
                trace.concat.edit(
                    [](Matrix& concat) { concat(0, 0) = std::numeric_limits<float>::infinity(); });
              }),
              Contains(HasSubstr("finite")));
}

TEST(Invariants, ErrorsAreNaNWhereTheTraceHoldsNaN) {
  Problem problem = problem_variants()[0];
  problem.X.edit([](Matrix& X) { X(1, 1) = std::nanf(""); });
  Evaluator evaluator;
  for (const Invariant& invariant : check_invariants(problem, evaluator.evaluate(problem))) {
    if (invariant.name == "masked weights are exactly 0") continue;
    EXPECT_TRUE(std::isnan(invariant.error)) << invariant.name;
    EXPECT_FALSE(invariant.holds()) << invariant.name;
  }
}

}  // namespace
}  // namespace attention::test
