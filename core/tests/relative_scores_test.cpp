// Scores by distance: what they mean, said in a second way, in a layer and in a network.

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <set>

#include "core/analysis/invariants.h"
#include "core/explain/explain.h"
#include "core/gradient/network_gradient.h"
#include "core/layer/evaluator.h"
#include "core/network/absorb_layer.h"
#include "core/network/encoders/distance_scores.h"
#include "core/network/layer_problem.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/random_network.h"

namespace attention::test {
namespace {

using network::CellOverride;
using network::DistanceScores;
using network::Interventions;
using network::LayerId;
using network::Network;
using network::NetworkEvaluator;
using network::StoredMatrix;
using network::Sublayer;
using ::testing::HasSubstr;

DistanceScores scores_of(Index rows, Index buckets, Index largest) {
  DistanceScores scores;
  scores.embedding = StoredMatrix(SharedMatrix(Matrix(Matrix::Zero(rows, 1))));
  scores.buckets = buckets;
  scores.largest_distance = largest;
  return scores;
}

std::vector<Index> rows_of(const DistanceScores& scores, const std::vector<Index>& distances) {
  std::vector<Index> rows;
  for (const Index distance : distances) rows.push_back(distance_row(scores, distance));
  return rows;
}

TEST(DistanceRow, IsTheDistanceItselfWithoutBuckets) {
  EXPECT_EQ(rows_of(scores_of(8, 0, 1), {-9, -5, -4, -1, 0, 1, 3, 4, 9}),
            (std::vector<Index>{0, 0, 0, 3, 4, 5, 7, 7, 7}));
}

// What make_log_bucket_position() of transformers 5.24 gives, plus the span, within 0 … 2 span − 1.
TEST(DistanceRow, IsThatOfTheReferencesBuckets) {
  const std::vector<Index> asked = {-600, -511, -300, -130, -40, -9, -8,  -5,  -4,  -3, 0,
                                    3,    4,    5,    8,    9,   40, 130, 300, 511, 600};
  EXPECT_EQ(rows_of(scores_of(512, 256, 512), asked),
            (std::vector<Index>{0,   1,   49,  126, 216, 247, 248, 251, 252, 253, 256,
                                259, 260, 261, 264, 265, 296, 386, 463, 511, 511}));
  EXPECT_EQ(rows_of(scores_of(16, 8, 66), asked),
            (std::vector<Index>{0,  0,  0,  0,  1,  3,  3,  3,  4,  5, 8,
                                11, 12, 13, 13, 13, 15, 15, 15, 15, 15}));
}

// A layer of five tokens with scores of every kind.
Problem layer_by_distance(std::uint64_t seed) {
  PortableRandom random(seed);
  Problem problem = random_problem(variant_config(), 5, 0, random);
  add_biases(problem, random);
  problem.relative = random_relative(problem, true, true, random);
  return problem;
}

TEST(RelativeScores, AreThoseOfTheDefinition) {
  const Problem problem = layer_by_distance(60);
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  const Matrix& R = *problem.relative->embedding;
  for (std::size_t head = 0; head < 3; ++head) {
    const HeadTrace& stages = trace.heads[head];
    const QueryParameters& q = problem.parameters.heads[head];
    const KeyValueParameters& kv = problem.parameters.kv_heads[head];
    for (Index i = 0; i < 5; ++i)
      for (Index j = 0; j < 5; ++j) {
        const Index row = std::clamp<Index>(i - j + 3, 0, 5);
        const RowVector key = R.row(row) * *kv.W_K + *kv.b_K;
        const RowVector query = R.row(row) * *q.W_Q + *q.b_Q;
        const float of_key = stages.Q->row(i).dot(key), of_query = query.dot(stages.K->row(j));
        EXPECT_NEAR((*stages.content_to_position)(i, j), of_key, 1e-4);
        EXPECT_NEAR((*stages.position_to_content)(i, j), of_query, 1e-4);
        EXPECT_NEAR((*stages.summed_scores)(i, j), (*stages.scores)(i, j) + of_key + of_query,
                    1e-4);
      }
  }
}

TEST(RelativeScores, OfNoKindAreNone) {
  Problem problem = layer_by_distance(61), plain = problem;
  problem.relative->content_to_position = problem.relative->position_to_content = false;
  plain.relative.reset();
  Evaluator one, other;
  EXPECT_TRUE(all_identical(*one.evaluate(problem).output, *other.evaluate(plain).output));
  EXPECT_TRUE(one.trace().heads[0].content_to_position.empty());
}

TEST(RelativeScores, AnOverrideOfOneChangesTheSumAndWhatFollows) {
  Problem problem = layer_by_distance(62);
  Evaluator evaluator;
  evaluator.evaluate(problem);
  const float before = (*evaluator.trace().heads[1].summed_scores)(2, 3);
  const float old = (*evaluator.trace().heads[1].content_to_position)(2, 3);
  problem.overrides = {{Stage::kContentToPosition, 1, 2, 3, old + 1.5f}};
  evaluator.evaluate(problem);
  EXPECT_NEAR((*evaluator.trace().heads[1].summed_scores)(2, 3), before + 1.5f, 1e-5);
  std::set<Stage> stages;
  for (const Recomputation& part : evaluator.report().parts) stages.insert(part.stage);
  EXPECT_TRUE(stages.contains(Stage::kSummedScores) && stages.contains(Stage::kOutput));
  EXPECT_FALSE(stages.contains(Stage::kQ));
}

TEST(RelativeScores, AreExplainedByTheRowOfTheirDistance) {
  const Problem problem = layer_by_distance(63);
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  const Explanation e = explain(problem, trace, Stage::kPositionToContent, 2, 1, 4);
  EXPECT_EQ(e.distance, -3);
  ASSERT_EQ(e.terms.size(), 4);
  EXPECT_EQ(e.terms[1].a.cell, (CellRef{"P_Q", 2, 0, 1}));
  EXPECT_EQ(e.terms[1].b->cell, (CellRef{"K", 2, 4, 1}));
  EXPECT_NEAR(e.recomputed, e.value, 1e-5);
  const Explanation sum = explain(problem, trace, Stage::kSummedScores, 2, 1, 4);
  ASSERT_EQ(sum.terms.size(), 3);
  EXPECT_EQ(sum.terms[2].a.cell.matrix, "position_to_content");
  EXPECT_NEAR(sum.recomputed, sum.value, 1e-5);
}

TEST(RelativeScores, ThatDoNotFitAreRefused) {
  const auto refusal = [](auto change) {
    return test::complaint(layer_by_distance(64), [&](Problem& p) { change(*p.relative); });
  };
  EXPECT_EQ(refusal([](RelativePositions&) {}), "");
  EXPECT_THAT(refusal([](RelativePositions& r) { r.distances.rows.pop_back(); }),
              HasSubstr("distances"));
  EXPECT_THAT(refusal([](RelativePositions& r) { r.distances.rows[2] = 6; }), HasSubstr("among 6"));
  EXPECT_THAT(refusal([](RelativePositions& r) { r.embedding = SharedMatrix(Matrix::Ones(6, 5)); }),
              HasSubstr("embedding of distances"));
  EXPECT_THAT(refusal([](RelativePositions& r) { r.maps.resize(2); }), HasSubstr("2 heads"));
}

// Three layers, the first with buckets; the answer is a logit.
struct AskedNetwork {
  Network network;
  NetworkEvaluator evaluator;
  const network::Tokens tokens{{3, 1, 4, 1, 5, 9, 2, 6}, {}, {}};
  const network::Answer answer{5, 3, 7};

