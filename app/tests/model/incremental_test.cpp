#include <cmath>
#include <utility>
#include <vector>

#include "app/tests/model/random_network_editor.h"
#include "app/tests/model/support.h"
#include "core/tests/matrix_compare.h"

// Whatever is edited, an evaluator that computes only what depends on it gives what a new one
// gives, and says truly what it computed.

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::network::NetworkEvaluator;
using attention::network::NetworkTrace;
using attention::network::StackReport;
using attention::network::StackTrace;
using attention::test::all_identical;
using attention::test::all_near;
using attention::test::all_near_relative;

constexpr int kEdits = 10'000;
constexpr double kTolerance = 3e-6;
constexpr float kLastBits = 0x1p-22f;
constexpr double kReach = 4;  // sums are rounded at every step, not only in the tokens' vectors
constexpr double kReachOfNarrowGates = 8;  // norms make what few numbers give as large as a row

// Calls visit(name, matrix, the same matrix of the other) for all that is kept of a stack.
template <typename Visit>
void for_each_matrix(const StackTrace& a, const StackTrace& b, Visit visit) {
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  for (std::size_t layer = 0; layer < a.blocks.size(); ++layer) {
    const std::string name = " of layer " + std::to_string(layer);
    visit("input" + name, *a.blocks[layer].input, *b.blocks[layer].input);
    visit("weights" + name, *a.blocks[layer].weights, *b.blocks[layer].weights);
    visit("cross weights" + name, *a.blocks[layer].cross_weights, *b.blocks[layer].cross_weights);
  }
  visit("last", *a.last, *b.last);
  visit("final", a.final, b.final);
}

template <typename Visit>
void for_each_matrix(const NetworkTrace& a, const NetworkTrace& b, Visit visit) {
  for_each_matrix(a.stack, b.stack, visit);
  ASSERT_EQ(a.encoder.has_value(), b.encoder.has_value());
  if (a.encoder) for_each_matrix(*a.encoder, *b.encoder, visit);
}

// What the report calls unchanged is the same bit for bit.
void expect_kept(const StackTrace& before, const StackTrace& now, const StackReport& report) {
  const auto first_layer = static_cast<std::size_t>(report.first_layer);
  for (std::size_t layer = 0; layer < first_layer; ++layer) {
    EXPECT_TRUE(all_identical(*now.blocks[layer].input, *before.blocks[layer].input)) << layer;
    EXPECT_TRUE(all_identical(*now.blocks[layer].weights, *before.blocks[layer].weights)) << layer;
  }
  const Index kept = report.first_row;
  EXPECT_TRUE(all_identical(now.last->topRows(kept), before.last->topRows(kept)));
}

// The forward pass when every number of the tokens' vectors differs in its last bits: how far
// rounding reaches where an edit has made a network sensitive.
NetworkTrace shaken(const NetworkState& state) {
  attention::network::Network network = state.network;
  const auto shake = [](attention::network::StoredMatrix& table) {
    Matrix numbers = table.values();
    for (Index i = 0; i < numbers.size(); ++i)
      numbers.data()[i] *= i % 2 == 0 ? 1 + kLastBits : 1 - kLastBits;
    table = attention::network::StoredMatrix(attention::SharedMatrix(std::move(numbers)));
  };
  shake(network.stack.embedding.tokens);
  if (auto& inputs = network.stack.embedding.layer_inputs) shake(inputs->tokens);
  NetworkEvaluator evaluator;
  return evaluator.evaluate(network, state.tokens, state.interventions);
}

double largest_of(const Matrix& values) {
  double largest = 0;
  for (Index i = 0; i < values.size(); ++i)
    if (std::isfinite(values.data()[i]))
      largest = std::max(largest, std::abs(static_cast<double>(values.data()[i])));
  return largest;
}

// True when every number is that of a new evaluator but for rounding.
bool equal_but_for_rounding(const NetworkTrace& found, const NetworkTrace& fresh,
                            const NetworkState& state) {
  bool equal = true;
  for_each_matrix(found, fresh, [&](const std::string&, const Matrix& a, const Matrix& b) {
    equal = equal && all_near_relative(a, b, kTolerance);
  });
  if (equal) return true;
  const NetworkTrace other = shaken(state);
  std::vector<double> reach;
  const bool narrow = state.network.stack.embedding.layer_inputs.has_value();
  for_each_matrix(other, fresh, [&](const std::string&, const Matrix& a, const Matrix& b) {
    reach.push_back((narrow ? kReachOfNarrowGates : kReach) * largest_of(a - b));
  });
  std::size_t at = 0;
  for_each_matrix(found, fresh, [&](const std::string& name, const Matrix& a, const Matrix& b) {
    EXPECT_TRUE(all_near(a, b, std::max(kTolerance * largest_of(b), reach[at++]))) << name;
  });
  return !testing::Test::HasFailure();
}

