#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/files/problem/problem_file.h"
#include "app/files/session/session.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

namespace lab::test {
namespace {

using testing::HasSubstr;

TensorFile safetensors_of(const std::string& path) {
  const auto file = read_safetensors(bytes_of(path));
  EXPECT_TRUE(file) << path;
  return file.value_or(TensorFile{});
}

std::vector<std::string> golden_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(golden(""))) {
    const std::string name = entry.path().filename().string();
    const std::size_t end = name.find(".problem.safetensors");
    if (end != std::string::npos) names.push_back(name.substr(0, end));
  }
  return names;
}

float json_number(const nlohmann::json& value) {
  if (value == "NaN") return std::nanf("");
  if (value == "Infinity") return std::numeric_limits<float>::infinity();
  if (value == "-Infinity") return -std::numeric_limits<float>::infinity();
  return value.get<float>();
}

TensorFile tensors_of_json(const std::string& text) {
  TensorFile file;
  const auto parsed = nlohmann::json::parse(text);
  for (const auto& [name, tensor] : parsed.at("tensors").items()) {
    Tensor& read = file.tensors.emplace_back();
    read.name = name;
    read.shape = tensor.at("shape").get<std::vector<std::int64_t>>();
    for (const auto& value : tensor.at("values")) read.values.push_back(json_number(value));
  }
  return file;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, ComputeAgreesWithTheAnswer) {
  const TempFolder folder;
  const std::string out = folder / "out.safetensors";
  const Outcome outcome = run({"compute", golden(GetParam() + ".problem.safetensors"), "-o", out});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "");
  expect_same_tensors(safetensors_of(out),
                      safetensors_of(golden(GetParam() + ".answer.safetensors")), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(All, Golden, testing::ValuesIn(golden_names()),
                         [](const auto& tested) { return tested.param; });

TEST(Compute, KnowsEveryGoldenFile) { EXPECT_GE(golden_names().size(), 12u); }

TEST(Compute, WritesTheSameNumbersInEveryFormat) {
  const TempFolder folder;
  const std::string in = golden("causal.problem.safetensors");  // has −∞ in masked_scores
  for (const char* name : {"a.safetensors", "a.npz", "a.json"}) {
    const Outcome outcome = run({"compute", in, "-o", folder / name});
    ASSERT_EQ(outcome.code, 0) << name << ": " << outcome.err;
  }
  const TensorFile expected = safetensors_of(folder / "a.safetensors");
  EXPECT_EQ(expected.tensors.size(), 11u) << "X and the ten stages";
  const TensorFile problem = safetensors_of(in);
  ASSERT_TRUE(problem.find("X") && expected.find("X"));
  EXPECT_EQ(expected.find("X")->values, problem.find("X")->values);
  const auto npz = read_npz(bytes_of(folder / "a.npz"));
  ASSERT_TRUE(npz);
  expect_same_tensors(*npz, expected, 0);
  expect_same_tensors(tensors_of_json(bytes_of(folder / "a.json")), expected, 0);
}

TEST(Compute, WritesJsonToStandardOutput) {
  const TempFolder folder;
  const std::string in = golden("self_small.problem.safetensors");
  ASSERT_EQ(run({"compute", in, "-o", folder / "a.safetensors"}).code, 0);
  const Outcome outcome = run({"compute", in, "-o", "-"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_same_tensors(tensors_of_json(outcome.out), safetensors_of(folder / "a.safetensors"), 0);
}

TEST(Compute, ReadsASessionFromStandardInput) {
  const Document document = small_document();
  const Outcome outcome = run_with_input({"compute", "-", "-o", "-"}, write_session(document));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  attention::Evaluator evaluator;
  const auto& trace = evaluator.evaluate(document.problem);
  expect_same_tensors(tensors_of_json(outcome.out), answer_tensors(document, trace), 0);
}

TEST(Compute, TellsEndingsInCapitals) {
  const TempFolder folder;
  ASSERT_EQ(run({"compute", small_session(folder), "-o", folder / "A.NPZ"}).code, 0);
  EXPECT_TRUE(read_npz(bytes_of(folder / "A.NPZ")));
}

TEST(Compute, RefusesAnEndingItDoesNotKnow) {
  const TempFolder folder;
  for (const char* name : {"out.txt", "out", "out.safetensors.gz", ".json"}) {
    const Outcome outcome = run({"compute", small_session(folder), "-o", folder / name});
    EXPECT_EQ(outcome.code, 2) << name;
    EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(".safetensors, .npz and .json"));
  }
  EXPECT_THAT(folder.names(), testing::ElementsAre("small.json"));
}

}  // namespace
}  // namespace lab::test
