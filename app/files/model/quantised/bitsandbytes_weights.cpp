#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <utility>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/files/model/quantised/methods.h"
#include "app/files/model/quantised/quantised_module.h"
#include "app/files/model/quantised/scaled_rows.h"
#include "app/files/tensors/elements.h"

// Facts: bitsandbytes 0.50 (functional.py: QuantState, dequantize_4bit; int8_vectorwise_dequant).

namespace lab::files {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Shape;
using attention::network::ComputedRows;
using attention::network::StoredFormat;
using attention::network::StoredMatrix;
using nlohmann::json;

// Quantiles of a normal distribution, and the sixteen numbers of FP4 in parts of its largest.
constexpr std::array<float, 16> kNormalFloats = {-1.0f,
                                                 -0.6961928009986877f,
                                                 -0.5250730514526367f,
                                                 -0.39491748809814453f,
                                                 -0.28444138169288635f,
                                                 -0.18477343022823334f,
                                                 -0.09105003625154495f,
                                                 0.0f,
                                                 0.07958029955625534f,
                                                 0.16093020141124725f,
                                                 0.24611230194568634f,
                                                 0.33791524171829224f,
                                                 0.44070982933044434f,
                                                 0.5626170039176941f,
                                                 0.7229568362236023f,
                                                 1.0f};
constexpr std::array<float, 16> kFloats4 = {
    0.0f, 0.005208333333f,  0.66666667f,  1.0f,  0.33333333f,  0.5f,  0.16666667f,  0.25f,
    0.0f, -0.005208333333f, -0.66666667f, -1.0f, -0.33333333f, -0.5f, -0.16666667f, -0.25f};

struct Kind {
  const char* state;  // the ending of the tensor that describes the others
  const char* name;
  const std::array<float, 16>& values;
};
constexpr std::array kKinds = {Kind{".weight.quant_state.bitsandbytes__nf4", "nf4", kNormalFloats},
                               Kind{".weight.quant_state.bitsandbytes__fp4", "fp4", kFloats4}};

constexpr float kPart = 7.874015718698502e-3f;  // 1 / 127

// The magnitudes of blocks: as they are, or quantised: values[byte] · magnitudes[nested] + offset.
struct Magnitudes {
  StoredMatrix numbers;  // 1 × n
  std::optional<CheckpointTensor> bytes = {};
  Matrix values = {};  // 1 × 256
  Index nested_block = 1;
  float offset = 0;

  float at(Index block) const {
    if (!bytes) return numbers.columns(block, 1).values()(0, 0);
    const float magnitude = numbers.columns(block / nested_block, 1).values()(0, 0);
    const float product = values(0, static_cast<Index>(byte_of(*bytes, block))) * magnitude;
    return product + offset;
  }
};

// Two numbers to a byte, the first in the high half.
class BlockRows : public ComputedRows {
 public:
  struct Parts {
    CheckpointTensor bytes;
    const std::array<float, 16>& values;
    Magnitudes magnitudes;
    Index columns, block;
    StoredFormat result;
  };
  explicit BlockRows(Parts parts) : parts_(std::move(parts)) {}

  void read(Index row, Index first, Index count, float* to) const override {
    const Index begin = row * parts_.columns + first;
    for (Index at = begin; at < begin + count;) {
      const Index block = at / parts_.block;
      const Index end = std::min((block + 1) * parts_.block, begin + count);
      const float magnitude = parts_.magnitudes.at(block);
      for (; at < end; ++at)
        to[at - begin] =
            parts_.values[byte_of(parts_.bytes, at / 2) >> (at % 2 == 0 ? 4 : 0) & 15] * magnitude;
    }
    round_to(parts_.result, to, count);
  }

