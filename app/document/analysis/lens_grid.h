#pragma once

#include <vector>

#include "app/document/analysis/predictions.h"

namespace lab {

/// The logit lens of all rows: the most probable token of each, before each layer and after the
/// last one.
struct LensGrid {
  attention::Index layers = 0;   ///< of the grid: one more than the model has
  attention::Index rows = 0;     ///< of the text
  std::vector<Prediction> tops;  ///< layer by layer; those of the first layers while it fills in

  /// Number of layers that are known.
  attention::Index known_layers() const { return rows == 0 ? 0 : std::ssize(tops) / rows; }
  /// The most probable token of `row` before `layer`. Precondition: it is known.
  const Prediction& at(attention::Index layer, attention::Index row) const {
    return tops[static_cast<std::size_t>(layer * rows + row)];
  }
};

/// Computes such a grid some rows at a time.
class LensSweep {
 public:
  /// What is referred to must outlive the sweep. Fails in step() only.
  explicit LensSweep(const ModelPass& pass);

  /// True when the grid has all its rows in every layer.
  bool done() const { return std::ssize(grid_.tops) == grid_.layers * grid_.rows; }
  /// The share that is known, from 0 to 1.
  double progress() const;
  /// Computes the next rows of a layer. Throws std::invalid_argument when the model has no
  /// read-out, and as `watch`, which may be null. Precondition: not done().
  void step(attention::WorkWatch* watch = nullptr);
  /// What is known.
  const LensGrid& grid() const { return grid_; }

 private:
  ModelPass pass_;
  LensGrid grid_;
};

}  // namespace lab
