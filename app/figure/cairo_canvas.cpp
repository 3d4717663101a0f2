#include "app/figure/cairo_canvas.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>

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
  Canvas(cairo_t* cairo, std::string family, double scale)
      : cairo_(cairo), text_(make_text_context()), family_(std::move(family)), scale_(scale) {}

  void operator()(const shape::Fill& fill) {
    set_colour(cairo_, fill.colour);
    const PixelBox box = snapped(fill);
    saved([&] {
      cairo_rectangle(cairo_, box.x, box.y, box.width, box.height);
      cairo_fill(cairo_);
    });
  }

  void operator()(const shape::Frame& frame) {
    set_colour(cairo_, frame.colour);
    const PixelBox box = snapped(frame);
    const int line = std::max(1, pixels(frame.line));
    saved([&] {
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

  void operator()(const shape::Polygon& polygon) {
    set_colour(cairo_, polygon.colour);
    cairo_new_path(cairo_);  // text leaves a point behind
    for (const shape::Point& corner : polygon.corners)
      cairo_line_to(cairo_, corner.x * scale_, corner.y * scale_);
    cairo_close_path(cairo_);
    cairo_fill(cairo_);
  }

  void operator()(const shape::Curve& curve) {
    const auto [from, first, second, to] =
        std::tie(curve.from, curve.towards_from, curve.towards_to, curve.to);
    const Rgb c = curve.colour;
    cairo_set_source_rgba(cairo_, c.r / 255.0, c.g / 255.0, c.b / 255.0, curve.opacity);
    cairo_set_line_width(cairo_, curve.line * scale_);
    cairo_set_line_cap(cairo_, CAIRO_LINE_CAP_ROUND);
    cairo_move_to(cairo_, from.x * scale_, from.y * scale_);
    cairo_curve_to(cairo_, first.x * scale_, first.y * scale_, second.x * scale_, second.y * scale_,
                   to.x * scale_, to.y * scale_);
    cairo_stroke(cairo_);
  }

  void operator()(const shape::Text& text) {
    const LayoutPtr layout = lay_out(text_.get(), text_request(text, family_, scale_), kWidest);
    int width = 0;
    pango_layout_get_size(layout.get(), &width, nullptr);
    const double baseline = pango_layout_get_baseline(layout.get());
    set_colour(cairo_, text.colour);
    saved([&] {
      cairo_translate(cairo_, text.x * scale_, text.y * scale_);
      cairo_rotate(cairo_, -text.angle * std::numbers::pi / 180);
      cairo_move_to(cairo_, -share_before(text.align) * width / PANGO_SCALE,
                    -baseline / PANGO_SCALE);
      pango_cairo_show_layout(cairo_, layout.get());
    });
  }

 private:
  static constexpr double kHatch = 2.4;        // points between the lines of the hatching
  static constexpr double kSmallestCross = 4;  // pixels
  static constexpr int kWidest = 32768;        // pixels: a line across the largest picture

  /// The share of a text's width that lies before its anchor.
  static double share_before(shape::Align align) {
    if (align == shape::Align::kLeft) return 0;
    return align == shape::Align::kCentre ? 0.5 : 1;
  }

  int pixels(double points) const { return static_cast<int>(std::lround(points * scale_)); }

  template <typename Area>
  PixelBox snapped(const Area& area) const {
    const int x = pixels(area.x), y = pixels(area.y);
    return {x, y, std::max(1, pixels(area.x + area.width) - x),
            std::max(1, pixels(area.y + area.height) - y)};
  }

  template <typename Draw>
  void saved(Draw&& draw) {
    cairo_save(cairo_);
    draw();
    cairo_restore(cairo_);
  }

  void paint(PixelImage image, const PixelBox& box) {
    const SurfacePtr surface(cairo_image_surface_create_for_data(
        reinterpret_cast<unsigned char*>(image.pixels.data()), CAIRO_FORMAT_ARGB32, image.width,
        image.height, image.width * 4));
    saved([&] {
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
    saved([&] {
      cairo_set_line_width(cairo_, std::max(1.0, 0.5 * scale_));
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j)
          if (std::isnan(map.values(i, j))) cross(box.x + j * w, box.y + i * h, w, h);
    });
  }

  /// A cross in the middle of the cell, as high as wide.
  void cross(double x, double y, double w, double h) {
    const double arm = 0.3 * std::min(w, h), cx = x + w / 2, cy = y + h / 2;
    cairo_move_to(cairo_, cx - arm, cy - arm);
    cairo_line_to(cairo_, cx + arm, cy + arm);
    cairo_move_to(cairo_, cx + arm, cy - arm);
    cairo_line_to(cairo_, cx - arm, cy + arm);
    cairo_stroke(cairo_);
  }

  cairo_t* cairo_;
  ContextPtr text_;
  std::string family_;
  double scale_;
};

}  // namespace

void paint_figure(const Figure& figure, cairo_surface_t* surface, double scale,
                  attention::WorkWatch* watch, attention::Index work) {
  const CairoPtr cairo(cairo_create(surface));
  if (!figure.transparent) {
    set_colour(cairo.get(), figure.background);
    cairo_paint(cairo.get());
  }
  Canvas canvas(cairo.get(), figure.family, scale);
  const attention::Index count = std::ssize(figure.shapes);
  for (attention::Index i = 0; i < count; ++i) {
    std::visit(canvas, figure.shapes[static_cast<std::size_t>(i)]);
    attention::report_work(watch, work * (i + 1) / count - work * i / count);
  }
}

}  // namespace lab
