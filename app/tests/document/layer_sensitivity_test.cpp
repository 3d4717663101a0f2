// What moves a number of a layer, computed for a window.
#include "app/document/sensitivity/layer_sensitivity.h"

#include <gtest/gtest.h>

#include <semaphore>

#include "app/document/document.h"
#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

namespace lab {
namespace {

using attention::Stage;

// A layer, large enough for the background or not.
struct Layer {
  explicit Layer(int words, int d_model) {
    attention::Config config;
    config.d_model = config.d_out = d_model;
    config.n_heads = 4;
    config.d_k = config.d_v = d_model / 4;
    std::string sentence;
    for (int i = 0; i < words; ++i) sentence += "w" + std::to_string(i) + " ";
    document = make_document(sentence, config, 1);
    evaluator.evaluate(document.problem);
  }
  void edit() {
    document.problem.parameters.heads[0].W_Q.edit([](attention::Matrix& W) { W(0, 0) += 1; });
    evaluator.evaluate(document.problem);
  }
  attention::Matrix expected(attention::Index row) const {
    const auto seed = cell_seed(document.problem, Stage::kWeights, 0, row, 0);
    return gradient_of(document.problem, evaluator.trace(), seed).parameters.heads[0].W_Q;
  }

  Document document;
  attention::Evaluator evaluator{1};
};

void ask(LayerSensitivity& service, const Layer& layer, attention::Index row) {
  service.ask(layer.document.problem, layer.evaluator.trace(), Stage::kWeights, 0, row, 0);
}

TEST(LayerSensitivity, OfASmallLayerIsKnownAtOnce) {
  Layer layer(5, 8);
  LayerSensitivity service;
  ask(service, layer, 2);
  ASSERT_NE(service.result(), nullptr);
  EXPECT_TRUE(service.current());
  EXPECT_EQ(service.result()->parameters.heads[0].W_Q, layer.expected(2));
  const auto first = service.result();
  ask(service, layer, 2);
  EXPECT_EQ(service.result(), first) << "nothing changed";
  layer.edit();
  ask(service, layer, 2);
  EXPECT_EQ(service.result()->parameters.heads[0].W_Q, layer.expected(2));
  service.stop();
  EXPECT_EQ(service.result(), nullptr);
}

TEST(LayerSensitivity, OfALargeLayerComesFromTheBackgroundAndTheNewestQuestionWins) {
  Layer layer(64, 160);
  LayerSensitivity service;
  std::counting_semaphore<> ready{0};
  service.set_on_ready([&ready] { ready.release(); });
  ask(service, layer, 1);
  EXPECT_EQ(service.result(), nullptr);
  EXPECT_FALSE(service.current());
  ask(service, layer, 2);
  ask(service, layer, 3);
  while (!service.current()) {  // also those of questions that nobody asks any more come
    ready.acquire();
    ask(service, layer, 3);
    if (service.result() != nullptr) {
      ASSERT_EQ(service.result()->parameters.heads[0].W_Q, layer.expected(3));
    }
  }
  ASSERT_NE(service.result(), nullptr);
  EXPECT_EQ(service.result()->parameters.heads[0].W_Q, layer.expected(3));
  layer.edit();
  ask(service, layer, 3);
  EXPECT_NE(service.result(), nullptr) << "that of the state before stays meanwhile";
  EXPECT_FALSE(service.current());
  while (!service.current()) {
    ready.acquire();
    ask(service, layer, 3);
  }
  EXPECT_EQ(service.result()->parameters.heads[0].W_Q, layer.expected(3));
}

}  // namespace
}  // namespace lab
