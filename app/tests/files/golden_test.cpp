#include <cmath>
#include <limits>

#include "app/files/bytes.h"
#include "app/files/open.h"
#include "app/files/problem_file.h"
#include "app/tests/files/support.h"
#include "core/evaluator.h"

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
  ASSERT_EQ(actual.tensors.size(), expected.tensors.size());
  for (const Tensor& tensor : expected.tensors) {
    ASSERT_TRUE(actual.find(tensor.name)) << tensor.name;
    expect_close(*actual.find(tensor.name), tensor);
  }
}

TEST_P(Golden, ProblemIsWrittenAsItWasRead) {
  const TensorFile file = golden_file(GetParam(), kProblem);
  const TensorFile again = problem_tensors(value_of(document_from_tensors(file, "t")));
  EXPECT_EQ(again.tensors.size(), file.tensors.size());
  for (const Tensor& tensor : file.tensors) {
    ASSERT_TRUE(again.find(tensor.name)) << tensor.name;
    EXPECT_EQ(again.find(tensor.name)->shape, tensor.shape) << tensor.name;
    EXPECT_EQ(again.find(tensor.name)->values, tensor.values) << tensor.name;
  }
  for (const char* name : {"scale", "temperature"})
    EXPECT_TRUE(!file.metadata.contains(name) || again.metadata.at(name) == file.metadata.at(name))
        << name;
}

INSTANTIATE_TEST_SUITE_P(Files, Golden, ::testing::ValuesIn(golden_names()),
                         [](const auto& test) { return test.param; });

TEST(GoldenFiles, AreThere) { EXPECT_GE(golden_names().size(), 14u); }

}  // namespace
}  // namespace lab
