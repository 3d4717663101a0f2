#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "app/files/model/quantised/float8_weights.h"
#include "app/tests/model/support.h"
#include "core/tests/matrix_compare.h"

// Models whose weights are quantised in safetensors, and what other programs make of them: see
// golden/make_quantised.py.

namespace lab {
namespace {

using attention::Matrix;
using attention::network::StoredMatrix;
using attention::test::all_identical;
using nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kQuantisedFile = "model.safetensors";

std::string form_path(const std::string& form, const std::string& file) {
  return golden_path("quantised", form + "/" + file);
}

std::vector<std::string> forms() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(golden_path("quantised", "")))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

// A linear map of the only layer, as the file names it, [out × in].
StoredMatrix linear_map(const Model& model, const std::string& name) {
  const attention::network::Block& block = model.network.stack.blocks.front();
  const auto& projections = block.attention.projections;
  const std::map<std::string, StoredMatrix> maps = {
      {"self_attn.q_proj", projections.at(0).W}, {"self_attn.k_proj", projections.at(1).W},
      {"self_attn.v_proj", projections.at(2).W}, {"self_attn.o_proj", block.attention.output.W},
      {"mlp.gate_proj", block.mlp.gate->W},      {"mlp.up_proj", block.mlp.up.W},
      {"mlp.down_proj", block.mlp.down.W}};
  const std::string start = "model.layers.0.", end = ".weight";
  return maps.at(name.substr(start.size(), name.size() - start.size() - end.size())).transposed();
}

class Quantised : public ::testing::TestWithParam<std::string> {};

TEST_P(Quantised, WeightsAreWidenedBitForBit) {
  const Model model = opened_model(form_path(GetParam(), ""));
  const TensorFile expected = golden_tensors("quantised/" + GetParam(), "widened.safetensors");
  ASSERT_EQ(expected.tensors.size(), 7u);
  for (const Tensor& tensor : expected.tensors) {
    const Eigen::Map<const Matrix> values(tensor.values.data(), tensor.shape[0], tensor.shape[1]);
    EXPECT_TRUE(all_identical(linear_map(model, tensor.name).values(), values)) << tensor.name;
  }
}

// Any part of a widened matrix, either way round, is that part of its numbers.
TEST_P(Quantised, PartsAreThoseOfTheWhole) {
  const Model model = opened_model(form_path(GetParam(), ""));
  for (const char* name : {"mlp.down_proj", "mlp.up_proj"}) {
    const StoredMatrix map = linear_map(model, "model.layers.0." + std::string(name) + ".weight");
    const Matrix all = map.values();
    const StoredMatrix part = map.columns(3, 9).row_range(5, 8).columns(2, 6);
    EXPECT_TRUE(all_identical(part.values(), all.block(5, 5, 8, 6)));
    EXPECT_TRUE(all_identical(part.transposed().row_range(1, 2).values(),
                              all.block(5, 6, 8, 2).transpose()));
    EXPECT_EQ(part, map.row_range(5, 8).columns(5, 6));
    EXPECT_NE(part, map.row_range(5, 8).columns(4, 6));
    EXPECT_EQ(part.in_place(), nullptr);
  }
}

TEST_P(Quantised, NetworksAgreeWithTheReference) {
  const Model model = opened_model(form_path(GetParam(), ""));
  const TensorFile golden = golden_tensors("quantised/" + GetParam(), "golden.safetensors");
  const TensorFile answer = computed(model, tokens_of(golden, ""));
  EXPECT_EQ(answer.tensors.size(), golden.tensors.size());
  for (const Tensor& found : answer.tensors) {
    const Tensor* const expected = golden.find(found.name);
    ASSERT_NE(expected, nullptr) << found.name;
    if (found.name == "input_ids") continue;
    EXPECT_LE(relative_error(found, *expected), allowed_error(found.name)) << found.name;
  }
}

TEST_P(Quantised, WeightsAreNotedAndNothingIsLeft) {
  const Model model = opened_model(form_path(GetParam(), ""));
  EXPECT_THAT(model.notes, Contains(HasSubstr("weights are quantised (")));
  EXPECT_THAT(model.notes, Not(Contains(HasSubstr("has no place for"))));
  const bool rounded = GetParam().starts_with("fp8") || GetParam() == "fbgemm-fp8" ||
                       GetParam() == "int8" || GetParam() == "int-quantized";
  const auto note = HasSubstr("are not rounded here");
  if (rounded) {
    EXPECT_THAT(model.notes, Contains(note));
  } else {
    EXPECT_THAT(model.notes, Not(Contains(note)));
  }
}

// The header of the weights, and what follows it.
class StoredWeights {
 public:
  explicit StoredWeights(const std::string& form) {
    const std::string bytes = text_of_file(form_path(form, kQuantisedFile));
    std::uint64_t size = 0;
    std::memcpy(&size, bytes.data(), sizeof(size));
    header_ = json::parse(bytes.substr(8, size));
    data_ = bytes.substr(8 + size);
  }

