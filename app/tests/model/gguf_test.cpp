#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <random>

#include "app/base/bad_input.h"
#include "app/files/io/little_endian.h"
#include "app/files/model/gguf/gguf_config.h"
#include "app/files/model/gguf/gguf_model.h"
#include "app/files/model/gguf/gguf_tokenizer.h"
#include "app/files/tensors/gguf_header.h"
#include "app/tests/files/damage.h"
#include "app/tests/files/support.h"
#include "app/tests/model/support.h"
#include "app/tokenizer/reading/read_tokenizer.h"
#include "core/network/row_functions.h"

// GGUF files: what the small checkpoints compute in that dress, what the gguf package makes of
// quantised blocks, what the reference makes of texts (see golden/make_gguf.py), and damaged files.

namespace lab {
namespace {

using attention::Matrix;
using attention::MatrixSlot;
using attention::Shape;
using attention::network::stored_format_from_name;
using attention::network::stored_format_info;
using attention::network::StoredFormat;
using attention::network::StoredMatrix;
using attention::network::Tokens;
using nlohmann::json;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

std::string gguf_path(const std::string& file) { return golden_path("gguf", file); }

// The files that hold a checkpoint, without their ending; of a split one, the second part.
std::vector<std::string> gguf_models() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(gguf_path(""))) {
    const std::string name = entry.path().stem().string();
    const bool other_part = name.find("-00001-") != name.npos || name.find("-00003-") != name.npos;
    const bool own = name.starts_with("tokenizer-") || name.starts_with("quantised-");
    if (entry.path().extension() == ".gguf" && !own && !other_part) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

// The checkpoint whose weights a file holds: the longest name that it begins with.
std::string checkpoint_of(const std::string& file) {
  std::string longest;
  for (const std::string& name : golden_models())
    if (file.starts_with(name) && name.size() > longest.size()) longest = name;
  return longest;
}

class GgufModel : public ::testing::TestWithParam<std::string> {};

void expect_gguf_golden(const Model& model, const TensorFile& golden) {
  for (const std::string length : {"1.", "2.", "9.", "60."}) {
    for (const Tensor& found : computed(model, tokens_of(golden, length)).tensors) {
      if (found.name == "input_ids") continue;
      const Tensor* const expected = golden.find(length + found.name);
      ASSERT_NE(expected, nullptr) << found.name;
      EXPECT_LE(relative_error(found, *expected), allowed_error(found.name)) << length + found.name;
    }
  }
}

TEST_P(GgufModel, ComputesWhatTheCheckpointDoes) {
  const Model model = opened_model(gguf_path(GetParam() + ".gguf"));
  EXPECT_THAT(model.notes, ::testing::IsEmpty());
  expect_gguf_golden(model, golden_tensors(checkpoint_of(GetParam()), "golden.safetensors"));
}

INSTANTIATE_TEST_SUITE_P(Every, GgufModel, ::testing::ValuesIn(gguf_models()), test_name);

// Their maps are used where they lie in the file: stacked, two in one tensor, and alone.
TEST(GgufExperts, ComputeWithQuantisedMaps) {
  const Model model = opened_model(gguf_path("quantised-experts.gguf"));
  EXPECT_THAT(model.notes, ::testing::IsEmpty());
  EXPECT_EQ(model.description.family, "mixtral");
  expect_gguf_golden(model, golden_tensors("gguf", "quantised-experts.safetensors"));
  const auto& first = model.network.stack.blocks[0].experts->experts[1];
  EXPECT_EQ(first.gate->W.format(), StoredFormat::kQ8_0);
  EXPECT_EQ(first.down.W.format(), StoredFormat::kQ4_0);
}

// The blocks and the numbers of one format in golden/gguf/formats.safetensors.
struct GoldenFormat {
  std::string name;
  std::string blocks;  // bytes
  Tensor values;       // [rows × numbers]
};

std::vector<GoldenFormat> golden_formats() {
  const TensorFile file = golden_tensors("gguf", "formats.safetensors");
  std::vector<GoldenFormat> formats;
  for (const Tensor& tensor : file.tensors) {
    if (!tensor.name.ends_with(".values")) continue;
    GoldenFormat format{tensor.name.substr(0, tensor.name.find('.')), {}, tensor};
    for (const float byte : file.find(format.name + ".blocks")->values)
      format.blocks.push_back(static_cast<char>(static_cast<unsigned char>(byte)));
    formats.push_back(std::move(format));
  }
  return formats;
}

StoredMatrix stored(const GoldenFormat& format, Shape shape) {
  const auto bytes = std::make_shared<const std::string>(format.blocks);
  return StoredMatrix(bytes, reinterpret_cast<const std::byte*>(bytes->data()),
                      *stored_format_from_name(format.name), shape);
}

TEST(QuantisedFormats, WidenAsTheReferenceDoesBitForBit) {
  const std::vector<GoldenFormat> formats = golden_formats();
  EXPECT_GE(formats.size(), 20u);
  for (const GoldenFormat& format : formats) {
    SCOPED_TRACE(format.name);
    ASSERT_TRUE(stored_format_from_name(format.name));
    const Matrix widened =
        stored(format, {format.values.shape[0], format.values.shape[1]}).values();
    EXPECT_THAT(std::vector<float>(widened.data(), widened.data() + widened.size()),
                ElementsAreArray(format.values.values));
  }
}

// Any part of a quantised matrix is that part of its numbers, also where it begins within a block.
TEST(QuantisedFormats, HavePartsAndProducts) {
  std::mt19937 random(3);
  for (const GoldenFormat& format : golden_formats()) {
    SCOPED_TRACE(format.name);
    const StoredMatrix all = stored(format, {format.values.shape[0], format.values.shape[1]});
    const Matrix values = all.values();
    for (int i = 0; i < 20; ++i) {
      const auto first = static_cast<attention::Index>(random() % all.cols());
      const auto count = 1 + static_cast<attention::Index>(random() % (all.cols() - first));
      EXPECT_EQ(all.columns(first, count).values(), values.middleCols(first, count));
      EXPECT_EQ(all.transposed().row_range(first, count).values(),
                values.middleCols(first, count).transpose());
    }
    EXPECT_EQ(all.row_range(1, 2).transposed().values(), values.middleRows(1, 2).transpose());

    attention::ThreadPool pool(2);
    const Matrix rows = Matrix::Random(5, all.cols());
    const Matrix product = attention::network::project(
        rows, {all.transposed(), {}}, attention::network::Precision::kSingle, pool);
    const Matrix expected = (rows.cast<double>() * values.transpose().cast<double>()).cast<float>();
    EXPECT_LE((product - expected).cwiseAbs().maxCoeff(), 1e-5f * expected.cwiseAbs().maxCoeff());
  }
}

TEST(GgufTokenizer, GivesTheTokensOfTheReference) {
  const json golden = json::parse(text_of_file(gguf_path("tokenizers.json")));
  for (const auto& [name, ids] : golden["ids"].items()) {
    const std::string file = text_of_file(gguf_path("tokenizer-" + name + ".gguf"));
    std::vector<std::string> notes;
    const json told = files::gguf_tokenizer(files::read_gguf_header(file).metadata, notes);
    EXPECT_TRUE(notes.empty());
    const auto tokenizer = tokenizer::read_tokenizer(told.dump());
    ASSERT_TRUE(tokenizer) << tokenizer.error().message;
    for (std::size_t i = 0; i < golden["texts"].size(); ++i) {
      const std::string text = golden["texts"][i];
      std::vector<std::uint32_t> found;
      for (const auto& token : value_of(tokenizer->encode(text))) found.push_back(token.id);
      EXPECT_EQ(json(found), ids[i]) << name << ": " << text;
    }
  }
}

TEST(GgufTokenizer, AnUnknownWayToSplitIsNoted) {
  json metadata = files::read_gguf_header(text_of_file(gguf_path("tokenizer-gpt-2.gguf"))).metadata;
  metadata["tokenizer.ggml.pre"] = "of next year";
  std::vector<std::string> notes;
  EXPECT_FALSE(files::gguf_tokenizer(metadata, notes).is_null());
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("of next year"));
}

// Writes GGUF files number by number, also wrong ones.
class GgufBytes {
 public:
  GgufBytes(std::uint64_t tensors, std::uint64_t keys, std::uint32_t version = 3) {
    bytes_ = "GGUF";
    number(version, 4).number(tensors, 8).number(keys, 8);
  }
  GgufBytes& number(std::uint64_t value, int size) {
    files::append_little_endian(bytes_, value, size);
    return *this;
  }
  GgufBytes& text(const std::string& text) {
    number(text.size(), 8);
    bytes_ += text;
    return *this;
  }
  GgufBytes& key(const std::string& name, const std::string& value) {
    return text(name).number(8, 4).text(value);
  }
  GgufBytes& key(const std::string& name, std::uint32_t value) {
    return text(name).number(4, 4).number(value, 4);
  }
  GgufBytes& tensor(const std::string& name, const std::vector<std::uint64_t>& sizes,
                    std::uint32_t type = 0, std::uint64_t offset = 0) {
    text(name).number(sizes.size(), 4);
    for (const std::uint64_t size : sizes) number(size, 8);
    return number(type, 4).number(offset, 8);
  }
  // Fills up to the alignment, and adds `size` bytes of data.
  std::string with_data(std::size_t size) const {
    return bytes_ + std::string((32 - bytes_.size() % 32) % 32 + size, '\0');
  }
  std::string bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

GgufBytes llama(std::uint64_t tensors, std::uint64_t more_keys = 0) {
  return std::move(GgufBytes(tensors, 1 + more_keys).key("general.architecture", "llama"));
}

constexpr std::uint64_t kHuge = std::uint64_t{1} << 60;
const std::string kTokens = "token_embd.weight";

struct BrokenGguf {
  const char* name;
  std::string bytes;
  const char* named;  // what the message names
};

std::vector<BrokenGguf> broken_files() {
  const std::string whole = text_of_file(gguf_path("llama.gguf"));
  return {
      {"nothing after the magic", "GGUF", "4 bytes"},
      {"version 1", GgufBytes(0, 0, 1).bytes(), "version 1"},
      {"version 99", GgufBytes(0, 0, 99).bytes(), "version 99"},
      {"cut in the header", whole.substr(0, 300), "byte"},
      {"cut in the data", whole.substr(0, whole.size() - 1000), "cut off"},
      {"too many tensors", GgufBytes(kHuge, 1).bytes(), "number of tensors"},
      {"too many keys", GgufBytes(0, kHuge).bytes(), "number of keys"},
      {"a long key", GgufBytes(0, 1).number(kHuge, 8).bytes(), "byte"},
      {"a value of no type", GgufBytes(0, 1).text("x").number(99, 4).bytes(), "99"},
      {"a long list", GgufBytes(0, 1).text("x").number(9, 4).number(0, 4).number(kHuge, 8).bytes(),
       "x"},
      {"a key in no encoding", GgufBytes(0, 1).key("\xff\xfe", 7).bytes(), "UTF-8"},
      {"nine dimensions", llama(1).tensor(kTokens, std::vector<std::uint64_t>(9, 1)).with_data(256),
       "9"},
      {"a side of 0", llama(1).tensor(kTokens, {0, 4}).with_data(256), "token_embd.weight"},
      {"too many numbers", llama(1).tensor(kTokens, {kHuge, kHuge}).with_data(256),
       "token_embd.weight"},
      {"a tensor of no type", llama(1).tensor(kTokens, {32, 2}, 99).with_data(256), "99"},
      {"a part of a block", llama(1).tensor(kTokens, {48, 2}, 2).with_data(256), "block"},
      {"past the end", llama(1).tensor(kTokens, {32, 2}, 0, kHuge).with_data(256),
       "token_embd.weight"},
      {"not aligned", llama(1).tensor(kTokens, {32, 2}, 0, 3).with_data(512), "token_embd.weight"},
      {"the same name twice",
       llama(2).tensor(kTokens, {32, 2}).tensor(kTokens, {32, 2}, 0, 256).with_data(512), "twice"},
      {"one over the other",
       llama(2).tensor(kTokens, {32, 2}).tensor("output.weight", {32, 2}, 0, 32).with_data(512),
       "overlap"},
      {"alignment 0", llama(0, 1).key("general.alignment", 0).bytes(), "general.alignment"},
      {"alignment 3", llama(0, 1).key("general.alignment", 3).bytes(), "general.alignment"},
      {"no tensors", llama(0).with_data(0), "token_embd.weight"},
      {"another architecture", GgufBytes(0, 1).key("general.architecture", "zebra").bytes(),
       "zebra"},
      {"an architecture that is a number", GgufBytes(0, 1).key("general.architecture", 7).bytes(),
       "general.architecture"},
  };
}

TEST(BrokenGguf, IsRefusedByNamingThePlace) {
  const TemporaryFolder folder;
  for (const BrokenGguf& broken : broken_files()) {
    SCOPED_TRACE(broken.name);
    const auto model = open_model(folder.write("a.gguf", broken.bytes));
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().type, ErrorType::kBadInput);
    EXPECT_THAT(model.error().message, HasSubstr(broken.named));
  }
}

TEST(BrokenGguf, APartThatIsMissingIsNamed) {
  const TemporaryFolder folder;
  const std::string first = "llama-split-00001-of-00003.gguf";
  const auto model = open_model(folder.write(first, text_of_file(gguf_path(first))));
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().type, ErrorType::kIo);
  EXPECT_THAT(model.error().message, HasSubstr("llama-split-00002-of-00003"));
}

