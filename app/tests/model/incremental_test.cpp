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
using attention::test::all_near_relative;

constexpr int kEdits = 10'000;
constexpr double kTolerance = 3e-6;

// Calls visit(name, matrix, the same matrix of the other) for all that is kept of a stack.
template <typename Visit>
void for_each_matrix(const StackTrace& a, const StackTrace& b, Visit visit) {
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  for (std::size_t layer = 0; layer < a.blocks.size(); ++layer) {
    const std::string name = " of layer " + std::to_string(layer);
    visit("input" + name, a.blocks[layer].input, b.blocks[layer].input);
    visit("weights" + name, a.blocks[layer].weights, b.blocks[layer].weights);
    visit("cross weights" + name, a.blocks[layer].cross_weights, b.blocks[layer].cross_weights);
  }
  visit("last", a.last, b.last);
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
    EXPECT_TRUE(all_identical(now.blocks[layer].input, before.blocks[layer].input)) << layer;
    EXPECT_TRUE(all_identical(now.blocks[layer].weights, before.blocks[layer].weights)) << layer;
  }
  const Index kept = report.first_row;
  EXPECT_TRUE(all_identical(now.last.topRows(kept), before.last.topRows(kept)));
}

class IncrementalModel : public ::testing::TestWithParam<std::string> {};

TEST_P(IncrementalModel, AfterAnyEditEqualsAFullComputation) {
  const Model model = opened_golden(GetParam());
  RandomNetworkEditor editor(model, 7);
  NetworkEvaluator evaluator;
  evaluator.evaluate(editor.state().network, editor.state().tokens);
  for (int i = 0; i < kEdits; ++i) {
    SCOPED_TRACE("edit " + std::to_string(i));
    const NetworkTrace before = evaluator.trace();
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

    NetworkEvaluator fresh;
    for_each_matrix(now, fresh.evaluate(network, tokens, interventions),
                    [&](const std::string& name, const Matrix& a, const Matrix& b) {
                      EXPECT_TRUE(all_near_relative(a, b, kTolerance)) << name;
                    });
    if (HasFailure()) return;
  }
}

TEST_P(IncrementalModel, AnyNumberOfThreadsGivesTheSameBits) {
  const Model model = opened_golden(GetParam());
  NetworkEvaluator one(1), three(3);
  attention::network::Tokens tokens = random_tokens(model, 60, 45, 3);
  attention::network::Interventions interventions;
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
    interventions.gains = {{{}, 0, 0.25f * static_cast<float>(edit)}};
  }
}

INSTANTIATE_TEST_SUITE_P(Every, IncrementalModel, ::testing::ValuesIn(golden_models()), test_name);

}  // namespace
}  // namespace lab
