#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "app/files/model/weights/checkpoint.h"
#include "core/network/stored_matrix.h"

namespace lab::files {

/// Scales of a weight [out × in], of which parts share one: `grid`[row / height, group], where the
/// group of a column is column / width, or `groups`[column] where that is not empty.
struct ScaleGrid {
  attention::network::StoredMatrix grid;
  attention::Index height = 1;
  attention::Index width = 1;
  std::vector<attention::Index> groups{};

  /// The group of a column.
  attention::Index group(attention::Index column) const {
    return groups.empty() ? column / width : groups[static_cast<std::size_t>(column)];
  }
};

/// The numbers of a weight [out × in] with scales: (number − zero) · scale · factor in float32,
/// rounded to `result`.
class ScaledRows : public attention::network::ComputedRows {
 public:
  /// Writes numbers `first` … `first` + `count` − 1 of a row to `to`.
  using ReadNumbers = std::function<void(attention::Index row, attention::Index first,
                                         attention::Index count, float* to)>;
  /// The zero of a row in a group.
  using ReadZero = std::function<float(attention::Index row, attention::Index group)>;

  /// What they are computed from; `zero` may be empty.
  struct Parts {
    ReadNumbers numbers;
    ScaleGrid scales;
    ReadZero zero{};
    float factor = 1;
    attention::network::StoredFormat result = attention::network::StoredFormat::kFloat32;
  };

  /// Keeps `parts`.
  explicit ScaledRows(Parts parts) : parts_(std::move(parts)) {}
  void read(attention::Index row, attention::Index first, attention::Index count,
            float* to) const override;

 private:
  Parts parts_;
};

/// Reads the numbers of a tensor of I8 [out × in].
ScaledRows::ReadNumbers signed_bytes(const CheckpointTensor& tensor);

}  // namespace lab::files
