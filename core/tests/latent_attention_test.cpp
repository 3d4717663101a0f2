// Multi-head latent attention: queries, keys and values from compressed rows.
#include <gmock/gmock.h>

#include <cmath>

#include "core/explain/explain.h"
#include "core/gradient/network_gradient.h"
#include "core/layer/evaluator.h"
#include "core/network/absorb_layer.h"
#include "core/network/latent_input.h"
#include "core/network/layer_matrix.h"
#include "core/network/layer_problem.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/random_network.h"

namespace attention::test {
namespace {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using network::CompressedRow;
using network::gradient_of_answer;
using network::LayerId;
using network::Network;
using network::NetworkEvaluator;
using network::NetworkTrace;
using network::StoredMatrix;
using network::Sublayer;
using network::Tokens;
using ::testing::HasSubstr;

const Tokens kLatentText{{3, 1, 4, 1, 5, 9, 2, 6}, {}, {}};

Network latent_network() {
  PortableRandom random(77);
  return random_latent_network({}, random);
}

// The formula as the paper writes it, in double precision.
class PaperHead {
 public:
  PaperHead(const network::Attention& attention, Index head) : a_(attention), head_(head) {}

  MatrixXd weights(const MatrixXd& x) const {
    const MatrixXd read =
        a_.latent->query ? compressed(*a_.latent->query, x).leftCols(a_.latent->query->rank) : x;
    MatrixXd Q = columns(0, head_ * 8, 8, read);
    const MatrixXd row = compressed(a_.latent->key_value, x);
    MatrixXd K(x.rows(), 8);
    K << columns(1, head_ * 10, 4, row.leftCols(9)), row.rightCols(4);
    turn(Q);
    turn(K);
    MatrixXd scores = Q * K.transpose() * static_cast<double>(a_.score_factor);
    for (Index i = 0; i < scores.rows(); ++i) {
      for (Index j = 0; j < scores.cols(); ++j)
        if (j > i || i - j >= a_.window) scores(i, j) = -1e30;
      scores.row(i) = (scores.row(i).array() - scores.row(i).maxCoeff()).exp();
      scores.row(i) /= scores.row(i).sum();
    }
    return scores;
  }

 private:
  static MatrixXd mapped(const network::Linear& linear, const MatrixXd& x) {
    MatrixXd y = x * linear.W.values().cast<double>();
    y.rowwise() += linear.b.values().row(0).cast<double>();
    return y;
  }
  MatrixXd columns(std::size_t projection, Index first, Index count, const MatrixXd& x) const {
    return mapped(a_.projections[projection], x).middleCols(first, count);
  }
  static MatrixXd compressed(const CompressedRow& row, const MatrixXd& x) {
    MatrixXd y = mapped(row.down, x);
    const RowVectorXd weight = row.norm.weight.values().row(0).cast<double>();
    for (Index i = 0; i < y.rows(); ++i) {
      auto first = y.row(i).head(row.rank);
      const double mean = first.squaredNorm() / static_cast<double>(row.rank);
      first =
          (first / std::sqrt(mean + static_cast<double>(row.norm.epsilon))).cwiseProduct(weight);
    }
    return y;
  }
  // Features 4 and 5, and 6 and 7.
  void turn(MatrixXd& rows) const {
    for (Index i = 0; i < rows.rows(); ++i) {
      for (Index pair = 0; pair < 2; ++pair) {
        const double angle =
            static_cast<double>(i) * a_.rotary->frequencies[static_cast<std::size_t>(pair)];
        const double c = std::cos(angle) * a_.rotary->scale, s = std::sin(angle) * a_.rotary->scale;
        const double a = rows(i, 4 + 2 * pair), b = rows(i, 5 + 2 * pair);
        rows(i, 4 + 2 * pair) = a * c - b * s;
        rows(i, 5 + 2 * pair) = a * s + b * c;
      }
    }
  }

