// Gradients that PyTorch's autograd computed in double precision (golden/gradients.py).

#include <gtest/gtest.h>

#include <filesystem>

#include "core/gradient/layer_gradient.h"
#include "core/layer/evaluator.h"
#include "core/tests/golden_file.h"
#include "core/tests/matrix_compare.h"

namespace attention::test {
namespace {

std::vector<std::string> golden_gradients() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(GOLDEN_DIR)) {
    const std::string file = entry.path().filename().string();
    const auto end = file.find(".gradient.safetensors");
    if (end != file.npos) names.push_back(file.substr(0, end));
  }
  std::ranges::sort(names);
  return names;
}

// Gradients that are empty are 0.
Matrix filled(const Matrix& gradient, const Matrix& like) {
  return gradient.size() > 0 ? gradient : Matrix(Matrix::Zero(like.rows(), like.cols()));
}

class GoldenGradient : public testing::TestWithParam<std::string> {
 protected:
  GoldenGradient()
      : problem_(problem_of(read_golden(GetParam() + ".problem"))),
        requested_(read_golden(GetParam() + ".gradient")) {
    evaluator_.evaluate(problem_);
  }

  const Tensor* find(const std::string& name) const {
    const auto found = requested_.tensors.find(name);
    return found == requested_.tensors.end() ? nullptr : &found->second;
  }

  LayerGradient gradient(const std::string& prefix, Stage stage, Index head) const {
    return gradient_of(problem_, evaluator_.trace(),
                       {stage, head, requested_.tensors.at(prefix + "seed").matrix(0)});
  }

  // The largest gradient by anything: what would be 0 but for rounding is compared with it.
  double largest(const std::string& prefix) const {
    float most = 0;
    for (const auto& [name, tensor] : requested_.tensors)
      if (name.starts_with(prefix) && !name.ends_with("seed"))
        for (const float value : tensor.values) most = std::max(most, std::abs(value));
    return most;
  }

  // Compares all heads with the tensor: found(i) is matrix i of it.
  template <typename Found>
  void expect_near(const Tensor& expected, const std::string& name, Found found) const {
    Matrix all_found, all_requested;
    const Matrix first = expected.matrix(0);
    all_found.resize(expected.count() * first.rows(), first.cols());
    all_requested.resizeLike(all_found);
    for (Index i = 0; i < expected.count(); ++i) {
      const Matrix one = expected.matrix(i);
      all_requested.middleRows(i * one.rows(), one.rows()) = one;
      all_found.middleRows(i * one.rows(), one.rows()) = filled(found(i), one);
    }
    const double own = all_requested.cwiseAbs().maxCoeff();
    const double within = 1e-5 * own + 1e-6 * largest(name.substr(0, 2));
    EXPECT_TRUE(all_near(all_found, all_requested, within)) << name;
  }

  void expect_matrices(const std::string& prefix, const LayerGradient& found) const {
    for (const MatrixInfo& info : kMatrixInfos) {
      const bool is_bias = info.id == MatrixId::kScoreBias;
      const std::string name = prefix + (is_bias ? "bias" : std::string(info.name));
      const Tensor* const expected = find(name);
      if (expected == nullptr) continue;
      const bool one_row_each = expected->shape.size() == 2 && is_per_head(info.id);
      Tensor tensor = *expected;
      if (one_row_each) tensor.shape = {tensor.shape[0], 1, tensor.shape[1]};
      expect_near(tensor, name, [&](Index i) { return matrix_gradient(found, info.id, i); });
    }
  }

  void expect_stages(const std::string& prefix, const LayerGradient& found) const {
    for (const Stage stage : kAllStages) {
      const std::string name = prefix + "stage." + std::string(stage_name(stage));
      const Tensor* const expected = find(name);
      if (is_input(stage) || expected == nullptr) continue;
      const Index sharing = is_per_kv_head(stage) ? heads_per_kv_head(problem_.config) : 1;
      expect_near(*expected, name,
                  [&](Index i) { return stage_gradient(found, problem_, stage, i * sharing); });
    }
  }

  Problem problem_;
  GoldenFile requested_;
  Evaluator evaluator_;
};

TEST_P(GoldenGradient, OfTheLastStageAgrees) {
  const LayerGradient found = gradient("0.", Stage::kLayerNorm, 0);
  expect_matrices("0.", found);
  expect_stages("0.", found);
}

TEST_P(GoldenGradient, OfTheWeightsOfAHeadAgrees) {
  const LayerGradient found = gradient("1.", Stage::kWeights, problem_.config.n_heads - 1);
  expect_matrices("1.", found);
  expect_stages("1.", found);
}

INSTANTIATE_TEST_SUITE_P(Every, GoldenGradient, testing::ValuesIn(golden_gradients()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace attention::test
