// Which cells of a zoomed map are seen whole.
#include <gtest/gtest.h>

#include "app/tests/rooms.h"
#include "app/view/maps/map_labels.h"

namespace lab {
namespace {

MapPlot plot_of_ten(const files::MatrixRegion& region) {
  HeatMap map;
  map.matrix = attention::SharedMatrix(attention::Matrix::Zero(10, 10));
  map.region = region;
  return plot_of({100, 50, 400, 300}, map);
}

TEST(MapPlot, ShowsEveryCellWholeThatIsNotZoomed) {
  const MapPlot plot = plot_of_ten({});
  for (attention::Index i = 0; i < 10; ++i)
    for (attention::Index j = 0; j < 10; ++j)
      EXPECT_TRUE(plot.shows_whole({i, j})) << i << " " << j;
}

TEST(MapPlot, DoesNotShowCellsWholeThatItsEdgesCut) {
  const MapPlot plot = plot_of_ten({.x = 0.25f, .y = 0.2f, .w = 0.5f, .h = 0.45f});
  EXPECT_EQ(plot.first().col, 2);
  EXPECT_FALSE(plot.shows_whole({2, 2})) << "its left half is out of sight";
  EXPECT_FALSE(plot.shows_whole({2, 7})) << "its right half is";
  EXPECT_FALSE(plot.shows_whole({6, 3})) << "its lower half is";
  EXPECT_TRUE(plot.shows_whole({2, 3})) << "it begins where the map does";
  EXPECT_TRUE(plot.shows_whole({5, 6}));
}

}  // namespace
}  // namespace lab
