#include <gmock/gmock.h>
#include <unistd.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "app/files/io/little_endian.h"
#include "app/files/model/model_list.h"
#include "app/tests/files/damage.h"
#include "app/tests/files/support.h"
#include "app/tests/model/support.h"

// Whatever a model's folder holds, it is opened, or refused with a message: never a crash, a hang
// or much memory.

namespace lab {
namespace {

using attention::Matrix;
using attention::network::NetworkEvaluator;
using attention::network::Tokens;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kWeights = "model.safetensors";
constexpr const char* kIndex = "model.safetensors.index.json";
constexpr const char* kOneShard = "model-00003-of-00003.safetensors";

// A copy of a small checkpoint that a test damages.
class DamagedFolder {
 public:
  explicit DamagedFolder(const std::string& model) { copy_model(model, folder_); }

  std::string path() const { return folder_.path().string(); }
  std::string text(const std::string& file) const { return text_of_file(folder_ / file); }
  // As a new file: file systems write what replaces the bytes of an old one to the disk at once.
  void write(const std::string& file, std::string_view bytes) const {
    remove(file);
    folder_.write(file, bytes);
  }
  void remove(const std::string& file) const { std::filesystem::remove(folder_ / file); }

  // Changes a JSON file, or the tensors of a file of float32.
  template <typename Change>
  void change_json(const std::string& file, Change change) const {
    json value = json::parse(text(file));
    change(value);
    write(file, value.dump());
  }
  template <typename Change>
  void change_tensors(const std::string& file, Change change) const {
    TensorFile tensors = value_of(read_safetensors(text(file)));
    change(tensors);
    write(file, write_safetensors(tensors));
  }
  void replace(const std::string& file, const std::string& what, const std::string& with) const {
    std::string bytes = text(file);
    bytes.replace(bytes.find(what), what.size(), with);
    write(file, bytes);
  }
  void set(const char* member, const json& value) const {
    change_json("config.json", [&](json& config) { config[member] = value; });
  }

