#include <cmath>
#include <limits>

#include "app/files/io/bytes.h"
#include "app/files/open.h"
#include "app/files/problem/problem_file.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

// The problems and answers that PyTorch computed in float64.

namespace lab {
namespace {

namespace fs = std::filesystem;

const std::string kProblem = ".problem.safetensors";

std::vector<std::string> golden_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(GOLDEN_FOLDER)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(kProblem)) names.push_back(name.substr(0, name.size() - kProblem.size()));
  }
  std::ranges::sort(names);
  return names;
}

std::string golden_path(const std::string& name, const std::string& ending) {
  return std::string(GOLDEN_FOLDER) + "/" + name + ending;
}

TensorFile golden_file(const std::string& name, const std::string& ending) {
  return value_of(read_safetensors(value_of(read_bytes(golden_path(name, ending)))));
}

void expect_close(const Tensor& actual, const Tensor& expected) {
  ASSERT_EQ(actual.shape, expected.shape) << actual.name;
  float largest = 0;
  for (const float value : expected.values)
    if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const float a = actual.values[i], b = expected.values[i];
    if (std::isinf(b)) {
      EXPECT_EQ(a, b) << actual.name << " at " << i;
    } else {
      EXPECT_LE(std::fabs(a - b), 1e-5f * largest) << actual.name << " at " << i;
    }
  }
}

class Golden : public ::testing::TestWithParam<std::string> {};

TEST_P(Golden, ProblemGivesItsAnswer) {
  const Document document = value_of(open_document(golden_path(GetParam(), kProblem)));
  EXPECT_EQ(document.title, GetParam());
  attention::Evaluator evaluator;
  const TensorFile actual = answer_tensors(document, evaluator.evaluate(document.problem));
  const TensorFile expected = golden_file(GetParam(), ".answer.safetensors");
  for (const Tensor& tensor : expected.tensors) {
    ASSERT_TRUE(actual.find(tensor.name)) << tensor.name;
    expect_close(*actual.find(tensor.name), tensor);
  }
}

TEST_P(Golden, ProblemIsWrittenAsItWasRead) {
  const TensorFile file = golden_file(GetParam(), kProblem);
  const TensorFile again = problem_tensors(value_of(document_from_tensors(file, "t")));
  // A causal mask that was given as a tensor is a rule from then on.
  const bool became_rule = !file.metadata.contains("causal") && file.find("mask") &&
                           again.metadata.at("causal") == "true";
  EXPECT_EQ(again.tensors.size() + (became_rule ? 1 : 0), file.tensors.size());
  for (const Tensor& tensor : file.tensors) {
    if (became_rule && tensor.name == "mask") continue;
    ASSERT_TRUE(again.find(tensor.name)) << tensor.name;
    EXPECT_EQ(again.find(tensor.name)->shape, tensor.shape) << tensor.name;
    EXPECT_EQ(again.find(tensor.name)->values, tensor.values) << tensor.name;
  }
  for (const auto& [name, text] : file.metadata) {
    if (name == "n_heads" || name == "head_mix" || name == "overrides") continue;
    ASSERT_TRUE(again.metadata.contains(name)) << name;
    if (text.find_first_of("0123456789") == text.npos)
      EXPECT_EQ(again.metadata.at(name), text) << name;
    else
      EXPECT_EQ(std::stold(again.metadata.at(name)), std::stold(text)) << name;
  }
}

// The interventions are read as they were written: the answers could agree without them where they
// change little.
TEST(GoldenFiles, HoldTheirInterventions) {
  const auto problem = [](const char* name) {
    return value_of(open_document(golden_path(name, kProblem))).problem;
  };
  const auto mix = problem("mute_and_scale").head_mix;
  EXPECT_EQ(mix,
            (std::vector<attention::HeadMix>{{}, {.mute = true}, {.scale = -0.5f}, {.scale = 2}}));
  const auto overrides = problem("overrides").overrides;
  ASSERT_GE(overrides.size(), 3u);
  EXPECT_EQ(overrides[0], (attention::Override{attention::Stage::kQ, 0, 2, 3, 1.5f}));
  EXPECT_EQ(overrides[2], (attention::Override{attention::Stage::kScaledScores, 1, 5, 5, -2}));
}

INSTANTIATE_TEST_SUITE_P(Files, Golden, ::testing::ValuesIn(golden_names()),
                         [](const auto& test) { return test.param; });

TEST(GoldenFiles, AreThere) { EXPECT_GE(golden_names().size(), 14u); }

}  // namespace
}  // namespace lab