  const network::Attention& a_;
  Index head_;
};

TEST(LatentAttention, HasTheWeightsOfThePapersFormula) {
  const Network network = latent_network();
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(network, kLatentText);
  for (std::size_t layer = 0; layer < 3; ++layer) {
    const network::Block& block = network.stack.blocks[layer];
    Matrix x = *trace.stack.blocks[layer].input;
    normalise(*block.attention_norms.before, x);
    for (Index head = 0; head < 4; ++head) {
      const MatrixXd expected = PaperHead(block.attention, head).weights(x.cast<double>());
      EXPECT_TRUE(all_near(Matrix(trace.stack.head_weights(static_cast<Index>(layer), head)),
                           Matrix(expected.cast<float>()), 1e-5))
          << layer << " " << head;
    }
  }
}

TEST(LatentAttention, IsShownWithTheCompressedRowsAsX) {
  const Network network = latent_network();
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(network, kLatentText);
  const Problem first = layer_problem(network, trace, {}, {}, evaluator.pool());
  EXPECT_EQ(first.input_parts, (InputParts{16, 9, 4, false}));
  EXPECT_EQ(first.config.d_model, 29);
  EXPECT_EQ(first.config.d_k, 8);
  EXPECT_EQ(first.config.d_v, 6);
  EXPECT_EQ(first.rotary_first, 4);
  const Problem second = layer_problem(network, trace, {}, {Sublayer::kSelf, 1}, evaluator.pool());
  EXPECT_EQ(second.input_parts, (InputParts{7, 9, 4, true}));
  const Matrix& W_K = *second.parameters.kv_heads[2].W_K;
  EXPECT_EQ(W_K.topRows(7).cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ(W_K.middleRows(7, 9).leftCols(4),
            network.stack.blocks[1].attention.projections[1].W.columns(20, 4).values());
  EXPECT_EQ(W_K.bottomRightCorner(4, 4), Matrix::Identity(4, 4));
}

// The parts of Q, K and V that are summed are those of the features that they are computed from.
TEST(LatentAttention, IsExplainedByThePartsOfXThatCount) {
  const Network network = latent_network();
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(network, kLatentText);
  const Problem problem = layer_problem(network, trace, {}, {Sublayer::kSelf, 1}, evaluator.pool());
  Evaluator one;
  const Trace& stages = one.evaluate(problem);
  const auto terms_of = [&](Stage stage, Index col) {
    const Explanation e = explain(problem, stages, stage, 2, 5, col);
    EXPECT_NEAR(e.recomputed, e.value, 1e-5);
    std::vector<Index> features;
    for (const Term& term : e.terms)
      if (term.b) features.push_back(term.a.cell.col);
    return features;
  };
  EXPECT_EQ(terms_of(Stage::kQ, 4), (std::vector<Index>{0, 1, 2, 3, 4, 5, 6}));
  const std::vector<Index> compressed = {7, 8, 9, 10, 11, 12, 13, 14, 15};
  EXPECT_EQ(terms_of(Stage::kK, 2), compressed);
  EXPECT_EQ(terms_of(Stage::kK, 5), (std::vector<Index>{17}));
  EXPECT_EQ(terms_of(Stage::kV, 5), compressed);
}

std::string refusal_of_weight(MatrixId id, Index row, Index col) {
  Network network = latent_network();
  network::Attention& attention = network.stack.blocks[1].attention;
  const network::Attention before = attention;
  Matrix values = layer_matrix_values(attention, id, 2);
  values(row, col) += 0.5f;
  try {
    set_layer_matrix(attention, id, 2, values);
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(attention, before);
    return error.what();
  }
  EXPECT_EQ(layer_matrix_values(attention, id, 2), values);
  EXPECT_FALSE(attention == before);
  return "";
}

TEST(LatentAttention, RefusesNumbersThatNoNetworkCouldHave) {
  EXPECT_EQ(refusal_of_weight(MatrixId::kWQ, 6, 6), "");
  EXPECT_EQ(refusal_of_weight(MatrixId::kWK, 7, 2), "");
  EXPECT_EQ(refusal_of_weight(MatrixId::kWV, 15, 5), "");
  EXPECT_EQ(refusal_of_weight(MatrixId::kBK, 0, 2), "");
  EXPECT_THAT(refusal_of_weight(MatrixId::kWQ, 7, 0),
              HasSubstr("W_Q[7, 0] is 0 in latent attention"));
  EXPECT_THAT(refusal_of_weight(MatrixId::kWK, 16, 4), HasSubstr("is copied from X"));
  EXPECT_THAT(refusal_of_weight(MatrixId::kWK, 6, 0), HasSubstr("reads only its part of X"));
  EXPECT_THAT(refusal_of_weight(MatrixId::kBK, 0, 4), HasSubstr("b_K[0, 4]"));
  EXPECT_THAT(refusal_of_weight(MatrixId::kWV, 16, 0), HasSubstr("W_V[16, 0]"));
}

TEST(LatentAttention, FixedNumbersMoveNothing) {
  const Network network = latent_network();
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(network, kLatentText);
  const LayerId at{Sublayer::kSelf, 1};
  const Problem problem = layer_problem(network, trace, {}, at, evaluator.pool());
  Evaluator one;
  const LayerGradient gradient =
      gradient_of(problem, one.evaluate(problem), cell_seed(problem, Stage::kWeights, 2, 6, 3));
  std::size_t moved = 0;
  for_each_parameter(gradient.parameters, [&](const MatrixInfo& info, Index, const Matrix& d) {
    for (Index row = 0; row < d.rows(); ++row) {
      for (Index col = 0; col < d.cols(); ++col) {
        if (is_fixed(problem, info.id, row, col))
          EXPECT_EQ(d(row, col), 0) << info.name;
        else if (d(row, col) != 0)
          ++moved;
      }
    }
  });
  EXPECT_GT(moved, 60u);
}

// The gradient by the maps to the compressed rows and by their norms, against differences.
TEST(LatentAttention, TheGradientReachesTheCompressedRows) {
  const network::Answer answer{6, 3, 7};
  const auto value_of = [&](const Network& network) {
    NetworkEvaluator evaluator;
    const NetworkTrace& trace = evaluator.evaluate(network, kLatentText);
    const Matrix row = trace.stack.final.row(answer.row);
    return static_cast<double>(logit_of(answer, logits(network, row, evaluator.pool()).row(0)));
  };
  const Network network = latent_network();
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(network, kLatentText);
  const auto gradient = gradient_of_answer({network, {}, trace, evaluator.pool()}, answer);
  const auto check = [&](const Matrix& d, auto matrix_in, Index row, Index col) {
    constexpr float kStep = 0.0078125f;
    const auto moved = [&](float by) {
      Network changed = network;
      StoredMatrix& stored = matrix_in(*changed.stack.blocks[1].attention.latent);
      Matrix values = stored.values();
      values(row, col) += by;
      stored = StoredMatrix(SharedMatrix(std::move(values)));
      return value_of(changed);
    };
    EXPECT_NEAR(d(row, col), (moved(kStep) - moved(-kStep)) / (2 * static_cast<double>(kStep)),
                6e-3 * d.cwiseAbs().maxCoeff())
        << row << " " << col;
  };
  const auto& latent = gradient.stack.blocks[1].latent;
  using network::LatentAttention;
  for (const Index i : {0, 3, 6}) {
    check(
        latent.query.down.W, [](LatentAttention & l) -> auto& { return l.query->down.W; }, 2 * i,
        i);
    check(
        latent.query.norm.weight, [](LatentAttention & l) -> auto& { return l.query->norm.weight; },
        0, i);
    check(
        latent.key_value.down.W, [](LatentAttention & l) -> auto& { return l.key_value.down.W; }, i,
        2 * i);
    check(
        latent.key_value.down.b, [](LatentAttention & l) -> auto& { return l.key_value.down.b; }, 0,
        2 * i);
    check(
        latent.key_value.norm.weight,
        [](LatentAttention & l) -> auto& { return l.key_value.norm.weight; }, 0, i);
  }
}

// A number of X that is replaced is replaced in the forward pass, too.
TEST(LatentAttention, ACompressedRowCanBeOverridden) {
  const Network network = latent_network();
  const LayerId at{Sublayer::kSelf, 1};
  NetworkEvaluator evaluator;
  for (const Index col : {2, 10, 18}) {
    const network::Interventions all{.overrides = {{at, {Stage::kX, 0, 3, col, 2.5f}}}};
    const NetworkTrace& trace = evaluator.evaluate(network, kLatentText, all);
    const Problem problem = layer_problem(network, trace, all, at, evaluator.pool());
    Evaluator one;
    const Trace& stages = one.evaluate(problem);
    EXPECT_EQ((*stages.X)(3, col), 2.5f);
    NetworkEvaluator plain;
    const Matrix before = plain.evaluate(network, kLatentText).stack.head_weights(1, 2);
    const Matrix after = trace.stack.head_weights(1, 2);
    EXPECT_TRUE(all_near(*stages.heads[2].weights, after, 1e-6));
    EXPECT_GT((after - before).cwiseAbs().maxCoeff(), 1e-4) << col;
  }
}

}  // namespace
}  // namespace attention::test