 private:
  TemporaryFolder folder_;
};

// Opens the folder, and computes something if it opens.
void open_and_compute(const std::string& folder) {
  const auto model = open_model(folder);
  if (!model) {
    EXPECT_FALSE(model.error().message.empty());
    return;
  }
  try {
    computed(*model, random_tokens(*model, 7, 6, 1));
  } catch (const std::invalid_argument& error) {  // fewer ids or positions than that
    EXPECT_STRNE(error.what(), "");
  }
}

constexpr const char* kLfsPointer =
    "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n";

struct BadModel {
  const char* name;
  const char* model;
  std::function<void(const DamagedFolder&)> damage;
  const char* message;
};

Tensor& tensor_of(TensorFile& file, const std::string& name) {
  return *std::ranges::find(file.tensors, name, &Tensor::name);
}

void name_shard(const DamagedFolder& folder, const std::string& name) {
  folder.change_json(kIndex, [&](json& index) { index["weight_map"]["lm_head.weight"] = name; });
}

const BadModel kBadModels[] = {
    {"NoConfig", "gpt2", [](const auto& f) { f.remove("config.json"); }, "config.json"},
    {"ConfigIsNoJson", "gpt2", [](const auto& f) { f.write("config.json", "{"); }, "config.json"},
    {"ConfigIsAList", "gpt2", [](const auto& f) { f.write("config.json", "[]"); },
     "should be an object"},
    {"NoModelType", "gpt2", [](const auto& f) { f.set("model_type", nullptr); },
     "model_type: is missing"},
    {"OtherModelType", "gpt2", [](const auto& f) { f.set("model_type", "mamba"); },
     "\"mamba\" is not supported; supported are bert, "},
    {"Quantised", "llama",
     [](const auto& f) {
       f.set("quantization_config", {{"quant_method", "aqlm"}});
     },
     "quantization_config.quant_method: \"aqlm\" is not supported; supported are fp8, "},
    {"QuantisedConv1D", "gpt2",
     [](const auto& f) {
       f.set("quantization_config", {{"quant_method", "gptq"}});
     },
     "quantization_config: quantised weights of this family are not supported"},
    {"OtherActivation", "llama", [](const auto& f) { f.set("hidden_act", "laplace"); },
     "hidden_act: \"laplace\" is not supported"},
    {"OtherRope", "llama",
     [](const auto& f) {
       f.set("rope_parameters", {{"rope_type", "proportional"}});
     },
     "rope_parameters.rope_type: \"proportional\" is not supported"},
    {"HeadsThatCannotBeShared", "llama", [](const auto& f) { f.set("num_key_value_heads", 3); },
     "num_key_value_heads: 3 does not divide 4 heads"},
    {"TooFewLayerTypes", "gemma3", [](const auto& f) { f.set("layer_types", {"full_attention"}); },
     "layer_types"},
    {"OneDistanceForAllBuckets", "t5",
     [](const auto& f) { f.set("relative_attention_max_distance", 1); }, "largest distance"},

    {"NoWeights", "gpt2", [](const auto& f) { f.remove(kWeights); },
     "neither model.safetensors nor model.safetensors.index.json"},
    {"EmptyWeights", "gpt2", [](const auto& f) { f.write(kWeights, ""); }, "is empty"},
    {"WeightsAreAFolder", "gpt2",
     [](const auto& f) {
       f.remove(kWeights);
       std::filesystem::create_directory(f.path() + "/" + kWeights);
     },
     "is not an ordinary file"},
    {"OtherShape", "llama",
     [](const auto& f) {
       f.change_tensors(kWeights, [](TensorFile& file) {
         tensor_of(file, "model.layers.1.mlp.up_proj.weight").shape = {16, 20};
       });
     },
     "tensor \"model.layers.1.mlp.up_proj.weight\" is 16 × 20, but config.json says 20 × 16"},
    {"OtherShapeOfARow", "gpt2",
     [](const auto& f) {
       f.change_tensors(kWeights, [](TensorFile& file) {
         tensor_of(file, "transformer.h.0.ln_1.bias").shape = {16, 1};
       });
     },
     "tensor \"transformer.h.0.ln_1.bias\" is 16 × 1, but config.json says 1 × 16"},
    {"ThreeDimensions", "llama",
     [](const auto& f) {
       f.change_tensors(kWeights, [](TensorFile& file) {
         tensor_of(file, "model.norm.weight").shape = {1, 1, 16};
       });
     },
     "tensor \"model.norm.weight\" has the shape"},
    {"NoTensor", "llama",
     [](const auto& f) {
       f.change_tensors(kWeights, [](TensorFile& file) {
         std::erase_if(file.tensors, [](const Tensor& t) { return t.name == "model.norm.weight"; });
       });
     },
     "tensor \"model.norm.weight\" is missing"},
    {"MoreLayersThanTensors", "llama", [](const auto& f) { f.set("num_hidden_layers", 3); },
     "tensor \"model.layers.2."},
    {"IntegerWeights", "llama", [](const auto& f) { f.replace(kWeights, "F32", "I32"); },
     "holds I32; supported are F64, F32"},
    {"NameThatIsNearIt", "llama",
     [](const auto& f) { f.replace(kWeights, "0.self_attn.q_proj", "0.self_atte.q_proj"); },
     "nearest that is there is \"model.layers.0.self_atte.q_proj.weight\""},
    {"EmbeddingUnderNoName", "bart",
     [](const auto& f) { f.replace(kWeights, "model.shared.weight", "model.shaped.weight"); },
     "may be tied to: \"model.shared.weight\""},
    {"PointerOfGitLfs", "gpt2", [](const auto& f) { f.write(kWeights, kLfsPointer); },
     "git lfs pull"},
    {"ConfigIsAPointerOfGitLfs", "gpt2", [](const auto& f) { f.write("config.json", kLfsPointer); },
     "git lfs pull"},
    {"WeightsAreAWebPage", "gpt2",
     [](const auto& f) { f.write(kWeights, "\n<!DOCTYPE HTML><title>404</title>"); }, "web page"},
    {"UnknownTypeLikeLlama", "llama",
     [](const auto& f) {
       f.replace("config.json", "\"model_type\": \"llama\"", "\"model_type\": \"lama2\"");
       f.replace(kWeights, "0.mlp.up_proj.weight", "0.mlp.upward.weight_");
     },
     "named most like those of Llama, but there is \"mlp.upward.weight_\" and no \"mlp.up_proj\""},
    {"OnlyAPickle", "gpt2",
     [](const auto& f) { f.remove(kWeights), f.write("pytorch_model.bin", "PK"); },
     "pytorch_model.bin: the archive is cut"},
    {"OnlyGguf", "gpt2", [](const auto& f) { f.remove(kWeights), f.write("a.Q4_K.gguf", "GGUF"); },
     "\"a.Q4_K.gguf\" is a model in GGUF"},
    {"OnlyAnAdapter", "gpt2",
     [](const auto& f) { f.remove(kWeights), f.write("adapter_model.safetensors", "x"); },
     "an adapter (LoRA) without the adapter_config.json"},
    {"AdapterWithoutConfig", "gpt2",
     [](const auto& f) {
       f.remove("config.json");
       f.write("adapter_config.json", R"({"base_model_name_or_path": "org/large"})");
     },
     "an adapter (LoRA) of \"org/large\", which is not on this machine"},

    {"DuplicateTensor", "llama-sharded",
     [](const auto& f) {
       f.change_tensors(kOneShard, [](TensorFile& file) {
         file.tensors.push_back({"model.layers.0.self_attn.q_proj.weight", {1}, {0}});
       });
     },
     "tensor \"model.layers.0.self_attn.q_proj.weight\" is in another file too"},
    {"ShardAbove", "llama-sharded", [](const auto& f) { name_shard(f, "../x"); },
     "\"../x\" is no file in the model's own folder"},
    {"ShardBelow", "llama-sharded", [](const auto& f) { name_shard(f, "a/b"); },
     "\"a/b\" is no file in the model's own folder"},
    {"ShardFromTheRoot", "llama-sharded", [](const auto& f) { name_shard(f, "/etc/passwd"); },
     "is no file in the model's own folder"},
    {"ShardWithABackslash", "llama-sharded", [](const auto& f) { name_shard(f, "a\\b"); },
     "is no file in the model's own folder"},
    {"ShardWithoutAName", "llama-sharded", [](const auto& f) { name_shard(f, ""); },
     "is no file in the model's own folder"},
    {"ShardThatIsMissing", "llama-sharded", [](const auto& f) { f.remove(kOneShard); },
     "No such file"},
    {"ShardWithoutItsTensor", "llama-sharded",
     [](const auto& f) {
       f.change_json(kIndex, [](json& index) { index["weight_map"]["ghost"] = kOneShard; });
     },
     "tensor \"ghost\" should be here, as the index says, and is not"},
    {"TensorInAnotherShard", "llama-sharded",
     [](const auto& f) {
       f.change_json(kIndex, [](json& index) {
         index["weight_map"]["model.embed_tokens.weight"] =
             index["weight_map"]["model.norm.weight"];
       });
     },
     "tensor \"model.embed_tokens.weight\" should be here"},
    {"NoWeightMap", "llama-sharded", [](const auto& f) { f.write(kIndex, "{}"); },
     "weight_map is missing"},
    {"EmptyWeightMap", "llama-sharded",
     [](const auto& f) { f.write(kIndex, R"({"weight_map":{}})"); }, "weight_map names no file"},
    {"ShardIsANumber", "llama-sharded",
     [](const auto& f) { f.write(kIndex, R"({"weight_map":{"x":7}})"); },
     "should be the name of a file"},
};

class BadModels : public ::testing::TestWithParam<BadModel> {};

TEST_P(BadModels, AreRefusedWithAMessage) {
  const DamagedFolder folder(GetParam().model);
  ASSERT_TRUE(open_model(folder.path()));
  GetParam().damage(folder);
  const auto model = open_model(folder.path());
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().message, HasSubstr(GetParam().message));
  EXPECT_THAT(model.error().message, HasSubstr(folder.path()));
}

INSTANTIATE_TEST_SUITE_P(Every, BadModels, ::testing::ValuesIn(kBadModels), case_name<BadModel>);

// A cache of Hugging Face's with one model, org/small.
class CachedModel : public ::testing::Test {
 protected:
  CachedModel() {
    setenv("HF_HUB_CACHE", cache_.path().c_str(), 1);
    std::filesystem::create_directories(model() / "refs");
    for (const char* commit : {"aaa", "bbb"}) {
      std::filesystem::create_directories(snapshot(commit));
      for (const char* file : {"config.json", kWeights})
        std::filesystem::copy_file(golden_path("gpt2", file), snapshot(commit) / file);
    }
    name_snapshot("aaa");
  }
  ~CachedModel() override { unsetenv("HF_HUB_CACHE"); }

