#include "app/files/model/quantised/float8_weights.h"

#include <array>
#include <cmath>
#include <limits>

#include "app/base/bad_input.h"
#include "app/files/model/quantised/methods.h"
#include "app/files/model/quantised/quantised_module.h"
#include "app/files/tensors/elements.h"

namespace lab::files {

using attention::Index;
using attention::Shape;
using attention::network::StoredFormat;

namespace {

constexpr const char* kFloat8 = "F8_E4M3";
constexpr const char* kBlockScale = ".weight_scale_inv";
constexpr const char* kRowScale = ".weight_scale";
constexpr Index kUsualBlock = 128;  // transformers' default

std::array<float, 256> all_values() {
  std::array<float, 256> values{};
  for (unsigned bits = 0; bits < values.size(); ++bits) values[bits] = float8_value(bits);
  return values;
}

bool covers(Index blocks, Index block, Index size) {
  return block > 0 && blocks == (size + block - 1) / block;
}

// The weight of a module, and its shape.
struct Float8Weight {
  CheckpointTensor tensor;
  Shape shape;
};

Float8Weight float8_weight(QuantisedModule& module) {
  Float8Weight weight{module.need(".weight", {kFloat8}), {}};
  const std::vector<std::int64_t>& shape = weight.tensor.shape;
  if (shape.size() != 2 || shape[0] == 0 || shape[1] == 0)
    module.refuse(".weight", "has the shape " + shape_text(shape) + ", should be a matrix");
  weight.shape = {shape[0], shape[1]};
  return weight;
}

Shape block_of(const ConfigReader& config) {
  const char* const name = "weight_block_size";
  if (config.says_null(name)) return {0, 0};
  if (!config.has(name)) return {kUsualBlock, kUsualBlock};
  const std::vector<double> sizes = config.numbers(name);
  const auto whole = [](double size) {
    return size >= 1 && size <= double{ConfigReader::kLargestSize} && size == std::floor(size);
  };
  if (sizes.size() != 2 || !whole(sizes[0]) || !whole(sizes[1]))
    config.refuse(name, "should be the rows and the columns of a block");
  return {static_cast<Index>(sizes[0]), static_cast<Index>(sizes[1])};
}

}  // namespace

float float8_value(unsigned bits) {
  const unsigned exponent = bits >> 3 & 15, mantissa = bits & 7;
  float value = exponent == 0
                    ? std::ldexp(static_cast<float>(mantissa), -9)
                    : std::ldexp(static_cast<float>(8 + mantissa), static_cast<int>(exponent) - 10);
  if ((bits & 127) == 127) value = std::numeric_limits<float>::quiet_NaN();
  return (bits & 128) != 0 ? -value : value;
}

bool is_float8(const CheckpointTensor& tensor) { return tensor.type_name == kFloat8; }

ScaledRows::ReadNumbers float8_numbers(const CheckpointTensor& tensor) {
  const Index columns = tensor.shape.back();
  if (static_cast<Index>(tensor.size) != element_count(tensor.shape, INT64_MAX))
    throw BadInput("a tensor of " + std::string(kFloat8) + " has " + std::to_string(tensor.size) +
                   " bytes, but its shape is " + shape_text(tensor.shape));
  return [tensor, columns](Index row, Index first, Index count, float* to) {
    static const std::array<float, 256> kValues = all_values();
    const Index at = row * columns + first;
    for (Index i = 0; i < count; ++i) to[i] = kValues[byte_of(tensor, at + i)];
  };
}

ScaleGrid scale_grid(const QuantisedModule& module, const char* ending,
                     const CheckpointTensor& tensor, Shape shape, Shape block) {
  const std::vector<std::int64_t>& sizes = tensor.shape;
  const Shape grid{sizes.empty() ? 1 : sizes.front(), sizes.size() < 2 ? 1 : sizes.back()};
  const bool single = grid.rows == 1 && grid.cols == 1;
  if (sizes.size() <= 2 && single)
    return {.grid = numbers_of(tensor, grid), .height = shape.rows, .width = shape.cols};
  if (sizes.size() <= 2 && covers(grid.rows, block.rows, shape.rows) &&
      covers(grid.cols, block.cols, shape.cols))
    return {.grid = numbers_of(tensor, grid), .height = block.rows, .width = block.cols};
  const bool divides =
      grid.rows > 0 && grid.cols > 0 && shape.rows % grid.rows == 0 && shape.cols % grid.cols == 0;
  if (sizes.size() > 2 || !divides)
    module.refuse(ending, "is " + shape_text(sizes) + ", which does not fit a weight of " +
                              shape_text({shape.rows, shape.cols}));
  return {.grid = numbers_of(tensor, grid),
          .height = shape.rows / grid.rows,
          .width = shape.cols / grid.cols};
}

void widen_fp8(const WeightsConfig& config, Checkpoint& checkpoint) {
  const Shape block = block_of(config.quantisation);
  for (const std::string& name : modules_with(checkpoint, ".weight", is_float8)) {
    QuantisedModule module(checkpoint, name);
    const auto [weight, shape] = float8_weight(module);
    const CheckpointTensor scale = module.need(kBlockScale, scale_types());
    ScaleGrid scales = scale_grid(module, kBlockScale, scale, shape, block);
    auto rows = std::make_shared<ScaledRows>(
        ScaledRows::Parts{.numbers = float8_numbers(weight),
                          .scales = std::move(scales),
                          .result = config.type.value_or(*scale.format)});
    module.put(rows, shape, false, weight.file);
  }
}

void widen_fbgemm_fp8(const WeightsConfig&, Checkpoint& checkpoint) {
  for (const std::string& name : modules_with(checkpoint, ".weight", is_float8)) {
    QuantisedModule module(checkpoint, name);
    const auto [weight, shape] = float8_weight(module);
    const CheckpointTensor scale = module.need(kRowScale, scale_types());
    auto rows = std::make_shared<ScaledRows>(
        ScaledRows::Parts{.numbers = float8_numbers(weight),
                          .scales = scale_grid(module, kRowScale, scale, shape, {1, shape.cols})});
    module.put(rows, shape, false, weight.file);
  }
}

}  // namespace lab::files
