#include <pango/pangocairo.h>

#include <algorithm>
#include <cmath>

#include "app/figure/cairo/cairo_canvas.h"
#include "app/figure/cairo/heat_map_image.h"

namespace lab::figure {
namespace {

constexpr double kHatch = 2.4;  // points between the lines of the hatching

class PixelMedium : public Medium {
 public:
  explicit PixelMedium(double scale) : scale_(scale) {}

  double scale() const override { return scale_; }

  Box bounds(const Box& points) const override {
    const int x = pixels(points.x), y = pixels(points.y);
    return {static_cast<double>(x), static_cast<double>(y),
            static_cast<double>(std::max(1, pixels(points.x + points.width) - x)),
            static_cast<double>(std::max(1, pixels(points.y + points.height) - y))};
  }

  double line(double points) const override { return std::max(1, pixels(points)); }

  double smallest_cross() const override { return 4; }

  void paint_cells(cairo_t* cairo, const shape::HeatMap& map) override {
    const Box box = bounds({map.x, map.y, map.width, map.height});
    const auto cell = [](double side, attention::Index count) {
      return side / static_cast<double>(std::max<attention::Index>(count, 1));
    };
    const double smallest =
        std::min(cell(box.width, map.values.cols()), cell(box.height, map.values.rows()));
    const int requested = map.gap > 0 ? std::max(1, pixels(map.gap)) : 0;
    const int gap = smallest >= 4 * requested ? requested : 0;
    paint(cairo, box,
          heat_map_image(map, static_cast<int>(box.width), static_cast<int>(box.height), gap,
                         pixels(kHatch)));
  }

  void paint_bar(cairo_t* cairo, const shape::ColourBar& bar) override {
    const Box box = bounds({bar.x, bar.y, bar.width, bar.height});
    paint(cairo, box,
          colour_bar_image(bar, static_cast<int>(box.width), static_cast<int>(box.height)));
  }

  void show_text(cairo_t* cairo, PangoLayout* layout) override {
    cairo_move_to(cairo, 0, 0);
    pango_cairo_show_layout(cairo, layout);
  }

 private:
  int pixels(double points) const { return static_cast<int>(std::lround(points * scale_)); }

  static void paint(cairo_t* cairo, const Box& box, PixelImage image) {
    const SurfacePtr surface(cairo_image_surface_create_for_data(
        reinterpret_cast<unsigned char*>(image.pixels.data()), CAIRO_FORMAT_ARGB32, image.width,
        image.height, image.width * 4));
    const Saved saved(cairo);
    cairo_set_source_surface(cairo, surface.get(), box.x, box.y);
    cairo_paint(cairo);
  }

  double scale_;
};

}  // namespace

std::unique_ptr<Medium> pixel_medium(double scale) { return std::make_unique<PixelMedium>(scale); }

}  // namespace lab::figure
