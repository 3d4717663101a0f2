// For every cell of every variant: the parts give the cell, and every operand is the number in its
// cell, so that a reader can walk from any cell back to the embeddings and parameters.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "core/tests/explained.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

// The allowed difference between float32 and the sum in double precision, relative to the size of
// the terms.
constexpr double kRounding = 2e-6;

using Visit = std::function<void(const Explained&, const Explanation&)>;

void visit_stage(const Explained& explained, Stage stage, const Visit& visit) {
  for (Index h = 0; h < head_count(explained.trace(), stage); ++h) {
    const Matrix& matrix = explained.matrix(stage, h);
    for (Index i = 0; i < matrix.rows(); ++i) {
      for (Index j = 0; j < matrix.cols(); ++j) {
        SCOPED_TRACE(testing::Message()
                     << stage_name(stage) << " of head " << h << " (" << i << ", " << j << ")");
        visit(explained, explained.at(stage, h, i, j));
      }
    }
  }
}

// Every cell of every stage of every variant.
void visit_all(const Visit& visit) {
  const std::vector<Problem> variants = problem_variants();
  for (size_t number = 0; number < variants.size(); ++number) {
    SCOPED_TRACE(testing::Message() << "variant " << number);
    const Explained explained(variants[number]);
    for (const Stage stage : kAllStages) visit_stage(explained, stage, visit);
  }
}

bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// "sin" and "distance" carry the sign with which they enter the sum.
bool is_at_its_place(const Explained& explained, const Operand& operand) {
  const float found = explained.value_at(operand.cell);
  const bool has_sign = operand.cell.matrix == "sin" || operand.cell.matrix == "distance";
  return same(found, operand.value) || (has_sign && same(found, -operand.value));
}

TEST(ExplainParts, EveryOperandIsTheNumberAtItsPlace) {
  visit_all([](const Explained& explained, const Explanation& e) {
    for (const Term& term : e.terms) {
      EXPECT_TRUE(is_at_its_place(explained, term.a)) << term.a.cell.matrix;
      if (term.b) {
        EXPECT_TRUE(is_at_its_place(explained, *term.b)) << term.b->cell.matrix;
      }
    }
  });
}

// The expected product of a term: a gain of 0 lets nothing through.
double product_of(const Term& term) {
  if (!term.b) return term.a.value;
  if (term.b->cell.matrix == "gain" && term.b->value == 0.0f) return 0.0;
  return static_cast<double>(term.a.value) * term.b->value;
}

TEST(ExplainParts, RunningSumsAddUpTheProducts) {
  visit_all([](const Explained&, const Explanation& e) {
    double sum = 0;
    for (const Term& term : e.terms) {
      EXPECT_DOUBLE_EQ(term.product, product_of(term));
      sum += product_of(term);
      EXPECT_DOUBLE_EQ(term.running_sum, sum);
    }
  });
}

// The value of the cell according to its terms.
double sum_of_parts(const Explanation& e) {
  if (e.softmax) {
    const double numerator = e.softmax->exponentials.at(static_cast<size_t>(e.col));
    double sum = e.softmax->of_sink;
    for (const double exponential : e.softmax->exponentials) sum += exponential;
    EXPECT_DOUBLE_EQ(e.softmax->denominator, sum);
    return e.softmax->denominator == 0 ? 0 : numerator / e.softmax->denominator;
  }
  if (e.layer_norm) {
    const LayerNormDetails& parts = *e.layer_norm;
    const double shifted = e.terms.at(0).product - parts.mean;
    return shifted / std::sqrt(parts.variance + parts.epsilon) * parts.gamma + parts.beta;
  }
  if (e.head_norm) {
    const HeadNormDetails& parts = *e.head_norm;
    return e.terms.at(0).product / std::sqrt(parts.mean_square + parts.epsilon) * parts.weight;
  }
  if (e.cap > 0) return e.cap * std::tanh(e.terms.at(0).product / e.cap);
  if (e.stage == Stage::kMaskedScores && !e.reasons.empty()) return -INFINITY;
  if (e.terms.empty()) return e.recomputed;
  return e.terms.back().running_sum * e.factor;
}

TEST(ExplainParts, TheResultFollowsFromTheParts) {
  visit_all([](const Explained&, const Explanation& e) {
    const double expected = sum_of_parts(e);
    if (expected != e.recomputed) {  // infinities cannot be subtracted
      EXPECT_NEAR(e.recomputed, expected, 1e-12 * std::max(1.0, std::abs(expected)));
    }
  });
}

// The magnitude of the numbers that the cell was rounded from.
double size_of_parts(const Explained& explained, const Explanation& e) {
  if (e.softmax) return std::max(1.0f, std::abs(e.terms.at(0).a.value));
  if (e.terms.empty()) return 1.0;
  if (e.layer_norm) {
    const LayerNormDetails& parts = *e.layer_norm;
    const double row = explained.matrix(Stage::kResidual, 0).row(e.row).cwiseAbs().maxCoeff();
    const double deviation = std::sqrt(parts.variance + parts.epsilon);
    return std::abs(parts.gamma) * (2 + std::abs(parts.normalised)) * row / deviation +
           std::abs(parts.beta);
  }
  if (e.head_norm) return std::abs(e.head_norm->normalised * e.head_norm->weight);
  double size = 0;
  for (const Term& term : e.terms) size += std::abs(term.product);
  return size * std::max(1.0, e.factor);
}

