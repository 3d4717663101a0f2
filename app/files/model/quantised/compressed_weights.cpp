#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/base/bad_input.h"
#include "app/files/model/quantised/float8_weights.h"
#include "app/files/model/quantised/methods.h"
#include "app/files/model/quantised/quantised_module.h"
#include "app/files/model/quantised/scaled_rows.h"
#include "app/files/tensors/elements.h"

// Facts: compressed-tensors 0.20 (compressors/pack_quantized, naive_quantized; _dequantize).

namespace lab::files {
namespace {

using attention::Index;
using attention::Shape;

constexpr const char* kScale = ".weight_scale";
constexpr const char* kZero = ".weight_zero_point";
constexpr const char* kColumnGroups = ".weight_g_idx";
constexpr Index kWord = 32;  // bits

struct CompressedWeight {
  CheckpointTensor tensor;
  Shape shape;
};

Index words_for(Index numbers, Index bits) { return (numbers * bits + kWord - 1) / kWord; }

// A whole number of 4 or 8 bits, of which half the range was added, at that place of its words.
int packed_at(const CheckpointTensor& words, Index word, Index place, Index bits) {
  const unsigned byte = byte_of(words, word * 4 + place / 8) >> (place % 8);
  return static_cast<int>(byte & ((1U << bits) - 1)) - (1 << (bits - 1));
}

// The scales, with the columns of each group where the file gives them.
ScaleGrid scales_of(QuantisedModule& module, const CheckpointTensor& scale, Shape shape,
                    Shape block) {
  ScaleGrid scales = scale_grid(module, kScale, scale, shape, block);
  const auto stored = module.find(kColumnGroups);
  if (!stored) return scales;
  if (stored->type_name != "I32" || stored->shape != std::vector<std::int64_t>{shape.cols})
    module.refuse(kColumnGroups, "is " + shape_text(stored->shape) + " of " + stored->type_name +
                                     ", should be " + std::to_string(shape.cols) + " of I32");
  const std::vector<std::int64_t> groups = whole_numbers_of(*stored);
  if (std::ranges::find(groups, -1) != groups.end()) return scales;  // not in use
  for (const std::int64_t group : groups) {
    if (group < 0 || group >= scales.grid.cols())
      module.refuse(kColumnGroups, "names group " + std::to_string(group) + ", but there are " +
                                       std::to_string(scales.grid.cols()));
    scales.groups.push_back(group);
  }
  return scales;
}

// The rows and columns of a block, where config.json gives them; each row is one elsewhere.
Shape block_in(const WeightsConfig& config, Shape shape) {
  const auto groups = config.quantisation.object("config_groups");
  if (!groups) return {1, shape.cols};
  for (const auto& [name, group] : groups->value().items()) {
    if (!group.is_object()) continue;
    const auto weights =
        ConfigReader(group, "quantization_config.config_groups." + name + ".").object("weights");
    if (!weights || !weights->has("block_structure")) continue;
    const std::vector<double> sizes = weights->numbers("block_structure");
    if (sizes.size() == 2 && sizes[0] >= 1 && sizes[1] >= 1 &&
        std::max(sizes[0], sizes[1]) <= double{ConfigReader::kLargestSize})
      return {static_cast<Index>(sizes[0]), static_cast<Index>(sizes[1])};
  }
  return {1, shape.cols};
}

// The zeros of packed weights, which lie in words along the outputs.
ScaledRows::ReadZero packed_zeros(QuantisedModule& module, const ScaleGrid& scales, Index bits) {
  if (!module.has(kZero)) return {};
  const Index groups = scales.grid.cols();
  const CheckpointTensor zeros =
      module.need(kZero, {"I32"}, {words_for(scales.grid.rows(), bits), groups});
  return [zeros, groups, bits](Index row, Index group) {
    const Index bit = row * bits;
    return static_cast<float>(packed_at(zeros, bit / kWord * groups + group, bit % kWord, bits));
  };
}

// The shape of a packed weight, whose bits it gives with that of the words.
std::pair<Shape, Index> packed_shape(QuantisedModule& module, const CheckpointTensor& words) {
  constexpr const char* kShape = ".weight_shape";
  const CheckpointTensor stored = module.need(kShape, {"I64", "I32"}, {2});
  const std::vector<std::int64_t> sizes = whole_numbers_of(stored);
  const auto fits = [&](Index bits) {
    return words.shape == std::vector<std::int64_t>{sizes[0], words_for(sizes[1], bits)};
  };
  if (sizes[0] < 1 || sizes[1] < 1 || sizes[1] > ConfigReader::kLargestSize)
    module.refuse(kShape, "says " + shape_text(sizes));
  for (const Index bits : {4, 8})
    if (fits(bits)) return {{sizes[0], sizes[1]}, bits};
  module.refuse(".weight_packed", "is " + shape_text(words.shape) + ", which holds a weight of " +
                                      shape_text(sizes) + " neither with 4 bits nor with 8");
}

void widen_packed(const WeightsConfig& config, QuantisedModule& module) {
  const CheckpointTensor words = module.need(".weight_packed", {"I32"});
  const auto [shape, bits] = packed_shape(module, words);
  const CheckpointTensor scale = module.need(kScale, scale_types());
  ScaledRows::Parts parts;
  parts.scales = scales_of(module, scale, shape, block_in(config, shape));
  parts.zero = packed_zeros(module, parts.scales, bits);
  parts.result = *scale.format;
  parts.numbers = [words, columns = words.shape[1], bits = bits](Index row, Index first,
                                                                 Index count, float* to) {
    for (Index i = 0; i < count; ++i) {
      const Index bit = (first + i) * bits;
      to[i] = static_cast<float>(packed_at(words, row * columns + bit / kWord, bit % kWord, bits));
    }
  };
  module.put(std::make_shared<ScaledRows>(std::move(parts)), shape, false, words.file);
}

// Weights whose numbers stand alone: E4M3 or bytes.
void widen_plain(const WeightsConfig& config, QuantisedModule& module) {
  const CheckpointTensor weight = module.need(".weight", {"F8_E4M3", "I8"});
  if (weight.shape.size() != 2 || weight.shape[0] == 0 || weight.shape[1] == 0)
    module.refuse(".weight", "has the shape " + shape_text(weight.shape) + ", should be a matrix");
  const Shape shape{weight.shape[0], weight.shape[1]};
  const CheckpointTensor scale = module.need(kScale, scale_types());
  ScaledRows::Parts parts;
  parts.numbers = is_float8(weight) ? float8_numbers(weight) : signed_bytes(weight);
  parts.scales = scales_of(module, scale, shape, block_in(config, shape));
  parts.result = *scale.format;
  if (module.has(kZero)) {
    const CheckpointTensor zeros = module.need(kZero, {"I8", "F8_E4M3"}, scale.shape);
    const auto numbers = is_float8(zeros) ? float8_numbers(zeros) : signed_bytes(zeros);
    const Index groups = parts.scales.grid.cols();
    parts.zero = [numbers, groups](Index row, Index group) {
      float zero = 0;
      numbers(0, row * groups + group, 1, &zero);
      return zero;
    };
  }
  module.put(std::make_shared<ScaledRows>(std::move(parts)), shape, false, weight.file);
}

void check_format(const ConfigReader& settings) {
  constexpr std::array kFormats = {"pack-quantized", "int-quantized", "float-quantized",
                                   "naive-quantized", "mixed-precision"};
  const auto check = [&](const ConfigReader& at, const char* name) {
    const std::string format = at.text_or(name, kFormats.front());
    if (std::ranges::find(kFormats, format) == kFormats.end())
      at.refuse(name, in_quotes(format) + " is not supported; supported are pack-quantized, " +
                          "int-quantized and float-quantized");
  };
  if (settings.has("format")) check(settings, "format");
  if (const auto sparsity = settings.object("sparsity_config"))
    if (const std::string format = sparsity->text_or("format", "dense"); format != "dense")
      settings.refuse("sparsity_config", in_quotes(format) + " is not supported");
  const auto groups = settings.object("config_groups");
  if (!groups) return;
  for (const auto& [name, group] : groups->value().items())
    if (group.is_object() && group.contains("format") && !group["format"].is_null())
      check(ConfigReader(group, "quantization_config.config_groups." + name + "."), "format");
}

}  // namespace

void widen_compressed(const WeightsConfig& config, Checkpoint& checkpoint) {
  check_format(config.quantisation);
  for (const std::string& name : modules_with(checkpoint, ".weight_packed")) {
    QuantisedModule module(checkpoint, name);
    widen_packed(config, module);
  }
  const auto is_plain = [](const CheckpointTensor& tensor) {
    return is_float8(tensor) || tensor.type_name == "I8";
  };
  for (const std::string& name : modules_with(checkpoint, ".weight", is_plain)) {
    QuantisedModule module(checkpoint, name);
    widen_plain(config, module);
  }
}

}  // namespace lab::files
