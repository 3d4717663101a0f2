#include <nlohmann/json.hpp>

#include "app/tests/model/support.h"

// What hooks in transformers' modules make of a forward pass: see golden/interventions.py.

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::SharedMatrix;
using attention::Stage;
using attention::network::Interventions;
using attention::network::LayerId;
using attention::network::Sublayer;
using nlohmann::json;

// The cases of a file; "query" is in those of models that normalise queries over all heads, "key"
// and "value" in those whose layers use keys and values of others.
std::vector<std::string> cases_of(const TensorFile& golden) {
  std::vector<std::string> names = {"mute", "half", "weights", "output", "stream"};
  for (const char* name : {"query", "key", "value"})
    if (golden.metadata.contains(name)) names.emplace_back(name);
  return names;
}

LayerId place_of(const json& about) {
  const std::string sublayer = about.at("sublayer");
  const Sublayer which = sublayer == "cross"     ? Sublayer::kCross
                         : sublayer == "encoder" ? Sublayer::kEncoder
                                                 : Sublayer::kSelf;
  return {which, about.at("layer").get<Index>()};
}

SharedMatrix values_of_patch(const TensorFile& golden, const std::string& name) {
  const Tensor* const values = golden.find(name + ".values");
  if (values == nullptr) throw std::runtime_error(name + ".values is missing");
  return SharedMatrix(
      Matrix(Matrix::Map(values->values.data(), values->shape.at(0), values->shape.at(1))));
}

// The intervention of a case, as the file's metadata describes it.
Interventions interventions_of(const TensorFile& golden, const std::string& name) {
  const json about = json::parse(golden.metadata.at(name));
  const LayerId at = place_of(about);
  Interventions result;
  if (name == "stream") {
    result.stream = {{at, about.at("row").get<Index>(), about.at("col").get<Index>(),
                      about.at("value").get<float>()}};
    return result;
  }
  const auto head = about.at("head").get<Index>();
  if (name == "query" || name == "key" || name == "value") {
    const Stage stage = name == "query" ? Stage::kQ : name == "key" ? Stage::kK : Stage::kV;
    result.overrides = {{at,
                         {stage, head, about.at("row").get<Index>(), about.at("col").get<Index>(),
                          about.at("value").get<float>()}}};
    return result;
  }
  const Stage stage = name == "weights" ? Stage::kWeights : Stage::kHeadOutput;
  if (about.contains("gain")) {
    result.gains = {{at, head, about.at("gain").get<float>()}};
  } else {
    result.patches = {{at, head, stage, values_of_patch(golden, name)}};
  }
  return result;
}

std::vector<std::string> models_with_hooks() {
  std::vector<std::string> names = golden_models();
  std::erase_if(names, [](const std::string& name) {
    return !std::filesystem::exists(golden_path(name, "interventions.safetensors"));
  });
  return names;
}

class HookedModel : public ::testing::TestWithParam<std::string> {
 protected:
  const Model model_ = opened_golden(GetParam());
  const TensorFile golden_ = golden_tensors(GetParam(), "interventions.safetensors");
  const TensorFile default_ = computed(model_, tokens_of(golden_, ""));
};

TEST_P(HookedModel, InterventionsDoWhatHooksDo) {
  double largest = 0;
  for (const std::string& name : cases_of(golden_)) {
    const TensorFile answer =
        computed(model_, tokens_of(golden_, ""), interventions_of(golden_, name));
    int changed = 0;
    for (const Tensor& found : answer.tensors) {
      if (found.name.ends_with("input_ids") || found.name.find("attention") != std::string::npos)
        continue;
      SCOPED_TRACE(name + "." + found.name);
      const Tensor* const expected = golden_.find(name + "." + found.name);
      changed += expected != nullptr;
      // What the file leaves out did not change.
      const double error = relative_error(found, expected ? *expected : *default_.find(found.name));
      EXPECT_LE(error, expected ? allowed_error(found.name) : 0);
      largest = std::max(largest, error);
    }
    EXPECT_GE(changed, 2) << name;
  }
  RecordProperty("error", std::to_string(largest * 1e6) + "e-6");
}

TEST_P(HookedModel, EachCaseIsAnother) {
  const std::vector<std::string> cases = cases_of(golden_);
  for (const std::string& name : cases) {
    const Tensor& logits = *golden_.find(name + ".logits");
    EXPECT_GT(relative_error(logits, *default_.find("logits")), 10 * allowed_error("logits"))
        << name;
    for (const std::string& other : cases) {
      if (name == other) continue;
      EXPECT_GT(relative_error(logits, *golden_.find(other + ".logits")), allowed_error("logits"))
          << name << " and " << other;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, HookedModel, ::testing::ValuesIn(models_with_hooks()), test_name);

}  // namespace
}  // namespace lab