TEST(ExplainParts, TheResultIsTheCell) {
  visit_all([](const Explained& explained, const Explanation& e) {
    EXPECT_TRUE(same(e.value, explained.matrix(e.stage, e.head)(e.row, e.col)));
    if (e.overridden || e.value == e.recomputed) return;  // infinities cannot be subtracted
    if (std::isinf(e.value) || std::isinf(e.recomputed)) {
      ADD_FAILURE() << "the cell is " << e.value << ", its parts give " << e.recomputed;
      return;
    }
    const double size = size_of_parts(explained, e);
    if (std::isinf(size)) return;  // a masked score of −∞ as the operand of a weight of 0
    EXPECT_NEAR(e.recomputed, e.value, kRounding * size);
  });
}

TEST(ExplainParts, ExactlyTheOverriddenCellsSaySo) {
  for (const Problem& problem : problem_variants()) {
    const Explained explained(problem);
    const Config& config = problem.config;
    size_t expected = 0, found = 0;
    for (const Override& o : problem.overrides) {
      const int sharing = is_per_kv_head(o.stage) ? config.n_heads / kv_head_count(config) : 1;
      for (Index head = o.head; head < o.head + sharing; ++head, ++expected) {
        const Explanation e = explained.at(o.stage, head, o.row, o.col);
        EXPECT_TRUE(e.overridden) << stage_name(o.stage);
        EXPECT_TRUE(same(e.value, o.value)) << stage_name(o.stage);
      }
    }
    for (const Stage stage : kAllStages) {
      visit_stage(explained, stage,
                  [&](const Explained&, const Explanation& e) { found += e.overridden ? 1 : 0; });
    }
    EXPECT_EQ(found, expected);
  }
}

// A stage leads to earlier active ones, so every walk ends: at embeddings, at sinusoids, or at
// parameters.
TEST(ExplainParts, EveryWalkGoesBackToWhatIsGiven) {
  visit_all([](const Explained& explained, const Explanation& e) {
    for (const Term& term : e.terms) {
      const auto from = stage_from_name(term.a.cell.matrix);
      if (!from) continue;
      EXPECT_LT(*from, e.stage);
      const bool X = *from == Stage::kX || *from == Stage::kXKv;
      EXPECT_TRUE(X || is_active(explained.problem(), *from)) << stage_name(*from);
    }
    if (!e.terms.empty()) return;
    const bool sinusoid = explained.problem().config.positions == Positions::kSinusoidal;
    const bool position = e.stage == Stage::kPosition || e.stage == Stage::kPositionKv;
    const bool embedding = e.stage == Stage::kEmbedding || e.stage == Stage::kEmbeddingKv;
    EXPECT_TRUE(embedding || (sinusoid && position));
  });
}

// Collects the names of all operands from a cell down to the inputs.
void walk(const Explained& explained, const Explanation& e, std::set<std::string_view>& names) {
  const auto visit = [&](const Operand& operand) {
    EXPECT_TRUE(is_at_its_place(explained, operand)) << operand.cell.matrix;
    names.insert(operand.cell.matrix);
    const auto& [name, head, row, col] = operand.cell;
    if (const auto stage = stage_from_name(name)) {
      walk(explained, explained.at(*stage, head, row, col), names);
    }
  };
  for (const Term& term : e.terms) {
    visit(term.a);
    if (term.b) visit(*term.b);
  }
}

TEST(ExplainParts, AWalkFromTheLastStageMeetsEveryStep) {
  PortableRandom random(71);
  Config config;
  config.d_model = config.d_k = config.d_v = config.d_out = 2;
  config.positions = Positions::kRotary;
  config.head_norm = true;
  config.score_cap = 3.0f;
  config.dropout_rate = 0.5f;
  config.residual = config.layer_norm = true;
  Problem problem = random_problem(config, 2, 0, random);
  problem.bias = SharedMatrix(random_matrix(2, 2, random));
  problem.parameters.b_O = SharedMatrix(random_matrix(1, 2, random));
  problem.head_mix = {{.mute = false, .solo = false, .scale = 0.5f}};
  const Explained explained(problem);
  std::set<std::string_view> names;
  walk(explained, explained.at(Stage::kLayerNorm, 0, 1, 1), names);
  EXPECT_THAT(names,
              testing::UnorderedElementsAre(
                  "residual", "output", "b_O", "W_O", "concat", "gain", "head_output",
                  "dropped_weights", "weights", "masked_scores", "bias", "capped_scores",
                  "scaled_scores", "scores", "rotated_Q", "rotated_K", "cos", "sin", "normed_Q",
                  "normed_K", "Q", "K", "V", "W_Q", "W_K", "W_V", "X", "embedding"));
}

}  // namespace
}  // namespace attention::test