  std::filesystem::path model() const { return cache_.path() / "models--org--small"; }
  std::filesystem::path snapshot(const std::string& commit) const {
    return model() / "snapshots" / commit;
  }
  void name_snapshot(const std::string& commit) const {
    cache_.write("models--org--small/refs/main", commit);
  }
  static void expect_refused(const std::string& message) {
    const auto opened = open_model("org/small");
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().message, HasSubstr(message));
    const auto listed = files::list_models();
    const auto at = std::ranges::find(listed, "org/small", &files::ModelInfo::name);
    ASSERT_NE(at, listed.end());
    EXPECT_THAT(at->problem, HasSubstr(message));
  }

 private:
  TemporaryFolder cache_;
};

// A tensor of a kind that is not read, which nothing uses.
TEST(UnusedTensors, MayHaveAnyTypeAndAreNoted) {
  const DamagedFolder folder("gpt2");
  const std::string bytes = folder.text(kWeights);
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof(size));
  json header = json::parse(bytes.substr(8, size));
  const std::string data = bytes.substr(8 + size);
  const std::size_t end = data.size();
  header["scales.unused"] = {
      {"dtype", "F8_E4M3"}, {"shape", {2, 2}}, {"data_offsets", {end, end + 4}}};
  const std::string text = header.dump();
  size = text.size();
  const std::string start(reinterpret_cast<const char*>(&size), sizeof(size));
  folder.write(kWeights, start + text + data + "abcd");
  const Model model = opened_model(folder.path());
  EXPECT_THAT(model.notes, ::testing::Contains(HasSubstr("scales.unused")));
  const Tokens tokens = random_tokens(model, 7, 1, 3);
  const TensorFile expected = computed(opened_golden("gpt2"), tokens);
  const TensorFile found = computed(model, tokens);
  for (std::size_t i = 0; i < expected.tensors.size(); ++i)
    EXPECT_EQ(found.tensors[i].values, expected.tensors[i].values) << expected.tensors[i].name;
}

