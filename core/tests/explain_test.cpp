#include "core/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/evaluator.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The matrix that a CellRef names.
const SharedMatrix& matrix_named(const Problem& problem, const Trace& trace, const CellRef& cell) {
  if (const auto stage = stage_from_name(cell.matrix)) {
    return stage_matrix(problem, trace, *stage, cell.head);
  }
  const HeadParameters& head = problem.parameters.heads.at(static_cast<size_t>(cell.head));
  if (cell.matrix == "X_kv") return problem.X_kv;
  if (cell.matrix == "bias") return problem.bias;
  if (cell.matrix == "W_O") return problem.parameters.W_O;
  if (cell.matrix == "b_O") return problem.parameters.b_O;
  if (cell.matrix == "W_Q") return head.W_Q;
  if (cell.matrix == "W_K") return head.W_K;
  if (cell.matrix == "W_V") return head.W_V;
  if (cell.matrix == "b_Q") return head.b_Q;
  if (cell.matrix == "b_K") return head.b_K;
  if (cell.matrix == "b_V") return head.b_V;
  throw std::out_of_range("no matrix is called " + cell.matrix);
}

class Explained {
 public:
  explicit Explained(Problem problem) : problem_(std::move(problem)) {
    evaluator_.evaluate(problem_);
  }

  const Problem& problem() const { return problem_; }
  const Trace& trace() const { return evaluator_.trace(); }
  Explanation at(Stage stage, Index head, Index row, Index col) const {
    return explain(problem_, trace(), stage, head, row, col);
  }

  void expect_operand(const Operand& operand) const {
    const SharedMatrix& matrix = matrix_named(problem_, trace(), operand.cell);
    ASSERT_LT(operand.cell.row, matrix->rows()) << operand.cell.matrix;
    ASSERT_LT(operand.cell.col, matrix->cols()) << operand.cell.matrix;
    EXPECT_EQ(operand.value, (*matrix)(operand.cell.row, operand.cell.col)) << operand.cell.matrix;
  }

  // Every operand is the number it names, the products add up, and their sum is the cell.
  void expect_parts(const Explanation& e) const {
    double sum = 0, size = 0;
    for (const Term& term : e.terms) {
      expect_operand(term.a);
      if (term.b) expect_operand(*term.b);
      const double product =
          term.b ? static_cast<double>(term.a.value) * term.b->value : term.a.value;
      EXPECT_DOUBLE_EQ(term.product, product);
      sum += product;
      size += std::abs(product);
      EXPECT_DOUBLE_EQ(term.running_sum, sum);
    }
    expect_value(e, sum, size);
  }

 private:
  void expect_value(const Explanation& e, double sum, double size) const {
    EXPECT_EQ(e.value, (*stage_matrix(problem_, trace(), e.stage, e.head))(e.row, e.col));
    if (e.softmax || !e.masked_because.empty() || std::isinf(e.value)) {
      size = 1;
    } else {
      EXPECT_DOUBLE_EQ(e.recomputed, sum * e.factor);
    }
    if (e.value == e.recomputed) return;  // infinities have no difference
    EXPECT_NEAR(e.recomputed, e.value, 2e-6 * size);
  }

  Problem problem_;
  Evaluator evaluator_;
};

class ExplainEveryStage : public testing::TestWithParam<size_t> {};

