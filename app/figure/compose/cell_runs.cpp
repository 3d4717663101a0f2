#include "app/figure/compose/cell_runs.h"

#include <algorithm>
#include <cmath>

#include "app/figure/cairo/heat_map_image.h"

namespace lab::figure {
namespace {

using attention::Index;

constexpr double kSmallestCross = 1;  // points: of a cell with a cross

/// The positions of the cells of a map along one side.
struct Side {
  double start = 0, pitch = 0, gap = 0;
  double begin(Index cell) const { return start + static_cast<double>(cell) * pitch; }
  double end(Index last) const { return begin(last) + pitch - gap; }
};

Side side_of(double start, double length, Index count, double gap) {
  return {start, (length + gap) / static_cast<double>(count), gap};
}

CellLook look_of(float value) {
  if (std::isnan(value)) return CellLook::kNotANumber;
  return is_minus_infinity(value) ? CellLook::kMinusInfinity : CellLook::kColour;
}

double gap_of(const shape::HeatMap& map) {
  const double smallest = std::min(map.width / static_cast<double>(map.values.cols()),
                                   map.height / static_cast<double>(map.values.rows()));
  return smallest >= 4 * map.gap ? map.gap : 0;
}

/// Collects the runs of one map.
class RunCollector {
 public:
  explicit RunCollector(const shape::HeatMap& map)
      : map_(map),
        table_(palette_table(map.palette, map.dark)),
        gap_(gap_of(map)),
        across_(side_of(map.x, map.width, map.values.cols(), gap_)),
        down_(side_of(map.y, map.height, map.values.rows(), gap_)) {}

  std::vector<CellRun> run() {
    for (Index i = 0; i < map_.values.rows(); ++i)
      for (Index j = 0; j < map_.values.cols(); ++j) add(i, j);
    return std::move(runs_);
  }

 private:
  void add(Index row, Index column) {
    const float value = map_.values(row, column);
    const CellLook look = look_of(value);
    const Rgb colour =
        look == CellLook::kColour ? colour_of(table_, map_.range, value) : special_fill(map_.dark);
    const bool joins = gap_ <= 0 && column > 0 && look != CellLook::kNotANumber &&
                       runs_.back().look == look && runs_.back().colour == colour;
    if (joins) {
      runs_.back().width = across_.end(column) - runs_.back().x;
      return;
    }
    const double x = across_.begin(column), y = down_.begin(row);
    runs_.push_back({x, y, across_.end(column) - x, down_.end(row) - y, look, colour});
  }

  const shape::HeatMap& map_;
  const PaletteTable& table_;
  double gap_;
  Side across_, down_;
  std::vector<CellRun> runs_;
};

}  // namespace

std::vector<CellRun> cell_runs(const shape::HeatMap& map) {
  if (map.values.size() == 0) return {};
  return RunCollector(map).run();
}

bool cells_touch(const shape::HeatMap& map) { return map.values.size() == 0 || gap_of(map) <= 0; }

std::vector<shape::Point> cross_of(const CellRun& cell) {
  const double smallest = std::min(cell.width, cell.height);
  if (smallest < kSmallestCross) return {};
  const double arm = 0.3 * smallest;
  const double x = cell.x + cell.width / 2, y = cell.y + cell.height / 2;
  return {{x - arm, y - arm}, {x + arm, y + arm}, {x + arm, y - arm}, {x - arm, y + arm}};
}

}  // namespace lab::figure
