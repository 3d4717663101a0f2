// The smallest change of a layer's weights that gives a network another answer.
#include "core/solve/answer_solver.h"

#include <gmock/gmock.h>

#include "core/network/layer_matrix.h"
#include "core/network/layer_problem.h"
#include "core/network/network_evaluator.h"
#include "core/tests/random_network.h"

namespace attention::test {
namespace {

using network::Answer;
using network::AnswerRequest;
using network::AnswerSolution;
using network::find_attention;
using network::LayerId;
using network::Network;
using network::NetworkEvaluator;
using network::NetworkTrace;
using network::Sublayer;
using network::Tokens;
using testing::Field;
using testing::Optional;

class SolveAnswer : public testing::Test {
 protected:
  float answer_of(const Network& network, const Answer& answer) {
    const NetworkTrace& trace = evaluator_.evaluate(network, text_, interventions_);
    const Matrix row = trace.stack.final.row(answer.row);
    return logit_of(answer, network::logits(network, row, evaluator_.pool()).row(0));
  }
  Problem layer_of(const Network& network) {
    const NetworkTrace& trace = evaluator_.evaluate(network, text_, interventions_);
    return layer_problem(network, trace, interventions_, at_, evaluator_.pool());
  }
  AnswerSolution solve(const Network& network, std::vector<network::TargetAnswer> targets,
                       std::vector<FreeRow> free) {
    const Problem shown = layer_of(network);
    return network::solve_answer(
        {network, text_, interventions_, at_, shown, std::move(targets), std::move(free)});
  }
  static std::vector<FreeRow> queries_and_values(const Problem& problem) {
    std::vector<FreeRow> rows = free_rows(problem, MatrixId::kWQ, 2);
    for (const FreeRow& row : free_rows(problem, MatrixId::kWV, 1)) rows.push_back(row);
    return rows;
  }
  // The network with these matrices of the layer.
  Network changed(Network network, const Problem& layer) const {
    auto& attention = *find_attention(network, at_);
    set_layer_matrix(attention, MatrixId::kWQ, 2, *layer.parameters.heads[2].W_Q);
    set_layer_matrix(attention, MatrixId::kWV, 1, *layer.parameters.kv_heads[1].W_V);
    return network;
  }

  const Tokens text_{{3, 1, 4, 1, 5, 9, 2, 6}, {}, {}};
  const LayerId at_{Sublayer::kSelf, 1};
  network::Interventions interventions_ = {.gains = {{{Sublayer::kSelf, 2}, 0, 0.5f}}};
  NetworkEvaluator evaluator_;
};

TEST_F(SolveAnswer, IsWhatWasWantedInEveryFamily) {
  PortableRandom random(41);
  for (const Network& network : {random_network({}, random), random_rotary_network({}, random),
                                 random_normed_network({}, random)}) {
    const Answer asked{6, 3, 7}, kept{5, 2, {}};
    const float before = answer_of(network, asked), other = answer_of(network, kept);
    const Problem layer = layer_of(network);
    const auto [fault, solution] =
        solve(network, {{asked, before + 0.5f}, {kept}}, queries_and_values(layer));
    ASSERT_FALSE(fault);
    EXPECT_TRUE(solution.reached);
    EXPECT_LT(solution.excess, 1e-2);
    const Network after = changed(network, solution.problem);
    EXPECT_NEAR(answer_of(after, asked), before + 0.5f, 2e-3);
    EXPECT_NEAR(answer_of(after, kept), other, 2e-3);
    EXPECT_GT(solution.size, 0);
    EXPECT_EQ(*solution.problem.parameters.W_O, *layer.parameters.W_O) << "locked";
  }
}

// Of a number of weights that the answer depends on linearly, the smallest change is known.
TEST_F(SolveAnswer, OfTheReadOutsLastLayerIsTheClosedForm) {
  PortableRandom random(42);
  interventions_ = {};
  Network network = random_network({.layers = 2}, random);
  network::Linear& down = network.stack.blocks.back().mlp.down;
  down.W = network::StoredMatrix(SharedMatrix(Matrix(Matrix::Zero(down.W.rows(), down.W.cols()))));
  network.stack.final_norm.reset();
  const Answer asked{6, 3, 7};
  const float before = answer_of(network, asked);
  const Problem layer = layer_of(network);
  const auto [fault, solution] =
      solve(network, {{asked, before + 1}}, free_rows(layer, MatrixId::kBO, 0));
  ASSERT_FALSE(fault);
  EXPECT_TRUE(solution.reached);
  Matrix unembedded(1, layer.config.d_out);
  for (Index i = 0; i < unembedded.cols(); ++i) {
    Network moved = network;
    Matrix b = *layer.parameters.b_O;
    b(0, i) += 1;
    set_layer_matrix(*find_attention(moved, at_), MatrixId::kBO, 0, b);
    unembedded(0, i) = answer_of(moved, asked) - before;
  }
  const Matrix targets = unembedded / unembedded.squaredNorm();
  const Matrix found = *solution.problem.parameters.b_O - *layer.parameters.b_O;
  EXPECT_LT((found - targets).norm(), 1e-3f * targets.norm());
}

TEST_F(SolveAnswer, SaysWhatIsWrong) {
  PortableRandom random(43);
  const Network network = random_network({}, random);
  const Problem layer = layer_of(network);
  const Answer asked{6, 3, {}};
  const auto type = [](SolveFaultType targets) {
    return Optional(Field(&SolveFault::type, targets));
  };
  const auto free = queries_and_values(layer);
  EXPECT_THAT(solve(network, {{asked}}, free).fault, type(SolveFaultType::kNothingRequested));
  EXPECT_THAT(solve(network, {{asked, 1.0f}}, {}).fault, type(SolveFaultType::kNothingFree));
  EXPECT_THAT(solve(network, {{asked, 1.0f}, {asked}}, free).fault, type(SolveFaultType::kTwice));
  EXPECT_THROW(solve(network, {{{9, 3, {}}, 1.0f}}, free), std::invalid_argument);
  EXPECT_THROW(solve(network, {{asked, 1.0f}}, free_rows(layer, MatrixId::kX, 0)),
               std::invalid_argument);
  interventions_.gains = {{at_, 2, 0}};
  EXPECT_THAT(solve(network, {{asked, 1.0f}}, free_rows(layer, MatrixId::kWQ, 2)).fault,
              type(SolveFaultType::kUnmoved))
      << "the head is muted";
}

}  // namespace
}  // namespace attention::test