 private:
  Parts parts_;
};

StoredFormat format_named(const ConfigReader& state, const char* name) {
  const std::string type = state.text_or(name, "");
  if (type == "float32") return StoredFormat::kFloat32;
  if (type == "float16") return StoredFormat::kFloat16;
  if (type == "bfloat16") return StoredFormat::kBFloat16;
  state.refuse(name, in_quotes(type) + ", should be float32, float16 or bfloat16");
}

Index blocks_of(Index numbers, Index block) { return (numbers + block - 1) / block; }

// Takes the magnitudes of `count` blocks.
Magnitudes magnitudes_of(QuantisedModule& module, const ConfigReader& state, Index count) {
  constexpr const char *kMagnitudes = ".weight.absmax", *kNested = ".weight.nested_absmax";
  auto nested = module.find(kNested);
  if (!nested) {
    const CheckpointTensor numbers = module.need(kMagnitudes, {"F32"}, {count});
    return {.numbers = numbers_of(numbers, {1, count})};
  }
  if (nested->type_name != "F32")
    module.refuse(kNested, "holds " + nested->type_name + ", should be F32");
  if (format_named(state, "nested_dtype") != StoredFormat::kFloat32)
    state.refuse("nested_dtype", "only float32 is supported");
  Magnitudes result;
  result.bytes = module.need(kMagnitudes, {"U8"}, {count});
  result.nested_block = state.size("nested_blocksize");
  const Index nested_count = blocks_of(count, result.nested_block);
  if (nested->shape != std::vector<std::int64_t>{nested_count})
    module.refuse(
        kNested, "is " + shape_text(nested->shape) + ", should be " + std::to_string(nested_count));
  result.numbers = numbers_of(*nested, {1, nested_count});
  const CheckpointTensor values = module.need(".weight.nested_quant_map", {"F32"}, {256});
  result.values = numbers_of(values, {1, 256}).values();
  result.offset = static_cast<float>(state.number_or("nested_offset", 0));
  return result;
}

// The shape of the weight, as the description of its tensors says it.
Shape shape_in(const ConfigReader& state) {
  const std::vector<double> sizes = state.numbers("shape");
  const auto whole = [](double size) {
    return size >= 1 && size <= double{ConfigReader::kLargestSize} &&
           size == static_cast<double>(static_cast<Index>(size));
  };
  if (sizes.size() != 2 || !whole(sizes[0]) || !whole(sizes[1]))
    state.refuse("shape", "should be rows and columns");
  return {static_cast<Index>(sizes[0]), static_cast<Index>(sizes[1])};
}

// What a tensor says of the others.
json state_in(const QuantisedModule& module, const char* ending, const CheckpointTensor& tensor) {
  try {
    return parse_json(std::string_view(reinterpret_cast<const char*>(tensor.data), tensor.size));
  } catch (const BadInput& error) {
    module.refuse(ending, std::string("is no description: ") + error.what());
  }
}

void widen_blocks_of_4_bits(QuantisedModule& module, const Kind& kind) {
  const json text = state_in(module, kind.state, module.need(kind.state, {"U8"}));
  const ConfigReader state(text, kind.state + std::string(" of ") + module.quoted() + ": ");
  if (state.text_or("quant_type", "") != kind.name)
    state.refuse("quant_type", "should be " + std::string(kind.name));
  const Shape shape = shape_in(state);
  const Index count = shape.rows * shape.cols, block = state.size("blocksize");
  if (block < 2 || block > 4096 || (block & (block - 1)) != 0)
    state.refuse("blocksize", std::to_string(block) + ", should be a power of 2 up to 4096");
  const CheckpointTensor bytes = module.need(".weight", {"U8"});
  if (static_cast<Index>(bytes.size) != (count + 1) / 2)
    module.refuse(".weight", "has " + std::to_string(bytes.size) + " bytes, but a weight of " +
                                 shape_text({shape.rows, shape.cols}) + " takes " +
                                 std::to_string((count + 1) / 2));
  module.find(".weight.quant_map");  // the values again
  auto rows = std::make_shared<BlockRows>(
      BlockRows::Parts{.bytes = bytes,
                       .values = kind.values,
                       .magnitudes = magnitudes_of(module, state, blocks_of(count, block)),
                       .columns = shape.cols,
                       .block = block,
                       .result = format_named(state, "dtype")});
  module.put(rows, shape, false, bytes.file);
}

void widen_rows_of_8_bits(QuantisedModule& module) {
  const CheckpointTensor bytes = module.need(".weight", {"I8"});
  if (bytes.shape.size() != 2 || bytes.shape[0] == 0 || bytes.shape[1] == 0)
    module.refuse(".weight", "has the shape " + shape_text(bytes.shape) + ", should be a matrix");
  const Shape shape{bytes.shape[0], bytes.shape[1]};
  const CheckpointTensor magnitudes = module.need(".SCB", {"F32"}, {shape.rows});
  constexpr const char* kOrder = ".weight_format";
  if (const auto order = module.find(kOrder))
    if (order->type_name != "U8" || order->size != 1 || byte_of(*order, 0) != 0)
      module.refuse(kOrder, "is not 0: rows in another order are not supported");
  auto rows = std::make_shared<ScaledRows>(ScaledRows::Parts{
      .numbers = signed_bytes(bytes),
      .scales = {.grid = numbers_of(magnitudes, {shape.rows, 1}), .width = shape.cols},
      .factor = kPart});
  module.put(rows, shape, false, bytes.file);
}

}  // namespace

void widen_bitsandbytes(const WeightsConfig&, Checkpoint& checkpoint) {
  for (const Kind& kind : kKinds) {
    for (const std::string& name : modules_with(checkpoint, kind.state)) {
      QuantisedModule module(checkpoint, name);
      widen_blocks_of_4_bits(module, kind);
    }
  }
  const auto is_signed = [](const CheckpointTensor& tensor) { return tensor.type_name == "I8"; };
  for (const std::string& name : modules_with(checkpoint, ".weight", is_signed)) {
    QuantisedModule module(checkpoint, name);
    widen_rows_of_8_bits(module);
  }
  const auto is_bytes = [](const CheckpointTensor& tensor) { return tensor.type_name == "U8"; };
  for (const std::string& name : modules_with(checkpoint, ".weight", is_bytes))
    QuantisedModule(checkpoint, name)
        .refuse(".weight", "has 4 bits to a number, but no quant_state that describes it");
}

}  // namespace lab::files
