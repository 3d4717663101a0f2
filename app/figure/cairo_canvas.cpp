#include "app/figure/cairo_canvas.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/figure/cairo_pointers.h"
#include "app/figure/figure_text.h"
#include "app/figure/heat_map_image.h"
#include "app/figure/text_layout.h"

namespace lab {
namespace {

void set_colour(cairo_t* cairo, Rgb c) {
  cairo_set_source_rgb(cairo, c.r / 255.0, c.g / 255.0, c.b / 255.0);
}

/// A rectangle on whole pixels, so that cells and frames have sharp edges.
struct PixelBox {
  int x = 0, y = 0, width = 0, height = 0;
};

/// Paints the shapes of a figure, `scale` pixels a point.
class Canvas {
 public:
  Canvas(cairo_t* cairo, double scale) : cairo_(cairo), text_(make_text_context()), scale_(scale) {
    cairo_scale(cairo, scale, scale);
    pango_cairo_update_context(cairo, text_.get());
  }

  void operator()(const shape::Fill& fill) {
    set_colour(cairo_, fill.colour);
    const PixelBox box = snapped(fill);
    in_pixels([&] {
      cairo_rectangle(cairo_, box.x, box.y, box.width, box.height);
      cairo_fill(cairo_);
    });
  }

  void operator()(const shape::Frame& frame) {
    set_colour(cairo_, frame.colour);
    const PixelBox box = snapped(frame);
    const int line = std::max(1, pixels(frame.line));
    in_pixels([&] {
      cairo_set_line_width(cairo_, line);
      cairo_rectangle(cairo_, box.x - line / 2.0, box.y - line / 2.0, box.width + line,
                      box.height + line);
      cairo_stroke(cairo_);
    });
  }

  void operator()(const shape::HeatMap& map) {
    const PixelBox box = snapped(map);
    const auto cell = [&](int side, attention::Index count) {
      return side / static_cast<double>(std::max<attention::Index>(count, 1));
    };
    const double smallest = std::min(cell(box.width, map.values.cols()),  //
                                     cell(box.height, map.values.rows()));
    const int wanted = map.gap > 0 ? std::max(1, pixels(map.gap)) : 0;
    const int gap = smallest >= 4 * wanted ? wanted : 0;
    paint(heat_map_image(map, box.width, box.height, gap, pixels(kHatch)), box);
    if (smallest >= kSmallestCross) cross_out(map, box);
  }

  void operator()(const shape::ColourBar& bar) {
    const PixelBox box = snapped(bar);
    paint(colour_bar_image(bar, box.width, box.height), box);
  }

  void operator()(const shape::Text& text) {
    const LayoutPtr layout =
        lay_out(text_.get(), {text.text, text.markup, text_face(text.face), text.size, text.angle});
    int width = 0;
    pango_layout_get_size(layout.get(), &width, nullptr);
    const double share =
        text.align == shape::Align::kLeft ? 0 : (text.align == shape::Align::kCentre ? 0.5 : 1);
    const double baseline = pango_layout_get_baseline(layout.get());
    set_colour(cairo_, text.colour);
    cairo_save(cairo_);
    cairo_translate(cairo_, text.x, text.y);
    cairo_rotate(cairo_, -text.angle * std::numbers::pi / 180);
    cairo_move_to(cairo_, -share * width / PANGO_SCALE, -baseline / PANGO_SCALE);
    pango_cairo_show_layout(cairo_, layout.get());
    cairo_restore(cairo_);
  }

 private:
  static constexpr double kHatch = 2.4;        // points between the lines of the hatching
  static constexpr double kSmallestCross = 4;  // pixels

  int pixels(double points) const { return static_cast<int>(std::lround(points * scale_)); }

  template <typename Area>
  PixelBox snapped(const Area& area) const {
    const int x = pixels(area.x), y = pixels(area.y);
    return {x, y, std::max(1, pixels(area.x + area.width) - x),
            std::max(1, pixels(area.y + area.height) - y)};
  }

  template <typename Draw>
  void in_pixels(Draw&& draw) {
    cairo_save(cairo_);
    cairo_identity_matrix(cairo_);
    draw();
    cairo_restore(cairo_);
  }

  void paint(PixelImage image, const PixelBox& box) {
    const SurfacePtr surface(cairo_image_surface_create_for_data(
        reinterpret_cast<unsigned char*>(image.pixels.data()), CAIRO_FORMAT_ARGB32, image.width,
        image.height, image.width * 4));
    in_pixels([&] {
      cairo_set_source_surface(cairo_, surface.get(), box.x, box.y);
      cairo_paint(cairo_);
    });
  }

  void cross_out(const shape::HeatMap& map, const PixelBox& box) {
    const int rows = static_cast<int>(map.values.rows()),
              cols = static_cast<int>(map.values.cols());
    const double w = static_cast<double>(box.width) / cols;
    const double h = static_cast<double>(box.height) / rows;
    set_colour(cairo_, special_ink(map.dark));
    in_pixels([&] {
      cairo_set_line_width(cairo_, std::max(1.0, 0.5 * scale_));
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j)
          if (std::isnan(map.values(i, j))) cross(box.x + j * w, box.y + i * h, w, h);
    });
  }

  void cross(double x, double y, double w, double h) {
    cairo_move_to(cairo_, x + 0.2 * w, y + 0.2 * h);
    cairo_line_to(cairo_, x + 0.8 * w, y + 0.8 * h);
    cairo_move_to(cairo_, x + 0.8 * w, y + 0.2 * h);
    cairo_line_to(cairo_, x + 0.2 * w, y + 0.8 * h);
    cairo_stroke(cairo_);
  }

  cairo_t* cairo_;
  ContextPtr text_;
  double scale_;
};

}  // namespace

void paint_figure(const Figure& figure, cairo_surface_t* surface, double scale) {
  const CairoPtr cairo(cairo_create(surface));
  set_colour(cairo.get(), figure.background);
  cairo_paint(cairo.get());
  Canvas canvas(cairo.get(), scale);
  for (const Shape& shape : figure.shapes) std::visit(canvas, shape);
}

}  // namespace lab
