#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "app/files/model/quantised/methods.h"
#include "app/files/model/quantised/quantised_module.h"
#include "app/files/tensors/elements.h"

// Facts: OCP Microscaling Formats 1.0 (MXFP4); transformers 5.24, integrations/mxfp4.py.

namespace lab::files {
namespace {

using attention::Index;
using attention::Shape;
using attention::network::ComputedRows;

constexpr const char* kBlocks = "_blocks";
constexpr const char* kScales = "_scales";
constexpr Index kBytesOfBlock = 16, kNumbersOfBlock = 32;
constexpr int kExponentBias = 127;

// E2M1: a sign, two bits of exponent, one of mantissa.
constexpr std::array<float, 16> kFloatsE2M1 = {0.0f,  0.5f,  1.0f,  1.5f,  2.0f,  3.0f,
                                               4.0f,  6.0f,  -0.0f, -0.5f, -1.0f, -1.5f,
                                               -2.0f, -3.0f, -4.0f, -6.0f};

// The map of one expert [out × in]: two numbers in a byte, the lower bits first, and a power of two
// for 32 of them.
class Mxfp4Rows : public ComputedRows {
 public:
  Mxfp4Rows(CheckpointTensor blocks, CheckpointTensor scales, Index expert, Shape shape)
      : blocks_(std::move(blocks)),
        scales_(std::move(scales)),
        first_(expert * shape.rows * shape.cols),
        columns_(shape.cols) {}

  void read(Index row, Index first, Index count, float* to) const override {
    const Index start = first_ + row * columns_ + first;
    for (Index i = 0; i < count; ++i) {
      const Index at = start + i;
      const unsigned bits = byte_of(blocks_, at / 2) >> (at % 2 == 0 ? 0 : 4) & 15;
      const int exponent = static_cast<int>(byte_of(scales_, at / kNumbersOfBlock)) - kExponentBias;
      to[i] = kFloatsE2M1[bits] * std::ldexp(1.0f, exponent);
    }
  }

 private:
  CheckpointTensor blocks_, scales_;
  Index first_, columns_;
};

bool has_size(const CheckpointTensor& tensor) {
  return static_cast<Index>(tensor.size) == element_count(tensor.shape, INT64_MAX);
}

}  // namespace

void widen_mxfp4(const WeightsConfig&, Checkpoint& checkpoint) {
  for (const std::string& name : modules_with(checkpoint, kBlocks)) {
    QuantisedModule stack(checkpoint, name);
    const CheckpointTensor blocks = stack.need(kBlocks, {"U8"});
    const std::vector<std::int64_t>& sizes = blocks.shape;
    if (sizes.size() != 4 || sizes[0] < 1 || sizes[1] < 1 || sizes[2] < 1 ||
        sizes[3] != kBytesOfBlock || !has_size(blocks))
      stack.refuse(kBlocks, "is " + shape_text(sizes) + ", should be experts × out × blocks × 16");
    const CheckpointTensor scales = stack.need(kScales, {"U8"}, {sizes[0], sizes[1], sizes[2]});
    if (!has_size(scales)) stack.refuse(kScales, "has not the size that its shape needs");
    const Shape shape{sizes[1], sizes[2] * kNumbersOfBlock};
    for (Index expert = 0; expert < sizes[0]; ++expert)
      QuantisedModule(checkpoint, name + "." + std::to_string(expert))
          .put(std::make_shared<Mxfp4Rows>(blocks, scales, expert, shape), shape, false,
               blocks.file);
  }
}

}  // namespace lab::files
