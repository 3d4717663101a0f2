#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ranges>

#include "app/tests/files/support.h"
#include "app/tests/model/support.h"

// Every member of every family's config.json missing, null, changed and spelt in its second way,
// and every tie of tensors broken or stored under another name, as transformers reads them: see
// golden/make_varied.py.

namespace lab {
namespace {

using attention::network::Tokens;
using nlohmann::json;

// The ids in golden/make_varied.py.
Tokens tokens_for(bool two_stacks) {
  const std::vector<std::uint32_t> ids = {5, 9, 17, 3, 9, 22, 30, 2, 11, 28, 6};
  const std::vector<std::uint32_t> decoder_ids = {2, 7, 12, 9, 30, 4};
  if (!two_stacks) return {.ids = ids, .types = {}, .encoder_ids = {}};
  return {.ids = decoder_ids, .types = {}, .encoder_ids = ids};
}

// All tensors of a checkpoint in float32.
TensorFile base_tensors(const std::string& model) {
  TensorFile tensors;
  for (const auto& entry : std::filesystem::directory_iterator(golden_path(model, ""))) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("model") || !name.ends_with(".safetensors")) continue;
    for (Tensor& tensor : golden_tensors(model, name).tensors)
      tensors.tensors.push_back(std::move(tensor));
  }
  return tensors;
}

void reverse_rows(Tensor& tensor) {
  const auto rows = static_cast<std::size_t>(tensor.shape.front());
  const std::size_t width = tensor.values.size() / rows;
  std::vector<float> values;
  for (std::size_t row = rows; row-- > 0;)
    for (std::size_t i = 0; i < width; ++i) values.push_back(tensor.values[row * width + i] * 0.9f);
  tensor.values = std::move(values);
}

void change_tensors(TensorFile& file, const json& operations) {
  const auto at = [&](const std::string& name) {
    return std::ranges::find(file.tensors, name, &Tensor::name);
  };
  for (const json& step : operations) {
    const std::string operation = step[0], name = step[1], other = step[2];
    if (operation == "remove") {
      file.tensors.erase(at(name));
    } else if (operation == "rename") {
      at(name)->name = other;
    } else if (operation == "copy") {
      Tensor copy = *at(name);
      copy.name = other;
      file.tensors.push_back(std::move(copy));
    } else if (operation == "reverse") {
      reverse_rows(*at(name));
    } else if (operation == "alias") {
      file.metadata[name] = other;
    } else if (operation == "prefix") {
      for (Tensor& tensor : file.tensors) tensor.name.insert(0, name);
    }
  }
}

// All cases, with what they leave out.
json varied_cases() {
  json cases = json::parse(text_of_file(golden_path("", "varied.json")));
  for (json& change : cases) {
    change.emplace("set", json::object());
    change.emplace("remove", json::array());
    change.emplace("tensors", json::array());
  }
  return cases;
}

json changed_config(json config, const json& change) {
  for (const std::string key : change["remove"]) config.erase(key);
  for (const auto& [key, value] : change["set"].items()) config[key] = value;
  return config;
}

// A member's name, or "tensor" where tensors were changed, must be in what refuses a case that
// transformers computes.
bool names_change(const std::string& message, const json& change) {
  const auto names = [&](const std::string& member) {
    return message.find(member.substr(member.starts_with("use_") ? 4 : 0)) != message.npos;
  };
  return names("rope") || names("_factor") || std::ranges::any_of(change["remove"], names) ||
         std::ranges::any_of(change["set"].items(),
                             [&](const auto& member) { return names(member.key()); });
}

void expect_answer(const Model& model, const json& change, const TensorFile& answers) {
  const TensorFile found = computed(model, tokens_for(model.network.encoder.has_value()));
  const std::string prefix = std::to_string(change["answer"].get<int>()) + ".";
  int compared = 0;
  for (const Tensor& expected : answers.tensors) {
    if (!expected.name.starts_with(prefix)) continue;
    const std::string name = expected.name.substr(prefix.size());
    const Tensor* const mine = found.find(name);
    ASSERT_NE(mine, nullptr) << name;
    EXPECT_LE(relative_error(*mine, expected), allowed_error(name)) << name;
    ++compared;
  }
  EXPECT_GT(compared, 0);
}