  AskedNetwork() {
    PortableRandom random(71);
    network = random_distance_network({}, random);
  }
  double logit(const Interventions& interventions = {}) {
    const auto& trace = evaluator.evaluate(network, tokens, interventions);
    const Matrix row = trace.stack.final.row(answer.row);
    return network::logit_of(answer, logits(network, row, evaluator.pool()).row(0));
  }
  network::NetworkGradient gradient() {
    return gradient_of_answer({network, {}, evaluator.evaluate(network, tokens), evaluator.pool()},
                              answer);
  }
};

// The quotient of differences by a number of a matrix of the network.
double quotient(AskedNetwork& asked, StoredMatrix& matrix, Index row, Index col) {
  constexpr float kStep = 0.0078125f;
  const Matrix values = matrix.values();
  const auto at = [&](float by) {
    Matrix moved = values;
    moved(row, col) += by;
    matrix = StoredMatrix(SharedMatrix(std::move(moved)));
    return asked.logit();
  };
  const double result = (at(kStep) - at(-kStep)) / (2 * static_cast<double>(kStep));
  matrix = StoredMatrix(SharedMatrix(Matrix(values)));
  return result;
}

void expect_gradient(AskedNetwork& asked, StoredMatrix& matrix, const Matrix& gradient) {
  ASSERT_EQ(gradient.rows(), matrix.rows());
  ASSERT_EQ(gradient.cols(), matrix.cols());
  const double within = 2e-2 * gradient.cwiseAbs().maxCoeff();
  for (Index turn = 0; turn < 6; ++turn) {
    const Index row = (5 * turn + 2) % matrix.rows(), col = (7 * turn + 3) % matrix.cols();
    EXPECT_NEAR(gradient(row, col), quotient(asked, matrix, row, col), within) << row << " " << col;
  }
}

TEST(RelativeScores, OfANetworkHaveTheGradientOfDifferences) {
  AskedNetwork asked;
  const network::NetworkGradient gradient = asked.gradient();
  auto& blocks = asked.network.stack.blocks;
  for (const std::size_t layer : {0, 1, 2}) {
    SCOPED_TRACE(layer);
    DistanceScores& scores = *blocks[layer].attention.distance_scores;
    const auto& found = gradient.stack.blocks[layer].distance_scores;
    expect_gradient(asked, scores.embedding, found.embedding);
    if (scores.norm) expect_gradient(asked, scores.norm->weight, found.norm.weight);
    if (scores.shared) continue;
    expect_gradient(asked, scores.query.W, found.query.W);
    expect_gradient(asked, scores.query.b, found.query.b);
    if (scores.content_to_position) expect_gradient(asked, scores.key.W, found.key.W);
  }
}

TEST(AddedConvolution, HasTheGradientOfDifferences) {
  AskedNetwork asked;
  const network::NetworkGradient gradient = asked.gradient();
  for (const std::size_t layer : {0, 2}) {
    SCOPED_TRACE(layer);
    network::AddedConvolution& convolution = *asked.network.stack.blocks[layer].added_convolution;
    const auto& found = gradient.stack.blocks[layer].added_convolution;
    for (std::size_t tap = 0; tap < 3; ++tap)
      expect_gradient(asked, convolution.taps[tap], found.taps[tap]);
    expect_gradient(asked, convolution.bias, found.bias);
    expect_gradient(asked, convolution.norm.weight, found.norm.weight);
  }
}

// Overrides of each kind of score, in the forward pass and in the layer alone.
TEST(RelativeScores, AreReplacedInANetworkAsInItsLayer) {
  AskedNetwork asked;
  const LayerId at{Sublayer::kSelf, 2};
  const double before = asked.logit();
  for (const Stage stage :
       {Stage::kContentToPosition, Stage::kPositionToContent, Stage::kSummedScores}) {
    SCOPED_TRACE(stage_name(stage));
    const Interventions interventions{.overrides = {{at, {stage, 1, 5, 2, 6.0f}}}};
    EXPECT_GT(std::abs(asked.logit(interventions) - before), 1e-4);
    const Problem layer = layer_problem(asked.network, asked.evaluator.trace(), interventions, at,
                                        asked.evaluator.pool());
    Evaluator one;
    one.evaluate(layer);
    EXPECT_TRUE(all_near(*one.trace().heads[1].weights,
                         Matrix(asked.evaluator.trace().stack.head_weights(2, 1)), 1e-6));
    EXPECT_EQ((*stage_matrix(one.trace(), stage, 1))(5, 2), 6.0f);
  }
  const CellOverride absent{{Sublayer::kSelf, 1}, {Stage::kContentToPosition, 1, 4, 2, 6.0f}};
  EXPECT_THROW(asked.logit({.overrides = {absent}}), std::invalid_argument);
}

// W_K of the first layer also makes the keys of distances.
TEST(RelativeScores, FollowAnEditOfTheMapThatTheyShare) {
  AskedNetwork asked;
  const LayerId at{Sublayer::kSelf, 0};
  asked.logit();
  const Problem shown =
      layer_problem(asked.network, asked.evaluator.trace(), {}, at, asked.evaluator.pool());
  Problem edited = shown;
  edited.parameters.kv_heads[2].W_K.edit([](Matrix& W) { W(3, 1) += 2.0f; });
  Evaluator one;
  one.evaluate(shown);
  const Trace edited_stages = one.evaluate(edited);
  asked.network = absorb_layer({asked.network, {}}, at, shown, edited).network;
  asked.logit();
  EXPECT_TRUE(all_near(*edited_stages.heads[2].weights,
                       Matrix(asked.evaluator.trace().stack.head_weights(0, 2)), 1e-6));
  edited.relative->content_to_position = false;
  EXPECT_THROW(absorb_layer({asked.network, {}}, at, shown, edited), std::invalid_argument);
}

// Ones, to which an adapter adds its gain.
class GainedRows : public network::ComputedRows {
 public:
  explicit GainedRows(float gain) : gain_(gain) {}
  void read(Index /*row*/, Index /*first*/, Index count, float* to) const override {
    std::fill_n(to, count, 1 + gain_);
  }
  std::shared_ptr<const network::ComputedRows> with_adapter_gain(float gain) const override {
    return std::make_shared<GainedRows>(gain);
  }

 private:
  float gain_;
};

// The embedding of distances and the maps that make keys and queries of it.
std::vector<StoredMatrix*> matrices_of_distances(Network& network) {
  std::vector<StoredMatrix*> all;
  for (network::Block& block : network.stack.blocks) {
    DistanceScores& scores = *block.attention.distance_scores;
    for (StoredMatrix* matrix : {&scores.embedding, &scores.key.W, &scores.query.W})
      if (!matrix->empty()) all.push_back(matrix);
  }
  return all;
}

TEST(DistanceScores, FollowTheGainOfAnAdapter) {
  PortableRandom random(29);
  Network network = random_distance_network({}, random);
  for (StoredMatrix* matrix : matrices_of_distances(network))
    *matrix = StoredMatrix(std::make_shared<GainedRows>(1.0f), matrix->shape());
  Network halved = with_adapter_gain(network, 0.5f);
  ASSERT_EQ(matrices_of_distances(halved).size(), 7u);
  for (StoredMatrix* matrix : matrices_of_distances(halved))
    EXPECT_TRUE((matrix->values().array() == 1.5f).all());
}

}  // namespace
}  // namespace attention::test
