#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "app/figure/compose/range.h"

namespace lab::figure {

/// What the figures of an animation have in common, so that colours and sizes stay comparable over
/// time. It grows with every figure laid out with it; once all have been laid out, laying them out
/// again gives all of them the same values.
class CommonLook {
 public:
  /// In place of a head: the difference of two maps.
  static constexpr attention::Index kDifference = -1;

  /// The range of that map over all figures, including `added`.
  Range range(attention::Stage stage, attention::Index head, Range added) {
    Range& common = ranges_.try_emplace({stage, head}, added).first->second;
    return common = united(common, added);
  }

  /// The width in points of the widest number in the cells of `panel`, including `added`.
  double number_width(std::size_t panel, double added) {
    double& common = number_widths_[panel];
    return common = std::max(common, added);
  }

 private:
  std::map<std::pair<attention::Stage, attention::Index>, Range> ranges_;
  std::map<std::size_t, double> number_widths_;
};

}  // namespace lab::figure
