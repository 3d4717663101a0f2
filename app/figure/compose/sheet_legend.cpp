#include "app/figure/compose/sheet_legend.h"

#include <algorithm>
#include <cmath>

#include "app/figure/compose/cell_runs.h"
#include "app/translation/words.h"

namespace lab::figure {
namespace {

bool is_nan(float v) { return std::isnan(v); }

bool any_of(const Sheet& sheet, bool (*is)(float)) {
  return std::ranges::any_of(sheet.panels, [&](const Panel& panel) {
    const attention::Matrix& values = *panel.values;
    return std::any_of(values.data(), values.data() + values.size(), is);
  });
}

}  // namespace

std::string masked_legend() { return tr("−∞, masked"); }

std::vector<LegendEntry> legend_of(const Sheet& sheet, const Look& look, double width) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  std::vector<LegendEntry> entries;
  if (any_of(sheet, is_minus_infinity)) entries.push_back({-kInfinity, sheet.minus_infinity});
  if (std::ranges::any_of(sheet.panels, &Panel::muted))
    entries.push_back({-kInfinity, tr("muted")});
  if (any_of(sheet, is_nan)) entries.push_back({kNaN, tr("NaN, not a number")});
  const Metrics m(look.font);
  double x = 0;
  int line = 0;
  for (LegendEntry& entry : entries) {
    const double wide =
        look.font + m.label_gap + look.ruler.width(entry.text, shape::Face::kSans, look.font);
    if (x > 0 && x + wide > width - 2 * m.margin) x = 0, ++line;
    entry.x = x, entry.end = x + wide, entry.line = line;
    x += wide + 1.5 * look.font;
  }
  return entries;
}

double legend_height(const Sheet& sheet, const Look& look, double width) {
  const auto entries = legend_of(sheet, look, width);
  return entries.empty() ? 0 : 1.9 * look.font + entries.back().line * Metrics(look.font).line;
}

}  // namespace lab::figure