TEST_F(CachedModel, IsTheSnapshotThatMainNames) {
  ASSERT_TRUE(open_model("org/small"));
  EXPECT_EQ(open_model("org/small")->folder, snapshot("aaa").string());
  name_snapshot("bbb\n");
  EXPECT_EQ(open_model("org/small")->folder, snapshot("bbb").string());
}

TEST_F(CachedModel, IsRefusedWhereNothingNamesASnapshot) {
  std::filesystem::remove(model() / "refs" / "main");
  expect_refused("refs/main");
}

TEST_F(CachedModel, IsRefusedWhereMainNamesAnotherSnapshot) {
  name_snapshot("ccc");
  expect_refused("\"ccc\"");
}

TEST_F(CachedModel, IsRefusedWhereItsDownloadDidNotEnd) {
  std::filesystem::remove(snapshot("aaa") / kWeights);
  expect_refused("no model.safetensors");
  std::filesystem::create_symlink("../../blobs/none", snapshot("aaa") / kWeights);
  expect_refused("download did not end");
}

TEST(DamagedModels, AWeightsFileThatWasCutAnywhereIsRefused) {
  const DamagedFolder folder("llama-linear");
  const std::string bytes = folder.text(kWeights);
  Damage damage([&](std::string_view damaged) {
    folder.write(kWeights, damaged);
    EXPECT_FALSE(open_model(folder.path())) << damaged.size();
  });
  for (std::size_t size = 0; size < bytes.size(); ++size) damage.read(bytes.substr(0, size));
}

TEST(DamagedModels, AFlippedBitOfAHeaderIsRefusedOrOpened) {
  const DamagedFolder folder("llama-linear");
  const std::string bytes = folder.text(kWeights);
  const std::size_t header = 8 + load_little_endian(bytes.substr(0, 8));
  Damage damage([&](std::string_view damaged) {
    folder.write(kWeights, damaged);
    open_and_compute(folder.path());
  });
  for (std::size_t bit = 0; bit < 8 * header; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    damage.read(std::move(flipped));
  }
}

// Every place of a JSON value but the root.
std::vector<json::json_pointer> places_of(const json& value) {
  std::vector<json::json_pointer> places;
  const json leaves = value.flatten();
  for (const auto& [place, leaf] : leaves.items())
    for (json::json_pointer at(place); !at.empty(); at = at.parent_pointer())
      if (std::ranges::find(places, at) == places.end()) places.push_back(at);
  return places;
}

