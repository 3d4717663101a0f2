#pragma once

#include <string>
#include <vector>

#include "app/figure/compose/sheet.h"

namespace lab::figure {

/// A cell without a colour, and its entry in the legend.
struct LegendEntry {
  float value = 0;
  std::string text;
  double x = 0, end = 0;
  int line = 0;
};

/// The entries for what the maps of a sheet have, in lines of a page that is `width` points wide.
std::vector<LegendEntry> legend_of(const Sheet& sheet, const Look& look, double width);

}  // namespace lab::figure
