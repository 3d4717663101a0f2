#include "app/files/model/weights/adapter.h"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "app/document/listed_edits.h"
#include "app/document/model/adapter_gain.h"
#include "app/document/model/layer_command.h"
#include "app/files/model/model_session.h"
#include "app/files/model/weights/weights_hash.h"
#include "app/tests/model/support.h"
#include "core/network/layer_matrix.h"

// LoRA adapters, and what PEFT computes with them: see golden/make_adapters.py.

namespace lab {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kAdapterWeights = "adapter_model.safetensors";
constexpr const char* kAdapterConfig = "adapter_config.json";

std::string adapter_path(const std::string& adapter, const std::string& file) {
  return golden_path("adapters", adapter + "/" + file);
}

std::vector<std::string> adapters() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(golden_path("adapters", "")))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

class AdaptedModel : public ::testing::TestWithParam<std::string> {};

TEST_P(AdaptedModel, AgreesWithPeft) {
  const Model model = opened_model(adapter_path(GetParam(), ""));
  const TensorFile golden = golden_tensors("adapters/" + GetParam(), "golden.safetensors");
  const TensorFile answer = computed(model, tokens_of(golden, ""));
  EXPECT_EQ(answer.tensors.size(), golden.tensors.size());
  for (const Tensor& found : answer.tensors) {
    const Tensor* const expected = golden.find(found.name);
    ASSERT_NE(expected, nullptr) << found.name;
    if (found.name == "input_ids") continue;
    EXPECT_LE(relative_error(found, *expected), allowed_error(found.name)) << found.name;
  }
}

TEST_P(AdaptedModel, SaysWhatIsAppliedAndHashesBoth) {
  const Model model = opened_model(adapter_path(GetParam(), ""));
  EXPECT_EQ(model.name, GetParam());
  EXPECT_THAT(model.notes, Contains(AllOf(HasSubstr("the adapter "), HasSubstr(" changes "))));
  EXPECT_THAT(model.notes, Not(Contains(HasSubstr("has no place for"))));
  const auto hashes = files::weights_hashes(model.checkpoint);
  ASSERT_TRUE(hashes);
  ASSERT_EQ(hashes->size(), 2u);
  EXPECT_EQ(hashes->at(0).file, "model.safetensors");
  EXPECT_EQ(hashes->at(1).file, kAdapterWeights);
}

INSTANTIATE_TEST_SUITE_P(Every, AdaptedModel, ::testing::ValuesIn(adapters()), test_name);

// An adapter in a folder beside its base.
class AdapterFolder {
 public:
  explicit AdapterFolder(const std::string& adapter) {
    for (const char* part : {"adapter", "base"})
      std::filesystem::create_directories(folder_.path() / part);
    json config = json::parse(text_of_file(adapter_path(adapter, kAdapterConfig)));
    const std::string base = config["base_model_name_or_path"];
    for (const char* file : {"config.json", "model.safetensors"})
      std::filesystem::copy_file(adapter_path(adapter, "../" + base + "/" + file),
                                 folder_.path() / "base" / file);
    config["base_model_name_or_path"] = "org/base";
    write(kAdapterConfig, config.dump());
    write(kAdapterWeights, text_of_file(adapter_path(adapter, kAdapterWeights)));
  }

  std::string path() const { return (folder_.path() / "adapter").string(); }
  void write(const std::string& file, std::string_view bytes) const {
    std::filesystem::remove(folder_.path() / "adapter" / file);
    folder_.write("adapter/" + file, bytes);
  }
  void remove_base() const { std::filesystem::remove_all(folder_.path() / "base"); }
  void set(const char* member, const json& value) const {
    json config = json::parse(text_of_file(path() + "/" + kAdapterConfig));
    config[member] = value;
    write(kAdapterConfig, config.dump());
  }
  void change_tensors(const std::function<void(TensorFile&)>& change) const {
    TensorFile tensors = *read_safetensors(text_of_file(path() + "/" + kAdapterWeights));
    change(tensors);
    write(kAdapterWeights, write_safetensors(tensors));
  }
  std::string error() const {
    const auto model = open_model(path());
    return model ? "" : model.error().message;
  }

 private:
  TemporaryFolder folder_;
};

TEST(Adapter, OpensWithABaseBesideIt) {
  const AdapterFolder folder("plain");
  const auto model = open_model(folder.path());
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->folder, folder.path());
  EXPECT_TRUE(is_model_path(folder.path()));
}

// A snapshot in a cache of Hugging Face's.
void cache_model(const TemporaryFolder& cache, const std::string& name, const std::string& from,
                 std::initializer_list<const char*> files) {
  const std::filesystem::path model = cache.path() / ("models--org--" + name);
  std::filesystem::create_directories(model / "snapshots" / "aaa");
  std::filesystem::create_directories(model / "refs");
  cache.write("models--org--" + name + "/refs/main", "aaa");
  for (const char* file : files)
    std::filesystem::copy_file(from + "/" + file, model / "snapshots" / "aaa" / file);
}