// A file of the golden folder with some bytes changed after a text in it, such as the name of a
// key.
std::string changed_after(const std::string& file, const std::string& text, std::size_t skipped,
                          const std::string& bytes) {
  std::string changed = text_of_file(gguf_path(file));
  const std::size_t at = changed.find(text);
  EXPECT_NE(at, std::string::npos) << text;
  changed.replace(at + text.size() + skipped, bytes.size(), bytes);
  return changed;
}

std::string number_changed(const std::string& file, const std::string& key, std::uint32_t value) {
  std::string bytes;
  files::append_little_endian(bytes, value, 4);
  return changed_after(file, key, 4, bytes);
}

std::string renamed(const std::string& file, const std::string& tensor) {
  std::string bytes = text_of_file(gguf_path(file));
  const std::size_t at = bytes.find(tensor);
  EXPECT_NE(at, std::string::npos) << tensor;
  bytes[at + tensor.size() - 1] = 'x';
  return bytes;
}

TEST(BrokenGguf, ExpertsAreRefusedByNamingThePlace) {
  constexpr std::size_t kDimensions = 4 + 2 * 8;  // their number, and the first two
  const std::string four("\4\0\0\0\0\0\0\0", 8);
  const BrokenGguf broken[] = {
      {"no experts", number_changed("mixtral.gguf", "llama.expert_count", 0),
       "\"llama.expert_count\": 0"},
      {"too many chosen", number_changed("mixtral.gguf", "llama.expert_used_count", 6),
       "\"llama.expert_used_count\": 6 of 5"},
      {"another number of experts", number_changed("qwen3-moe.gguf", "qwen3moe.expert_count", 4),
       "a map of each of 4 experts"},
      {"a stack of another number",
       changed_after("qwen2-moe.gguf", "blk.0.ffn_up_exps.weight", kDimensions - 8, four),
       "experts.0.up_proj"},
      {"a stack of fewer",
       changed_after("mixtral.gguf", "blk.1.ffn_up_exps.weight", kDimensions, four),
       "\"blk.1.ffn_up_exps.weight\" is 4 × 10 × 16"},
      {"a stack without the name", renamed("mixtral.gguf", "blk.1.ffn_down_exps.weight"),
       "block_sparse_moe.experts.0.w2"},
      {"no router", renamed("mixtral.gguf", "blk.0.ffn_gate_inp.weight"),
       "layers.0.block_sparse_moe.gate"},
      {"no correction", renamed("glm4-moe.gguf", "blk.1.exp_probs_b.bias"),
       "e_score_correction_bias"},
      {"no gate of the shared expert", renamed("qwen2-moe.gguf", "blk.0.ffn_gate_inp_shexp.weight"),
       "shared_expert_gate"},
  };
  const TemporaryFolder folder;
  for (const BrokenGguf& one : broken) {
    SCOPED_TRACE(one.name);
    const auto model = open_model(folder.write("a.gguf", one.bytes));
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().type, ErrorType::kBadInput);
    EXPECT_THAT(model.error().message, HasSubstr(one.named));
  }
}