  json& operator[](const std::string& name) { return header_.at("model.layers.0." + name); }
  void rename(const std::string& name, const std::string& other) {
    const json tensor = (*this)[name];
    header_.erase("model.layers.0." + name);
    header_["model.layers.0." + other] = tensor;
  }
  // The bytes of a tensor.
  void write(const std::string& name, const std::string& bytes) {
    data_.replace((*this)[name]["data_offsets"][0].get<std::size_t>(), bytes.size(), bytes);
  }
  std::string bytes() const {
    const std::string text = header_.dump();
    const std::uint64_t size = text.size();
    return std::string(reinterpret_cast<const char*>(&size), sizeof(size)) + text + data_;
  }

 private:
  json header_;
  std::string data_;
};

struct BadWeights {
  const char* name;
  const char* form;
  std::function<void(StoredWeights&, json& settings)> damage;
  const char* message;
};

const BadWeights kBadWeights[] = {
    {"NoScales", "gptq-4",
     [](auto& w, auto&) { w.rename("mlp.up_proj.scales", "mlp.up_proj.scales_"); },
     "\"model.layers.0.mlp.up_proj.scales\" is missing"},
    {"NoZeros", "awq",
     [](auto& w, auto&) { w.rename("mlp.up_proj.qzeros", "mlp.up_proj.qzeros_"); },
     "\"model.layers.0.mlp.up_proj.qzeros\" is missing"},
    {"WordsOfFloats", "awq", [](auto& w, auto&) { w["mlp.up_proj.qweight"]["dtype"] = "F32"; },
     "\"model.layers.0.mlp.up_proj.qweight\" holds F32, should be I32"},
    {"ScalesOfWholeNumbers", "gptq-8",
     [](auto& w, auto&) { w["mlp.up_proj.scales"]["dtype"] = "I16"; },
     "\"model.layers.0.mlp.up_proj.scales\" holds I16, should be F32 or F16 or BF16"},
    {"ScalesOfAnotherShape", "gptq-8",
     [](auto& w, auto&) {
       w["mlp.down_proj.scales"]["shape"] = {4, 12};
     },
     "\"model.layers.0.mlp.down_proj.scales\" is 4 × 12, should be 3 × 16"},
    {"GroupOutOfRange", "gptq-4",
     [](auto& w, auto&) { w.write("mlp.down_proj.g_idx", std::string("\3\0\0\0", 4)); },
     "\"model.layers.0.mlp.down_proj.g_idx\" names group 3, but there are 3"},
    {"GroupBelowZero", "gptq-4",
     [](auto& w, auto&) { w.write("mlp.down_proj.g_idx", "\377\377\377\377"); },
     "\"model.layers.0.mlp.down_proj.g_idx\" names group -1, but there are 3"},
    {"ThreeBits", "gptq-4", [](auto&, auto& c) { c["bits"] = 3; },
     "quantization_config.bits: 3; supported are 4 and 8"},
    {"OtherKernels", "gptq-4", [](auto&, auto& c) { c["checkpoint_format"] = "marlin"; },
     "quantization_config.checkpoint_format: \"marlin\" is not supported"},
    {"SingleModules", "gptq-4",
     [](auto&, auto& c) {
       c["dynamic"] = {{"+:x", {{"bits", 8}}}};
     },
     "quantization_config.dynamic"},
    {"RowKernels", "awq", [](auto&, auto& c) { c["version"] = "gemv"; },
     "quantization_config.version: \"gemv\" is not supported; supported are gemm"},
    {"OtherGroups", "awq", [](auto&, auto& c) { c["group_size"] = 10; },
     "48 inputs, which are no whole groups of 10"},
    {"NoMethod", "awq", [](auto&, auto& c) { c["quant_method"] = "hqq"; },
     "quantization_config.quant_method: \"hqq\" is not supported"},
    {"NoBlockScales", "fp8-blocks",
     [](auto& w, auto&) { w.rename("mlp.up_proj.weight_scale_inv", "mlp.up_proj.scale"); },
     "\"model.layers.0.mlp.up_proj.weight_scale_inv\" is missing"},
    {"OtherBlockScales", "fp8-blocks",
     [](auto& w, auto&) {
       w["mlp.down_proj.weight_scale_inv"]["shape"] = {3, 1};
     },
     "\"model.layers.0.mlp.down_proj.weight_scale_inv\" is 3 × 1, which does not fit a weight of "
     "16 × 48"},
    {"BlocksOfNothing", "fp8-blocks",
     [](auto&, auto& c) {
       c["weight_block_size"] = {0, 16};
     },
     "quantization_config.weight_block_size: should be the rows and the columns of a block"},
    {"LongFloat8", "fp8-whole",
     [](auto& w, auto&) {
       w["mlp.up_proj.weight"]["shape"] = {480, 16};
     },
     "768 bytes, but its shape is 480 × 16"},
    {"NoState", "nf4",
     [](auto& w, auto&) {
       w.rename("mlp.up_proj.weight.quant_state.bitsandbytes__nf4", "mlp.up_proj.other");
     },
     "\"model.layers.0.mlp.up_proj.weight\" has 4 bits to a number, but no quant_state"},
    {"StateIsNoJson", "nf4",
     [](auto& w, auto&) { w.write("mlp.up_proj.weight.quant_state.bitsandbytes__nf4", "["); },
     "is no description: line 1"},
    {"NoMagnitudes", "fp4",
     [](auto& w, auto&) { w.rename("mlp.up_proj.weight.absmax", "mlp.up_proj.absmax"); },
     "\"model.layers.0.mlp.up_proj.weight.absmax\" is missing"},
    {"NoRowMagnitudes", "int8", [](auto& w, auto&) { w.rename("mlp.up_proj.SCB", "mlp.SCB"); },
     "\"model.layers.0.mlp.up_proj.SCB\" is missing"},
    {"RowsInTiles", "int8", [](auto& w, auto&) { w.write("mlp.up_proj.weight_format", "\2"); },
     "\"model.layers.0.mlp.up_proj.weight_format\" is not 0"},
    {"NoPackedShape", "packed-4",
     [](auto& w, auto&) { w.rename("mlp.up_proj.weight_shape", "mlp.up_proj.shape"); },
     "\"model.layers.0.mlp.up_proj.weight_shape\" is missing"},
    {"OtherPackedShape", "packed-8",
     [](auto& w, auto&) { w.write("mlp.up_proj.weight_shape", "\57"); },
     "\"model.layers.0.mlp.up_proj.weight_packed\" is 48 × 4, which holds a weight of 47 × 16 "
     "neither with 4 bits nor with 8"},
    {"OtherZeros", "packed-4",
     [](auto& w, auto&) {
       w["mlp.up_proj.weight_zero_point"]["shape"] = {3, 2};
     },
     "\"model.layers.0.mlp.up_proj.weight_zero_point\" is 3 × 2, should be 6 × 1"},
    {"OtherLayout", "packed-4", [](auto&, auto& c) { c["format"] = "nvfp4-pack-quantized"; },
     "quantization_config.format: \"nvfp4-pack-quantized\" is not supported"},
};

class BadQuantised : public ::testing::TestWithParam<BadWeights> {};

TEST_P(BadQuantised, AreRefusedWithAMessage) {
  const TemporaryFolder folder;
  StoredWeights weights(GetParam().form);
  json config = json::parse(text_of_file(form_path(GetParam().form, "config.json")));
  GetParam().damage(weights, config["quantization_config"]);
  folder.write("config.json", config.dump());
  folder.write(kQuantisedFile, weights.bytes());
  const auto model = open_model(folder.path().string());
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().type, ErrorType::kBadInput);
  EXPECT_THAT(model.error().message, HasSubstr(GetParam().message));
}

