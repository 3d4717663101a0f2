#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "app/figure/compose/range.h"

namespace lab::figure {

/// What the figures of an animation have in common, so that colours and sizes can be compared in
/// time. It grows with every figure that is laid out with it; figures that are laid out after all
/// of them have been get the same.
class CommonLook {
 public:
  /// Stands for the difference of two maps where a head is asked for.
  static constexpr attention::Index kDifference = -1;

  /// The range of that map in all figures, `own` included.
  Range range(attention::Stage stage, attention::Index head, Range own) {
    Range& common = ranges_.try_emplace({stage, head}, own).first->second;
    return common = united(common, own);
  }

  /// The width, in points, of the widest number in the cells of panel `place`, `own` included.
  double number_width(std::size_t place, double own) {
    double& common = number_widths_[place];
    return common = std::max(common, own);
  }

 private:
  std::map<std::pair<attention::Stage, attention::Index>, Range> ranges_;
  std::map<std::size_t, double> number_widths_;
};

}  // namespace lab::figure
