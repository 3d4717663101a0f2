#include <cmath>
#include <filesystem>

#include "app/tests/model/support.h"
#include "core/gradient/network_gradient.h"

// What PyTorch's autograd says about the answer of each small checkpoint: see golden/gradients.py.

namespace lab {
namespace {

using attention::Index;
using attention::LayerGradient;
using attention::Matrix;
using attention::Stage;
using attention::network::BlockGradient;
using attention::network::NetworkGradient;
using attention::network::StackGradient;

constexpr attention::network::Answer kDifferentiated{7, 7, 4};

std::vector<std::string> models_with_gradients() {
  std::vector<std::string> names = golden_models();
  std::erase_if(names, [](const std::string& name) {
    return !std::filesystem::exists(golden_path(name, "gradient.safetensors"));
  });
  return names;
}

// All matrices one below the other; empty ones are 0.
Tensor stacked_tensor(const std::vector<const Matrix*>& parts, const Tensor& like) {
  Tensor tensor{"", like.shape, {}};
  const std::size_t each = like.values.size() / parts.size();
  for (const Matrix* part : parts) {
    if (part->size() == 0)
      tensor.values.insert(tensor.values.end(), each, 0.0f);
    else
      tensor.values.insert(tensor.values.end(), part->data(), part->data() + part->size());
  }
  return tensor;
}

class GoldenGradientOf : public ::testing::TestWithParam<std::string> {
 protected:
  void expect_near(const std::string& name, const std::vector<const Matrix*>& found) const {
    const Tensor* const expected = golden_.find(name);
    ASSERT_NE(expected, nullptr) << name;
    EXPECT_LE(relative_error(stacked_tensor(found, *expected), *expected), 5e-5) << name;
  }

  void expect_weights(const std::string& name, const LayerGradient& layer) const {
    std::vector<const Matrix*> heads;
    for (const auto& head : layer.stages.heads) heads.push_back(&head.weights);
    const Tensor* const expected = golden_.find(name);
    ASSERT_NE(expected, nullptr) << name;
    float largest = 0;
    for (const float value : expected->values) largest = std::max(largest, std::abs(value));
    if (largest > 0) expect_near(name, heads);
  }

  void expect_stack(const std::string& prefix, const StackGradient& stack) const {
    for (std::size_t layer = 0; layer < stack.blocks.size(); ++layer) {
      const BlockGradient& block = stack.blocks[layer];
      const std::string number = "." + std::to_string(layer);
      // What the embedding gives may also reach layers by other ways than the stream.
      expect_near(prefix + "hidden" + number, {layer == 0 ? &stack.embedded : &block.input});
      if (block.convolution.in.W.size() > 0)
        EXPECT_EQ(golden_.find(prefix + "attention" + number), nullptr) << "a convolution has none";
      else
        expect_weights(prefix + "attention" + number, block.attention);
      if (golden_.find("cross_attention" + number) != nullptr && prefix == "decoder_")
        expect_weights("cross_attention" + number, block.cross_attention);
    }
    // OPT's last hidden state is narrower where it is projected.
    const std::string last = prefix + "hidden." + std::to_string(stack.blocks.size());
    if (golden_.find(last)->shape.back() == stack.final.cols()) expect_near(last, {&stack.final});
  }

  const TensorFile golden_ = golden_tensors(GetParam(), "gradient.safetensors");
};

TEST_P(GoldenGradientOf, TheAnswerAgreesInEveryLayer) {
  const Model model = opened_golden(GetParam());
  attention::network::NetworkEvaluator evaluator;
  const auto& trace = evaluator.evaluate(model.network, tokens_of(golden_, ""));
  const NetworkGradient gradient =
      gradient_of_answer({model.network, {}, trace, evaluator.pool()}, kDifferentiated);
  const bool two = model.network.encoder.has_value();
  expect_stack(two ? "decoder_" : "", gradient.stack);
  if (two) expect_stack("encoder_", gradient.encoder);
}

INSTANTIATE_TEST_SUITE_P(Every, GoldenGradientOf, ::testing::ValuesIn(models_with_gradients()),
                         test_name);

}  // namespace
}  // namespace lab
