#include "app/files/model/quantised/scaled_rows.h"

#include "app/files/model/quantised/quantised_module.h"

namespace lab::files {

using attention::Index;
using attention::Matrix;

void ScaledRows::read(Index row, Index first, Index count, float* to) const {
  parts_.numbers(row, first, count, to);
  const ScaleGrid& scales = parts_.scales;
  const Matrix of_row = scales.grid.row_range(row / scales.height, 1).values();
  for (Index i = 0; i < count;) {
    const Index group = scales.group(first + i);
    Index end = i + 1;
    while (end < count && scales.group(first + end) == group) ++end;
    const float zero = parts_.zero ? parts_.zero(row / scales.height, group) : 0;
    for (; i < end; ++i) to[i] = (to[i] - zero) * of_row(0, group) * parts_.factor;
  }
  round_to(parts_.result, to, count);
}

ScaledRows::ReadNumbers signed_bytes(const CheckpointTensor& tensor) {
  const Index columns = tensor.shape.back();
  return [tensor, columns](Index row, Index first, Index count, float* to) {
    const Index at = row * columns + first;
    for (Index i = 0; i < count; ++i)
      to[i] = static_cast<float>(static_cast<std::int8_t>(byte_of(tensor, at + i)));
  };
}

}  // namespace lab::files