TEST(Adapter, OpensWithABaseInTheListOfModels) {
  const AdapterFolder folder("plain");
  folder.remove_base();
  const TemporaryFolder cache;
  cache_model(cache, "base", golden_path("llama", ""), {"config.json", "model.safetensors"});
  cache_model(cache, "tuned", folder.path(), {kAdapterConfig, kAdapterWeights});
  setenv("HF_HUB_CACHE", cache.path().c_str(), 1);
  const auto model = open_model(folder.path()), tuned = open_model("org/tuned");
  unsetenv("HF_HUB_CACHE");
  EXPECT_TRUE(model) << model.error().message;
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_THAT(tuned->notes, Contains(HasSubstr("the adapter ")));
}

TEST(Adapter, WithoutItsBaseNamesItAndHowToGetIt) {
  const AdapterFolder folder("plain");
  folder.remove_base();
  const auto model = open_model(folder.path());
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().type, ErrorType::kIo);
  EXPECT_THAT(model.error().message, HasSubstr("\"attention-lab get org/base\""));
}

TEST(Adapter, ThatIsScaledOtherwiseComputesSomethingElse) {
  const AdapterFolder folder("plain");
  const Model before = opened_model(folder.path());
  folder.set("lora_alpha", 9);
  const Model after = opened_model(folder.path());
  EXPECT_NE(before.config, after.config);  // sessions see that the adapter is another one
  const auto tokens = random_tokens(before, 5, 0, 1);
  EXPECT_NE(computed(before, tokens).find("logits")->values,
            computed(after, tokens).find("logits")->values);
}

TEST(Adapter, OfAKindThatIsNotSupportedIsRefusedByName) {
  const std::pair<const char*, json> kinds[] = {{"use_dora", true},
                                                {"lora_bias", true},
                                                {"peft_type", "IA3"},
                                                {"init_lora_weights", "pissa"},
                                                {"target_parameters", {"experts"}},
                                                {"layer_replication", {{0, 1}}},
                                                {"trainable_token_indices", {1, 2}}};
  for (const auto& [member, value] : kinds) {
    const AdapterFolder folder("plain");
    folder.set(member, value);
    const auto model = open_model(folder.path());
    ASSERT_FALSE(model) << member;
    EXPECT_EQ(model.error().type, ErrorType::kBadInput);
    EXPECT_THAT(model.error().message, HasSubstr(std::string(member) + ": "));
  }
}

TEST(Adapter, ThatDoesNotFitIsRefused) {
  const AdapterFolder rank("plain");
  rank.set("r", 8);
  EXPECT_THAT(rank.error(), HasSubstr("has rank 4, but adapter_config.json says another"));

  const AdapterFolder missing("plain");
  missing.change_tensors([](TensorFile& file) {
    std::erase_if(file.tensors, [](const Tensor& t) { return t.name.ends_with("lora_B.weight"); });
  });
  EXPECT_THAT(missing.error(), HasSubstr("lora_B.weight\" is missing"));

  const AdapterFolder shape("plain");
  shape.change_tensors([](TensorFile& file) {
    for (Tensor& tensor : file.tensors)
      if (tensor.name.ends_with("lora_A.weight"))
        tensor.shape = {tensor.shape[0] * 2, tensor.shape[1] / 2};
  });
  EXPECT_THAT(shape.error(), HasSubstr("does not fit its base"));

  const AdapterFolder unknown("plain");
  unknown.change_tensors([](TensorFile& file) {
    for (Tensor& tensor : file.tensors)
      if (const std::size_t at = tensor.name.find("layers.1"); at != std::string::npos)
        tensor.name.replace(at, 8, "layers.7");
  });
  EXPECT_THAT(unknown.error(),
              HasSubstr("layers.7.self_attn.q_proj.weight\", which its base does not have"));

  const AdapterFolder magnitude("plain");
  magnitude.change_tensors([](TensorFile& file) {
    file.tensors.push_back(
        {"base_model.model.model.layers.0.self_attn.q_proj.lora_magnitude_vector", {1}, {1}});
  });
  EXPECT_THAT(magnitude.error(), HasSubstr("lora_magnitude_vector\" of the adapter"));

  const AdapterFolder ambiguous("patterns");
  ambiguous.set("alpha_pattern", {{"up_proj", 5}, {"mlp.up_proj", 6}});
  EXPECT_THAT(ambiguous.error(), HasSubstr("alpha_pattern: two patterns match"));

  const AdapterFolder pattern("patterns");
  pattern.set("alpha_pattern", {{"(", 5}});
  EXPECT_THAT(pattern.error(), HasSubstr("alpha_pattern: \"(\" is no pattern"));
}

TEST(Adapter, WhoseFilesAreDamagedIsOpenedOrRefused) {
  const AdapterFolder folder("patterns");
  for (const char* file : {kAdapterWeights, kAdapterConfig}) {
    const std::string whole = text_of_file(folder.path() + "/" + file);
    for (std::size_t bit = 0; bit < 8 * whole.size(); bit += 211) {
      std::string bytes = whole;
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
      folder.write(file, bytes);
      if (const auto model = open_model(folder.path())) {
        computed(*model, random_tokens(*model, 3, 0, 1));
      } else {
        EXPECT_FALSE(model.error().message.empty());
      }
    }
    folder.write(file, whole);
  }
}