// True when the texts are not refused, as where they are too long.
bool computes(const Model& model) {
  try {
    computed(model, tokens_for(model.network.encoder.has_value()));
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

void expect_as_reference(const std::string& folder, const json& change, const TensorFile& answers) {
  const std::string result = change["result"];
  const auto model = open_model(folder);
  if (result == "answer") {
    const bool other = change.contains("why");
    if (model && (!other || computes(*model))) return expect_answer(*model, change, answers);
    EXPECT_TRUE(other && (model || names_change(model.error().message, change)))
        << (model ? "" : model.error().message);
  } else if (result == "missing") {  // transformers invents numbers
    EXPECT_TRUE(!model || !model->notes.empty() || change.contains("why"));
  } else {
    EXPECT_TRUE(!model || change.contains("why") || !computes(*model)) << change["says"];
  }
}

class VariedModel : public ::testing::TestWithParam<std::string> {};

TEST_P(VariedModel, IsReadAsTheReferenceReadsIt) {
  static const json changes = varied_cases();
  static const TensorFile answers = golden_tensors("", "varied.safetensors");
  const TensorFile base = base_tensors(GetParam());
  const json config = json::parse(text_of_file(golden_path(GetParam(), "config.json")));
  const std::string weights = write_safetensors(base);
  for (const json& change : changes) {
    if (change["model"] != GetParam()) continue;
    SCOPED_TRACE(change.dump());
    const TemporaryFolder folder;
    folder.write("config.json", changed_config(config, change).dump());
    TensorFile tensors;
    if (!change["tensors"].empty()) {
      tensors = base;
      change_tensors(tensors, change["tensors"]);
    }
    folder.write("model.safetensors",
                 tensors.tensors.empty() ? weights : write_safetensors(tensors));
    expect_as_reference(folder.path().string(), change, answers);
  }
}

std::vector<std::string> varied_models() {
  std::vector<std::string> names;
  for (const json& change : varied_cases()) {
    const auto name = change["model"].get<std::string>();
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Every, VariedModel, ::testing::ValuesIn(varied_models()), test_name);

// What reads text in a model that also reads images is under text_config, and its tensors have
// another prefix.
TEST(TextPart, OfAModelThatReadsImagesIsOpenedWithANote) {
  TensorFile tensors = base_tensors("gemma4");
  for (Tensor& tensor : tensors.tensors)
    if (tensor.name.starts_with("model.")) tensor.name.insert(6, "language_model.");
  tensors.tensors.push_back({"model.vision_tower.patch.weight", {1, 2}, {0.5f, 1.0f}});
  const json text = json::parse(text_of_file(golden_path("gemma4", "config.json")));
  const json config = {{"model_type", "gemma4"},
                       {"architectures", {"Gemma4ForConditionalGeneration"}},
                       {"text_config", text},
                       {"vision_config", {{"hidden_size", 2}}}};
  const TemporaryFolder folder;
  folder.write("config.json", config.dump());
  folder.write("model.safetensors", write_safetensors(tensors));
  const auto model = open_model(folder.path().string());
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_THAT(model->notes, ::testing::Contains(::testing::HasSubstr("images and sound")));
  EXPECT_THAT(model->notes, ::testing::Contains(::testing::HasSubstr("vision_tower")));
  const Tokens tokens = tokens_for(false);
  const TensorFile found = computed(*model, tokens);
  const TensorFile expected = computed(opened_golden("gemma4"), tokens);
  EXPECT_EQ(relative_error(*found.find("logits"), *expected.find("logits")), 0);
}

}  // namespace
}  // namespace lab