// Whatever a file holds, its tensors are widened or refused with a message.
TEST_P(Quantised, DamagedFilesAreReadOrRefused) {
  const std::string whole = text_of_file(form_path(GetParam(), kQuantisedFile));
  const TemporaryFolder folder;
  folder.write("config.json", text_of_file(form_path(GetParam(), "config.json")));
  std::uint64_t header = 0;
  std::memcpy(&header, whole.data(), sizeof(header));
  for (std::size_t bit = 0; bit < 8 * whole.size(); bit += bit < 8 * header ? 97 : 2003) {
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
    std::filesystem::remove(folder / kQuantisedFile);
    folder.write(kQuantisedFile, bytes);
    const auto model = open_model(folder.path().string());
    if (!model) {
      EXPECT_FALSE(model.error().message.empty());
      continue;
    }
    computed(*model, random_tokens(*model, 3, 0, 1));
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Quantised, ::testing::ValuesIn(forms()), test_name);
INSTANTIATE_TEST_SUITE_P(Every, BadQuantised, ::testing::ValuesIn(kBadWeights),
                         [](const auto& of) { return std::string(of.param.name); });

// The experts of gpt-oss in MXFP4.

constexpr const char* kMxfp4 = "quantised-experts/mxfp4";

// The maps of the experts as the reference widens them: [experts × in × out], gate and up in turns.
TEST(Mxfp4, ExpertsAreWidenedBitForBit) {
  const Model model = opened_model(golden_path(kMxfp4, ""));
  EXPECT_THAT(model.notes, Contains(HasSubstr("weights are quantised (mxfp4)")));
  EXPECT_THAT(model.notes, Not(Contains(HasSubstr("has no place for"))));
  const TensorFile expected = golden_tensors(kMxfp4, "widened.safetensors");
  const auto map_of = [&](const std::string& name, std::size_t expert) {
    const Tensor& stack = *expected.find("model.layers.0.mlp.experts." + name);
    const auto rows = stack.shape[1], cols = stack.shape[2];
    return Matrix(Eigen::Map<const Matrix>(
        stack.values.data() + static_cast<std::int64_t>(expert) * rows * cols, rows, cols));
  };
  const auto& experts = model.network.stack.blocks.front().experts->experts;
  ASSERT_EQ(experts.size(), 3u);
  for (std::size_t expert = 0; expert < experts.size(); ++expert) {
    const Matrix both = map_of("gate_up_proj", expert);
    const Matrix gate = experts[expert].gate->W.values(), up = experts[expert].up.W.values();
    ASSERT_EQ(gate.cols(), 32);
    for (attention::Index i = 0; i < gate.cols(); ++i) {
      EXPECT_EQ(gate.col(i), both.col(2 * i));
      EXPECT_EQ(up.col(i), both.col(2 * i + 1));
    }
    EXPECT_TRUE(all_identical(experts[expert].down.W.values(), map_of("down_proj", expert)));
    const StoredMatrix part = experts[expert].up.W.columns(3, 7).row_range(5, 4);
    EXPECT_TRUE(all_identical(part.values(), up.block(5, 3, 4, 7)));
  }
}

TEST(Mxfp4, NetworksAgreeWithTheReference) {
  const Model model = opened_model(golden_path(kMxfp4, ""));
  const TensorFile golden = golden_tensors(kMxfp4, "golden.safetensors");
  for (const Tensor& found : computed(model, tokens_of(golden, "")).tensors) {
    const Tensor* const expected = golden.find(found.name);
    ASSERT_NE(expected, nullptr) << found.name;
    if (found.name == "input_ids") continue;
    EXPECT_LE(relative_error(found, *expected), allowed_error(found.name)) << found.name;
  }
}

// The folder with its weights changed; what refuses it.
std::string refused_mxfp4(const std::function<void(StoredWeights&)>& damage) {
  const TemporaryFolder folder;
  StoredWeights weights(std::string("../") + kMxfp4);
  damage(weights);
  folder.write("config.json", text_of_file(golden_path(kMxfp4, "config.json")));
  folder.write(kQuantisedFile, weights.bytes());
  const auto model = open_model(folder.path().string());
  EXPECT_FALSE(model);
  return model ? "" : model.error().message;
}

TEST(Mxfp4, BadFilesAreRefusedWithAMessage) {
  EXPECT_THAT(refused_mxfp4([](auto& w) {
                w.rename("mlp.experts.down_proj_scales", "mlp.experts.down_proj_other");
              }),
              HasSubstr("\"model.layers.0.mlp.experts.down_proj_scales\" is missing"));
  EXPECT_THAT(refused_mxfp4([](auto& w) {
                w["mlp.experts.down_proj_scales"]["shape"] = {3, 32, 2};
              }),
              HasSubstr("down_proj_scales\" is 3 × 32 × 2, should be 3 × 64 × 1"));
  EXPECT_THAT(refused_mxfp4([](auto& w) {
                w["mlp.experts.gate_up_proj_blocks"]["shape"] = {3, 64, 4, 8};
              }),
              HasSubstr("gate_up_proj_blocks\" is 3 × 64 × 4 × 8, should be experts"));
  EXPECT_THAT(refused_mxfp4([](auto& w) { w["mlp.experts.gate_up_proj_bias"]["shape"] = {192}; }),
              HasSubstr("gate_up_proj_bias\" is 192, should be experts × out"));
}

// Every number of E4M3 by its definition: sign, 4 bits of exponent with bias 7, 3 of mantissa.
TEST(Float8, IsWhatTheStandardSays) {
  EXPECT_EQ(files::float8_value(0x00), 0.0f);
  EXPECT_EQ(files::float8_value(0x01), 0x1p-9f);
  EXPECT_EQ(files::float8_value(0x07), 7 * 0x1p-9f);
  EXPECT_EQ(files::float8_value(0x08), 0x1p-6f);
  EXPECT_EQ(files::float8_value(0x38), 1.0f);
  EXPECT_EQ(files::float8_value(0xB9), -1.125f);
  EXPECT_EQ(files::float8_value(0x7E), 448.0f);
  EXPECT_TRUE(std::isnan(files::float8_value(0x7F)));
  EXPECT_TRUE(std::isnan(files::float8_value(0xFF)));
}

}  // namespace
}  // namespace lab