// What config.json would say of a golden file with another value of a key; null: without it.
Expected<json> config_with(const std::string& file, const std::string& key, const json& value) {
  const auto model = files::read_gguf_model(gguf_path(file + ".gguf"));
  EXPECT_TRUE(model);
  json metadata = files::read_gguf_header(text_of_file(gguf_path(file + ".gguf"))).metadata;
  if (value.is_null()) {
    metadata.erase(key);
  } else {
    metadata[key] = value;
  }
  return guarded([&] {
    files::gguf_experts(*model->architecture, metadata);
    return files::gguf_config(*model->architecture, metadata, model->checkpoint, {});
  });
}

TEST(BrokenGguf, WrongMetadataIsRefusedByTheNameOfItsKey) {
  struct Wrong {
    const char* file;
    const char* key;
    json value;
  };
  const Wrong wrong[] = {
      {"bloom", "bloom.block_count", "two"},
      {"bloom", "bloom.block_count", 0},
      {"bloom", "bloom.embedding_length", nullptr},
      {"bert", "bert.context_length", nullptr},
      {"bert", "bert.attention.causal", 7},
      {"falcon", "falcon.attention.head_count", {2, 3}},
      {"falcon", "falcon.attention.head_count", -2},
      {"falcon-new", "falcon.feed_forward_length", json::array()},
      {"nemotron", "nemotron.attention.layer_norm_epsilon", nullptr},
      {"nemotron", "nemotron.attention.layer_norm_epsilon", true},
      {"gpt-neox", "gptneox.rope.dimension_count", 0},
      {"gpt-neox", "gptneox.rope.dimension_count", 17},
      {"qwen2", "qwen2.expert_count", 8},
      {"qwen2-moe", "qwen2moe.expert_count", nullptr},
      {"qwen2-moe", "qwen2moe.expert_gating_func", 2},
      {"qwen2-moe", "qwen2moe.expert_group_count", 4},
      {"qwen3-moe", "qwen3moe.expert_weights_scale", 2.5},
      {"glm4-moe", "glm4moe.expert_gating_func", 1},
      {"glm4-moe", "glm4moe.nextn_predict_layers", 2},
      {"gpt-oss", "gpt-oss.expert_gating_func", 2},
      {"deepseek-v2", "deepseek2.attention.kv_lora_rank", nullptr},
      {"deepseek-v2", "deepseek2.attention.value_length", nullptr},
      {"deepseek-v2", "deepseek2.rope.dimension_count", 10},
      {"deepseek-v2", "deepseek2.expert_weights_norm", true},
      {"deepseek-v3", "deepseek2.attention.q_lora_rank", nullptr},
      {"deepseek-v3", "deepseek2.attention.value_length_mla", 0},
      {"deepseek-v3", "deepseek2.rope.scaling.yarn_log_multiplier", "0.1"},
      {"deepseek-v3", "deepseek2.rope.scaling.attn_factor", 1.5},
      {"exaone4", "exaone4.attention.sliding_window_pattern", {true}},
      {"exaone4", "exaone4.attention.sliding_window_pattern", {"a", "b", "c", "d"}},
  };
  for (const Wrong& one : wrong) {
    const auto config = config_with(one.file, one.key, one.value);
    ASSERT_FALSE(config) << one.key << one.value;
    EXPECT_THAT(config.error().message, HasSubstr(one.key)) << one.value;
  }
}