void detach(attention::SharedMatrix& matrix) { matrix = attention::SharedMatrix(Matrix(*matrix)); }

void detach(StackTrace& stack) {
  detach(stack.last);
  for (auto& block : stack.blocks) {
    detach(block.input);
    detach(block.weights);
    detach(block.cross_weights);
  }
}

// A copy that shares no numbers with the evaluator.
NetworkTrace deep_copy(NetworkTrace trace) {
  detach(trace.stack);
  if (trace.encoder) detach(*trace.encoder);
  return trace;
}

void expect_identical(const NetworkTrace& found, const NetworkTrace& expected) {
  for_each_matrix(found, expected, [](const std::string& name, const Matrix& a, const Matrix& b) {
    EXPECT_TRUE(all_identical(a, b)) << name;
  });
}

class IncrementalModel : public ::testing::TestWithParam<std::string> {};

TEST_P(IncrementalModel, AfterAnyEditEqualsAFullComputation) {
  const Model model = opened_golden(GetParam());
  RandomNetworkEditor editor(model, 7);
  NetworkEvaluator evaluator;
  evaluator.evaluate(editor.state().network, editor.state().tokens);
  for (int i = 0; i < kEdits; ++i) {
    SCOPED_TRACE("edit " + std::to_string(i));
    const NetworkTrace before = deep_copy(evaluator.trace());
    const NetworkTrace kept = i % 2 == 0 ? evaluator.trace() : NetworkTrace{};
    const bool saw_ahead = editor.sees_ahead();
    const StackReport expected = editor.edit();
    const auto& [network, tokens, interventions] = editor.state();
    const NetworkTrace& now = evaluator.evaluate(network, tokens, interventions);
    const StackReport found = evaluator.report();
    EXPECT_EQ(found.first_layer, expected.first_layer);
    EXPECT_LE(found.first_row, expected.first_row);
    const bool sees_ahead = saw_ahead || editor.sees_ahead();
    EXPECT_TRUE(sees_ahead || found.first_row == expected.first_row) << found.first_row;
    if (before.stack.n() == now.stack.n()) expect_kept(before.stack, now.stack, found);
    if (i % 2 == 0) expect_identical(kept, before);

    NetworkEvaluator fresh;
    const NetworkTrace& whole = fresh.evaluate(network, tokens, interventions);
    if (!equal_but_for_rounding(now, whole, editor.state()) || HasFailure()) return;
  }
}

TEST_P(IncrementalModel, AnyNumberOfThreadsGivesTheSameBits) {
  const Model model = opened_golden(GetParam());
  NetworkEvaluator one(1), three(3);
  attention::network::Tokens tokens = random_tokens(model, 60, 45, 3);
  attention::network::Interventions interventions;
  const Index layer = attending_layers(model.network, attention::network::Sublayer::kSelf).front();
  for (int edit = 0; edit < 3; ++edit) {
    const NetworkTrace& a = one.evaluate(model.network, tokens, interventions);
    const NetworkTrace& b = three.evaluate(model.network, tokens, interventions);
    for_each_matrix(a, b, [&](const std::string& name, const Matrix& x, const Matrix& y) {
      EXPECT_TRUE(all_identical(x, y)) << name;
    });
    if (model.network.read_out) {
      EXPECT_TRUE(
          all_identical(attention::network::logits(model.network, a.stack.final, one.pool()),
                        attention::network::logits(model.network, b.stack.final, three.pool())));
    }
    tokens.ids[37] = (tokens.ids[37] + 1) % 30;
    interventions.gains = {
        {.at = {.layer = layer}, .head = 0, .gain = 0.25f * static_cast<float>(edit)}};
  }
}

INSTANTIATE_TEST_SUITE_P(Every, IncrementalModel, ::testing::ValuesIn(golden_models()), test_name);

}  // namespace
}  // namespace lab
