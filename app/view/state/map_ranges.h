#pragma once

#include <map>
#include <string>

#include "app/figure/colour/palette.h"
#include "app/figure/compose/range.h"
#include "core/layer/stage.h"

namespace lab::view {

/// Where the ends of a map's colour range come from.
enum class RangeEnds {
  kAutomatic,  ///< its own numbers
  kShared,     ///< the numbers of all heads
  kRobust,     ///< its own numbers between the 2nd and the 98th percentile
  kFixed,      ///< the user, or what was shown when they were fixed
};

/// How the colours of a map stand for numbers.
struct RangeChoice {
  RangeEnds ends = RangeEnds::kAutomatic;
  figure::Spread spread = figure::Spread::kLinear;
  bool operator==(const RangeChoice&) const = default;
};

/// What is typed as the ends of a fixed range, while its menu is open.
struct RangeFields {
  std::string lo, hi;
  figure::Range before;  ///< the range when the menu appeared
  bool typed = false;    ///< another one was typed since
};

/// The ranges of all maps.
struct MapRanges {
  RangeChoice all;                                 ///< of maps without a choice of their own
  std::map<attention::Stage, RangeChoice> own;     ///< of single cards
  std::map<attention::Stage, figure::Range> ends;  ///< of ranges that are fixed
  RangeFields fields;

  /// The choice for the map of `stage`.
  RangeChoice of(attention::Stage stage) const {
    const auto found = own.find(stage);
    return found == own.end() ? all : found->second;
  }
};

}  // namespace lab::view