TEST_P(ExplainEveryStage, PartsAddUpToEveryCell) {
  const Explained explained(problem_variants()[GetParam()]);
  for (const Stage stage : kAllStages) {
    for (Index h = 0; h < head_count(explained.trace(), stage); ++h) {
      const Shape shape = stage_matrix(explained.problem(), explained.trace(), stage, h).shape();
      for (Index i = 0; i < shape.rows; ++i) {
        for (Index j = 0; j < shape.cols; ++j) {
          SCOPED_TRACE(testing::Message()
                       << stage_name(stage) << " of head " << h << " (" << i << ", " << j << ")");
          explained.expect_parts(explained.at(stage, h, i, j));
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, ExplainEveryStage, testing::Range<size_t>(0, 5));

enum Variant { kPlain, kMasked, kCross, kUnscaled, kTemperature };

Explained variant(Variant number) { return Explained(problem_variants()[number]); }

TEST(Explain, AProjectionHasATermForEveryFeatureAndTheBiasLast) {
  const Explained cross = variant(kCross);
  const Explanation e = cross.at(Stage::kK, 2, 6, 1);
  ASSERT_THAT(e.terms, SizeIs(7));
  EXPECT_EQ(e.terms[4].a.cell, (CellRef{"X_kv", 0, 6, 4}));
  EXPECT_EQ(e.terms[4].b->cell, (CellRef{"W_K", 2, 4, 1}));
  EXPECT_EQ(e.terms[6].a.cell, (CellRef{"b_K", 2, 0, 1}));
  EXPECT_FALSE(e.terms[6].b);
}

TEST(Explain, KeysComeFromXInSelfAttention) {
  EXPECT_EQ(variant(kPlain).at(Stage::kV, 1, 3, 2).terms[5].a.cell, (CellRef{"X", 0, 3, 5}));
}

TEST(Explain, AScoreMultipliesQueryAndKeyRows) {
  const Explanation e = variant(kPlain).at(Stage::kScores, 1, 2, 4);
  ASSERT_THAT(e.terms, SizeIs(4));
  EXPECT_EQ(e.terms[3].a.cell, (CellRef{"Q", 1, 2, 3}));
  EXPECT_EQ(e.terms[3].b->cell, (CellRef{"K", 1, 4, 3}));
}

TEST(Explain, AScaledScoreNamesItsFactor) {
  EXPECT_EQ(variant(kPlain).at(Stage::kScaledScores, 0, 0, 0).factor, 0.5);
  EXPECT_EQ(variant(kTemperature).at(Stage::kScaledScores, 0, 0, 0).factor, 2.0);
  EXPECT_EQ(variant(kUnscaled).at(Stage::kScaledScores, 0, 0, 0).factor, 1.0);
}

TEST(Explain, AMaskedScoreAddsTheBias) {
  const Explanation e = variant(kCross).at(Stage::kMaskedScores, 1, 3, 6);
  ASSERT_THAT(e.terms, SizeIs(2));
  EXPECT_EQ(e.terms[0].a.cell, (CellRef{"scaled_scores", 1, 3, 6}));
  EXPECT_EQ(e.terms[1].a.cell, (CellRef{"bias", 0, 3, 6}));
  EXPECT_THAT(e.masked_because, IsEmpty());
}

TEST(Explain, AMaskedCellSaysWhy) {
  const Explained masked = variant(kMasked);
  for (const Stage stage : {Stage::kMaskedScores, Stage::kWeights}) {
    EXPECT_EQ(masked.at(stage, 0, 1, 3).masked_because, "causal mask: key 3 comes after query 1");
    EXPECT_THAT(masked.at(stage, 0, 3, 1).masked_because, HasSubstr("the mask forbids"));
  }
  EXPECT_EQ(masked.at(Stage::kMaskedScores, 0, 1, 3).recomputed, -kInfinity);
  EXPECT_EQ(masked.at(Stage::kWeights, 0, 1, 3).recomputed, 0.0);
}

TEST(Explain, AWeightShowsTheSoftmaxOfItsRow) {
  const Explained plain = variant(kPlain);
  const Explanation e = plain.at(Stage::kWeights, 2, 1, 3);
  const RowVector row = plain.trace().heads[2].masked_scores->row(1);
  ASSERT_TRUE(e.softmax);
  EXPECT_EQ(e.softmax->maximum, row.maxCoeff());
  ASSERT_THAT(e.softmax->exponentials, SizeIs(5));
  double sum = 0;
  for (Index j = 0; j < 5; ++j) {
    const double wanted = std::exp(static_cast<double>(row(j)) - row.maxCoeff());
    EXPECT_DOUBLE_EQ(e.softmax->exponentials[static_cast<size_t>(j)], wanted);
    sum += wanted;
  }
  EXPECT_DOUBLE_EQ(e.softmax->denominator, sum);
  EXPECT_DOUBLE_EQ(e.recomputed, std::exp(static_cast<double>(row(3)) - row.maxCoeff()) / sum);
}

TEST(Explain, ADeadRowHasDenominatorZeroAndWeightZero) {
  const Explanation e = variant(kMasked).at(Stage::kWeights, 0, 3, 0);
  EXPECT_EQ(e.softmax->maximum, -std::numeric_limits<float>::infinity());
  EXPECT_EQ(e.softmax->denominator, 0.0);
  EXPECT_EQ(e.recomputed, 0.0);
  EXPECT_EQ(e.value, 0.0f);
}

TEST(Explain, AWeightOfARowWithNaNIsNaN) {
  Problem problem = problem_variants()[kPlain];
  problem.X.edit([](Matrix& X) { X(2, 0) = std::nanf(""); });
  const Explanation e = Explained(problem).at(Stage::kWeights, 0, 2, 1);
  EXPECT_TRUE(std::isnan(e.value));
  EXPECT_TRUE(std::isnan(e.recomputed));
}

TEST(Explain, AConcatCellComesFromTheHeadItBelongsTo) {
  const Explanation e = variant(kPlain).at(Stage::kConcat, 0, 4, 7);
  ASSERT_THAT(e.terms, SizeIs(1));
  EXPECT_EQ(e.terms[0].a.cell, (CellRef{"head_output", 2, 4, 1}));
}

TEST(Explain, TheOutputMultipliesConcatByW_O) {
  const Explanation e = variant(kCross).at(Stage::kOutput, 0, 3, 4);
  ASSERT_THAT(e.terms, SizeIs(10));
  EXPECT_EQ(e.terms[8].a.cell, (CellRef{"concat", 0, 3, 8}));
  EXPECT_EQ(e.terms[8].b->cell, (CellRef{"W_O", 0, 8, 4}));
  EXPECT_EQ(e.terms[9].a.cell, (CellRef{"b_O", 0, 0, 4}));
}

TEST(Explain, TheHeadIsIgnoredWhereThereIsOnlyOneMatrix) {
  EXPECT_EQ(variant(kPlain).at(Stage::kOutput, 99, 0, 0).head, 0);
  EXPECT_EQ(variant(kPlain).at(Stage::kX, -1, 0, 0).terms.size(), 1u);
}

TEST(Explain, ThrowsForACellThatIsNotThere) {
  const Explained plain = variant(kPlain);
  EXPECT_THROW(plain.at(Stage::kWeights, 3, 0, 0), std::out_of_range);
  EXPECT_THROW(plain.at(Stage::kWeights, -1, 0, 0), std::out_of_range);
  EXPECT_THROW(plain.at(Stage::kWeights, 0, 5, 0), std::out_of_range);
  EXPECT_THROW(plain.at(Stage::kWeights, 0, 0, -1), std::out_of_range);
  EXPECT_THROW(plain.at(Stage::kConcat, 0, 0, 9), std::out_of_range);
  EXPECT_THAT([&] { plain.at(Stage::kQ, 0, 0, 4); },
              testing::ThrowsMessage<std::out_of_range>(HasSubstr("Q is 5 × 4")));
}

TEST(Explain, ThrowsOnATraceThatWasNeverComputed) {
  const Problem problem = problem_variants()[kPlain];
  EXPECT_THROW(explain(problem, Trace(), Stage::kWeights, 0, 0, 0), std::out_of_range);
  EXPECT_THROW(explain(problem, Trace(), Stage::kConcat, 0, 0, 0), std::out_of_range);
}

}  // namespace
}  // namespace attention::test