class DamagedConfig : public ::testing::TestWithParam<std::string> {};

TEST_P(DamagedConfig, AnyValueOfAMemberIsRefusedOrOpened) {
  const json kValues[] = {nullptr,
                          7,
                          "x",
                          json::array(),
                          json::object(),
                          0,
                          -1,
                          1,
                          2,
                          3,
                          0.5,
                          true,
                          64,
                          1e30,
                          -1e300,
                          "gelu",
                          4096,
                          std::int64_t{1} << 20,
                          std::int64_t{1} << 30,
                          std::int64_t{1} << 31,
                          ~std::uint64_t{0}};
  const DamagedFolder folder(GetParam());
  Damage damage([&](std::string_view damaged) {
    folder.write("config.json", damaged);
    open_and_compute(folder.path());
  });
  for (const char* file : {"config.json", "config.v4.json"}) {
    if (!std::filesystem::exists(golden_path(GetParam(), file))) continue;
    const json config = json::parse(text_of_file(golden_path(GetParam(), file)));
    for (const auto& place : places_of(config)) {
      for (const json& value : kValues) {
        json changed = config;
        changed[place] = value;
        SCOPED_TRACE(place.to_string() + " = " + value.dump());
        damage.read(changed.dump());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, DamagedConfig, ::testing::ValuesIn(golden_models()), test_name);

TEST(DamagedModels, AFileTruncatedWhileItIsMappedIsNamedAndDoesNotCrash) {
  const DamagedFolder folder("llama");
  const std::string bytes = folder.text(kWeights), path = folder.path() + "/" + kWeights;
  const auto whole = static_cast<off_t>(bytes.size());
  for (const off_t size : {off_t{0}, off_t{4096}, off_t{12288}, whole - 100, whole - 1}) {
    folder.write(kWeights, bytes);
    const Model model = opened_model(folder.path());
    const Tokens tokens = random_tokens(model, 9, 0, 1);
    computed(model, tokens);
    ASSERT_TRUE(check_readable(model));
    ASSERT_EQ(::truncate(path.c_str(), size), 0);
    computed(model, tokens);
    const auto readable = check_readable(model);
    ASSERT_FALSE(readable) << size;
    EXPECT_EQ(readable.error().type, ErrorType::kIo);
    EXPECT_THAT(readable.error().message, AllOf(HasSubstr(path), HasSubstr("truncated")));
  }
}

// The message of what evaluate() throws; empty when it throws nothing.
std::string refusal(NetworkEvaluator& evaluator, const Model& model, const Tokens& tokens) {
  try {
    evaluator.evaluate(model.network, tokens);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

class BadTexts : public ::testing::TestWithParam<std::string> {};

TEST_P(BadTexts, AreRefusedAndLeaveTheTraceAsItWas) {
  const Model model = opened_golden(GetParam());
  const bool two = model.network.encoder.has_value();
  NetworkEvaluator evaluator;
  const Tokens good = random_tokens(model, 5, 4, 1);
  const Matrix last = *evaluator.evaluate(model.network, good).stack.last;
  const auto expect_refused = [&](const Tokens& tokens, const std::string& message) {
    EXPECT_THAT(refusal(evaluator, model, tokens), HasSubstr(message));
    EXPECT_EQ(*evaluator.trace().stack.last, last);
  };
  for (const bool encoder : {false, true}) {
    if (encoder && !two) continue;
    Tokens tokens = good;
    auto& ids = encoder ? tokens.encoder_ids : tokens.ids;
    ids = {3, 37};
    expect_refused(tokens, "there is no token id 37; the last is 36");
    ids = {~std::uint32_t{0}};
    expect_refused(tokens, "there is no token id 4294967295");
    ids = {};
    expect_refused(tokens, "there are no tokens");
    ids.assign(65, 3);
    if (!model.network.stack.embedding.positions.empty())
      expect_refused(tokens, "65 tokens, but the network has only 64 positions");
    ids.assign(64, 3);
    EXPECT_EQ(refusal(evaluator, model, tokens), "");
    evaluator.evaluate(model.network, good);
  }
  Tokens tokens = good;
  tokens.types = {0, 0, 9, 0, 0};
  expect_refused(tokens, "there is no token type");
}

INSTANTIATE_TEST_SUITE_P(Every, BadTexts, ::testing::ValuesIn(golden_models()), test_name);

}  // namespace
}  // namespace lab