// A value for each layer that is the same in all is one value; a missing window is none.
TEST(GgufConfig, ReadsWhatFilesSpellInSeveralWays) {
  EXPECT_EQ(
      value_of(config_with("bloom", "bloom.attention.head_count", {3, 3}))["num_attention_heads"],
      3);
  EXPECT_EQ(
      value_of(config_with("glm4-moe", "glm4moe.nextn_predict_layers", 1))["num_hidden_layers"], 1);
  EXPECT_FALSE(
      value_of(config_with("phi3", "phi3.attention.sliding_window", 0)).contains("sliding_window"));
  EXPECT_TRUE(value_of(config_with("exaone4", "exaone4.attention.sliding_window",
                                   nullptr))["sliding_window"]
                  .is_null());
  EXPECT_EQ(value_of(config_with("qwen3-moe", "qwen3moe.expert_feed_forward_length",
                                 nullptr))["moe_intermediate_size"],
            20 / 2);
  EXPECT_EQ(value_of(config_with("mixtral", "llama.rope.freq_base", nullptr))["rope_theta"], 10000);
}

TEST(BrokenGguf, ArchitecturesThatAreNotSupportedAreNamedWithWhatTheyNeed) {
  const std::pair<const char*, const char*> names[] = {
      {"minicpm3", "latent attention"},
      {"mamba2", "state"},
      {"nomic-bert", "rotary"},
      {"qwen3vlmoe", "the closest one that is supported is qwen3"},
      {"falcon9", "the closest one that is supported is falcon"},
      {"zebra", "supported are llama, qwen2, qwen2moe"},
  };
  for (const auto& [name, named] : names) {
    const auto refused = guarded([&] {
      return files::gguf_architecture({{"general.architecture", name}}, {}).name;
    });
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr(in_quotes(name)));
    EXPECT_THAT(refused.error().message, HasSubstr(named));
  }
}