// --- the gain of an adapter, as an edit of the model

using attention::MatrixId;
using attention::network::LayerId;

ModelDocument document_on(std::shared_ptr<const Model> model) {
  return make_model_document(std::move(model), ModelText{std::nullopt, {3, 1, 4, 1, 5}}).value();
}

ModelDocument with_gain(const ModelDocument& document, float gain) {
  return apply_to_model(document, SetAdapterGain{gain}).value();
}

// What a model with the network of `document` computes.
TensorFile computed(const ModelDocument& document) {
  Model model = static_cast<const Model&>(*document.source);
  model.network = document.network;
  return computed(model, tokens_of(document));
}

void expect_same_numbers(const TensorFile& found, const TensorFile& expected, double most) {
  ASSERT_EQ(found.tensors.size(), expected.tensors.size());
  for (const Tensor& tensor : found.tensors) {
    if (tensor.name == "input_ids") continue;
    EXPECT_LE(relative_error(tensor, *expected.find(tensor.name)), most) << tensor.name;
  }
}

TEST_P(AdaptedModel, HalvedIsTheOneWithHalfItsAlpha) {
  const AdapterFolder folder(GetParam());
  const auto model = std::make_shared<const Model>(opened_model(folder.path()));
  json config = json::parse(text_of_file(folder.path() + "/" + kAdapterConfig));
  config["lora_alpha"] = config["lora_alpha"].get<double>() / 2;
  for (auto& [pattern, alpha] : config["alpha_pattern"].items()) alpha = alpha.get<double>() / 2;
  folder.write(kAdapterConfig, config.dump());
  const Model halved = opened_model(folder.path());
  const ModelDocument document = with_gain(document_on(model), 0.5f);
  expect_same_numbers(computed(document), computed(halved, tokens_of(document)), 1e-6);
}

TEST(AdapterGain, OfZeroIsTheBase) {
  const AdapterFolder folder("plain");
  const auto model = std::make_shared<const Model>(opened_model(folder.path()));
  const ModelDocument document = with_gain(document_on(model), 0);
  expect_same_numbers(computed(document), computed(opened_golden("llama"), tokens_of(document)), 0);
  EXPECT_TRUE(is_edited(document));
  EXPECT_FALSE(is_edited(with_gain(document, 1)));
  EXPECT_FALSE(is_edited(without_edits(document)));
  EXPECT_TRUE(edits_of(document).empty());  // no weight was typed
}

TEST(AdapterGain, LeavesTypedWeightsAndMovesTheOthers) {
  const AdapterFolder folder("plain");
  const auto model = std::make_shared<const Model>(opened_model(folder.path()));
  ModelDocument document = document_on(model);
  const LayerId at{.layer = 1};
  const auto of_head = [&](const ModelDocument& one) {
    return layer_matrix_values(*find_attention(one.network, at), MatrixId::kWQ, 2);
  };
  attention::Matrix values = of_head(document);
  values(3, 1) = 7;
  set_layer_matrix(*find_attention(document.network, at), MatrixId::kWQ, 2, values);
  const ModelDocument off = with_gain(document, 0), back = with_gain(off, 1);
  EXPECT_EQ(of_head(off)(3, 1), 7);
  EXPECT_NE(of_head(off)(3, 0), values(3, 0));
  EXPECT_EQ(of_head(back), values);
  ASSERT_EQ(edits_of(off).size(), 1u);
  EXPECT_EQ(edits_of(off)[0].numbers, 1);
}

TEST(AdapterGain, IsKeptInSessions) {
  const AdapterFolder folder("plain");
  const auto model = std::make_shared<const Model>(opened_model(folder.path()));
  const ModelDocument document = with_gain(document_on(model), -0.25f);
  files::ModelSession session;
  session.model = model;
  session.document = document;
  ASSERT_TRUE(add_hashes(session));
  const std::string text = write_model_session(document, session.weights, session.config);
  const auto read = files::read_model_session(text, {});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->document.adapter_gain, -0.25f);
  expect_same_numbers(computed(read->document), computed(document), 0);
}

TEST(AdapterGain, IsRefusedWithoutAnAdapterAndBeyondItsLimits) {
  const ModelDocument plain = document_on(std::make_shared<const Model>(opened_golden("llama")));
  const auto none = apply_to_model(plain, SetAdapterGain{0.5f});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("no adapter"));
  const AdapterFolder folder("plain");
  const ModelDocument document =
      document_on(std::make_shared<const Model>(opened_model(folder.path())));
  for (const float gain : {101.0f, -101.0f, std::nanf("")})
    EXPECT_FALSE(apply_to_model(document, SetAdapterGain{gain}));
}

}  // namespace
}  // namespace lab
