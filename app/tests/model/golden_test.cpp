#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/tests/model/support.h"

// What transformers computes with the same checkpoints: see golden/make_models.py.

namespace lab {
namespace {

using attention::network::Tokens;

constexpr const char* kLengths[] = {"1", "2", "9", "60"};

// The ten likeliest tokens come in the same order where they lie apart.
void expect_same_order(const Tensor& found, const Tensor& expected) {
  const auto columns = static_cast<std::size_t>(expected.shape.back());
  const float largest = std::abs(
      *std::ranges::max_element(expected.values, {}, [](float logit) { return std::abs(logit); }));
  const double apart = 2 * allowed_error("logits") * largest;
  const std::size_t skipped = found.values.size() - expected.values.size();
  for (std::size_t row = 0; row < expected.values.size() / columns; ++row) {
    const float* const a = found.values.data() + skipped + row * columns;
    const float* const b = expected.values.data() + row * columns;
    std::vector<std::size_t> order(columns);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, std::ranges::greater(), [&](std::size_t id) { return b[id]; });
    for (std::size_t place = 0; place < 10; ++place) {
      if (b[order[place]] - b[order[place + 1]] <= apart) continue;
      EXPECT_GT(a[order[place]], a[order[place + 1]]) << "row " << row << ", place " << place;
    }
  }
}

// Compares all that the golden file holds about the texts, and records the largest errors.
void expect_golden(const Model& model, const TensorFile& golden) {
  std::map<std::string, double> errors = {{"attention", 0}, {"hidden", 0}, {"logits", 0}};
  for (const std::string length : kLengths) {
    const Tokens tokens = tokens_of(golden, length + ".");
    ASSERT_FALSE(tokens.ids.empty());
    const TensorFile answer = computed(model, tokens);
    std::size_t compared = 0;
    for (const Tensor& found : answer.tensors) {
      SCOPED_TRACE(length + "." + found.name);
      const Tensor* const expected = golden.find(length + "." + found.name);
      ASSERT_NE(expected, nullptr);
      ++compared;
      if (found.name.ends_with("input_ids")) continue;
      const double error = relative_error(found, *expected);
      EXPECT_LE(error, allowed_error(found.name));
      for (auto& [type, largest] : errors)
        if (found.name.find(type) != found.name.npos) largest = std::max(largest, error);
      if (found.name == "logits") expect_same_order(found, *expected);
    }
    const auto of_length = std::ranges::count_if(
        golden.tensors, [&](const Tensor& t) { return t.name.starts_with(length + "."); });
    EXPECT_EQ(static_cast<std::ptrdiff_t>(compared), of_length) << "length " << length;
  }
  for (const auto& [type, error] : errors)
    ::testing::Test::RecordProperty(type, std::to_string(error * 1e6) + "e-6");
}

class GoldenModel : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenModel, AgreesWithTheReference) {
  expect_golden(opened_golden(GetParam()), golden_tensors(GetParam(), "golden.safetensors"));
}

std::vector<std::string> models_of_version_4() {
  std::vector<std::string> names = golden_models();
  std::erase_if(names, [](const std::string& name) {
    return !std::filesystem::exists(golden_path(name, "config.v4.json"));
  });
  return names;
}

class OlderModel : public ::testing::TestWithParam<std::string> {};

TEST_P(OlderModel, AgreesWithTheReference) {
  const TemporaryFolder folder;
  copy_model(GetParam(), folder);
  folder.write("config.json", text_of_file(golden_path(GetParam(), "config.v4.json")));
  expect_golden(opened_model(folder.path().string()),
                golden_tensors(GetParam(), "golden.safetensors"));
}

INSTANTIATE_TEST_SUITE_P(Every, GoldenModel, ::testing::ValuesIn(golden_models()), test_name);
INSTANTIATE_TEST_SUITE_P(Every, OlderModel, ::testing::ValuesIn(models_of_version_4()), test_name);

}  // namespace
}  // namespace lab