// DistilBERT is stored as a BERT without types of tokens.
TEST(GgufBert, MayHaveNoTypesOfTokens) {
  const TemporaryFolder folder;
  const Model model =
      opened_model(folder.write("a.gguf", renamed("bert.gguf", "token_types.weight")));
  EXPECT_TRUE(model.network.stack.embedding.types.empty());
  EXPECT_FALSE(model.reads_types);
}

// Whatever is damaged: the file opens and computes, or is refused.
class DamagedGguf : public ::testing::TestWithParam<std::string> {};

TEST_P(DamagedGguf, IsSurvived) {
  const TemporaryFolder folder;
  const std::string whole = text_of_file(gguf_path(GetParam() + ".gguf"));
  const std::size_t header = whole.rfind(".weight") + 40;
  Damage damage([&](std::string_view bytes) {
    const auto model = open_model(folder.write("a.gguf", std::string(bytes)));
    if (!model) return;
    try {
      computed(*model, {.ids = {1, 2}, .types = {}, .encoder_ids = {}});
    } catch (const std::invalid_argument&) {
    }
  });
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    std::string bytes = whole;
    for (int flips = 1 + static_cast<int>(random() % 3); flips > 0; --flips)
      bytes[random() % header] = static_cast<char>(random());
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    damage.read(bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(Some, DamagedGguf,
                         ::testing::Values("llama-untied", "qwen2-moe", "glm4-moe", "falcon-new",
                                           "deepseek-v2", "deepseek-v3", "bert"),
                         test_name);

}  // namespace
}  // namespace lab
