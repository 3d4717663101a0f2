#include "app/tests/model/model_bench.h"

#include <stdexcept>

#include "app/files/opened_model.h"
#include "app/tests/model/support.h"
#include "core/network/layer_problem.h"
#include "core/tests/full_computation.h"
#include "core/tests/matrix_compare.h"

namespace lab {

using attention::Index;
using attention::Matrix;
using attention::MatrixId;
using attention::network::LayerId;
using attention::network::NetworkEvaluator;
using attention::network::NetworkTrace;
using attention::network::StackTrace;
using attention::network::Sublayer;
using attention::test::all_near_relative;

namespace {

void expect_same(const StackTrace& found, const StackTrace& expected) {
  ASSERT_EQ(found.blocks.size(), expected.blocks.size());
  for (std::size_t layer = 0; layer < expected.blocks.size(); ++layer) {
    SCOPED_TRACE("layer " + std::to_string(layer));
    const auto &now = found.blocks[layer], &fresh = expected.blocks[layer];
    EXPECT_TRUE(all_near_relative(*now.input, *fresh.input, kSameLayers));
    EXPECT_TRUE(all_near_relative(*now.weights, *fresh.weights, kSameLayers));
    EXPECT_TRUE(all_near_relative(*now.cross_weights, *fresh.cross_weights, kSameLayers));
  }
  EXPECT_TRUE(all_near_relative(found.final, expected.final, kSameLayers));
}

// The weights of a head in a forward pass.
Matrix weights_in(const NetworkTrace& trace, const LayerId& at, Index head, Index queries) {
  return weights_at(trace, at).middleRows(head * queries, queries);
}

}  // namespace

Document opened(const std::string& source, const std::optional<std::string>& text) {
  auto model = open_model_source(source, text);
  if (!model) throw std::runtime_error(model.error().message);
  return std::move(model->document);
}

Document opened_checkpoint(const std::string& name) { return opened(golden_path(name, "")); }

SetCell edit_of_W_Q(float value) { return {{MatrixId::kWQ, 1}, 2, 1, value}; }

ModelBench::ModelBench(Document document) : workspace(std::move(document)) {
  workspace.set_recorder([this](const std::string& line) { record.push_back(line); });
}

void ModelBench::drain(const std::vector<Intent>& intents) {
  for (const Intent& expected : intents) workspace.queue(expected);
  workspace.drain();
  expect_fresh();
}

float ModelBench::shown_W_Q() const {
  return (*matrix_of(workspace.document(), {MatrixId::kWQ, 1}))(2, 1);
}

void ModelBench::expect_fresh() const {
  const Document& shown = workspace.document();
  EXPECT_FALSE(shown.layer.pending);
  NetworkEvaluator fresh;
  const NetworkTrace& trace =
      fresh.evaluate(model().network, tokens_of(model()), model().interventions);
  expect_same(workspace.network_trace()->stack, trace.stack);
  ASSERT_EQ(workspace.network_trace()->encoder.has_value(), trace.encoder.has_value());
  if (trace.encoder) expect_same(*workspace.network_trace()->encoder, *trace.encoder);
  const attention::Problem layer =
      layer_problem(model().network, trace, model().interventions, at(), fresh.pool());
  EXPECT_TRUE(all_near_relative(*shown.problem.embedding, *layer.embedding, kSameLayers));
  attention::test::expect_equals_full_computation(shown.problem, workspace.trace());
  for (Index head = 0; head < shown.problem.config.n_heads; ++head)
    EXPECT_TRUE(all_near_relative(*workspace.trace().heads[static_cast<std::size_t>(head)].weights,
                                  weights_in(trace, at(), head, shown.problem.seq_len()),
                                  kSameLayers))
        << head;
}

void expect_same_model(const ModelDocument& found, const ModelDocument& expected) {
  EXPECT_EQ(found.network, expected.network);
  EXPECT_EQ(found.interventions, expected.interventions);
  EXPECT_EQ(found.detached, expected.detached);
  EXPECT_EQ(found.text, expected.text);
  EXPECT_EQ(found.decoder_text, expected.decoder_text);
}

}  // namespace lab
