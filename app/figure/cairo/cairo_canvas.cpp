#include "app/figure/cairo/cairo_canvas.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>
#include <utility>

#include "app/figure/cairo/heat_map_image.h"
#include "app/figure/text/figure_text.h"
#include "app/figure/text/text_layout.h"

namespace lab::figure {
namespace {

template <typename Area>
Box box_of(const Area& area) {
  return {area.x, area.y, area.width, area.height};
}

/// Paints the shapes of a figure.
class Canvas {
 public:
  Canvas(cairo_t* cairo, std::string family, Medium& medium)
      : cairo_(cairo),
        text_(make_text_context()),
        family_(std::move(family)),
        medium_(medium),
        scale_(medium.scale()) {}

  void operator()(const shape::Fill& fill) {
    set_colour(cairo_, fill.colour);
    add_rectangle(cairo_, medium_.bounds(box_of(fill)));
    cairo_fill(cairo_);
  }

  void operator()(const shape::Frame& frame) {
    set_colour(cairo_, frame.colour);
    const Box box = medium_.bounds(box_of(frame));
    const double line = medium_.line(frame.line);
    const Saved saved(cairo_);
    cairo_set_line_width(cairo_, line);
    add_rectangle(cairo_,
                  {box.x - line / 2, box.y - line / 2, box.width + line, box.height + line});
    cairo_stroke(cairo_);
  }

  void operator()(const shape::HeatMap& map) {
    if (map.values.size() == 0) return;
    medium_.paint_cells(cairo_, map);
    cross_out(map, medium_.bounds(box_of(map)));
  }

  void operator()(const shape::ColourBar& bar) { medium_.paint_bar(cairo_, bar); }

  void operator()(const shape::Polygon& polygon) {
    set_colour(cairo_, polygon.colour);
    cairo_new_path(cairo_);  // text leaves a point behind
    for (const shape::Point& corner : polygon.corners)
      cairo_line_to(cairo_, corner.x * scale_, corner.y * scale_);
    cairo_close_path(cairo_);
    cairo_fill(cairo_);
  }

  void operator()(const shape::Curve& curve) {
    const auto& [from, first, second, to, colour, line, opacity] = curve;
    set_colour(cairo_, colour, opacity);
    cairo_set_line_width(cairo_, line * scale_);
    cairo_set_line_cap(cairo_, CAIRO_LINE_CAP_ROUND);
    cairo_move_to(cairo_, from.x * scale_, from.y * scale_);
    cairo_curve_to(cairo_, first.x * scale_, first.y * scale_, second.x * scale_, second.y * scale_,
                   to.x * scale_, to.y * scale_);
    cairo_stroke(cairo_);
  }

  void operator()(const shape::Polyline& polyline) {
    set_colour(cairo_, polyline.colour, 1);
    cairo_set_line_width(cairo_, polyline.line * scale_);
    cairo_set_line_cap(cairo_, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
    cairo_new_path(cairo_);  // not from where a text ended
    for (const shape::Point& point : polyline.points)
      cairo_line_to(cairo_, point.x * scale_, point.y * scale_);
    cairo_stroke(cairo_);
  }

  void operator()(const shape::Text& text) {
    const LayoutPtr layout = lay_out(text_.get(), text_request(text, family_, scale_), kWidest);
    int width = 0;
    pango_layout_get_size(layout.get(), &width, nullptr);
    const double baseline = pango_layout_get_baseline(layout.get());
    set_colour(cairo_, text.colour);
    const Saved saved(cairo_);
    cairo_translate(cairo_, text.x * scale_, text.y * scale_);
    cairo_rotate(cairo_, -text.angle * std::numbers::pi / 180);
    cairo_translate(cairo_, -share_before(text.align) * width / PANGO_SCALE,
                    -baseline / PANGO_SCALE);
    medium_.show_text(cairo_, layout.get());
  }

 private:
  static constexpr double kCrossLine = 0.5;  // points
  static constexpr int kWidest = 32768;      // units: a line across the largest picture

  /// The fraction of the width of a text that precedes its anchor.
  static double share_before(shape::Align align) {
    if (align == shape::Align::kLeft) return 0;
    return align == shape::Align::kCentre ? 0.5 : 1;
  }

  void cross_out(const shape::HeatMap& map, const Box& box) {
    const int rows = static_cast<int>(map.values.rows()),
              cols = static_cast<int>(map.values.cols());
    const double w = box.width / cols, h = box.height / rows;
    if (std::min(w, h) < medium_.smallest_cross()) return;
    set_colour(cairo_, special_ink(map.dark));
    const Saved saved(cairo_);
    cairo_set_line_width(cairo_, medium_.line(kCrossLine));
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j)
        if (std::isnan(map.values(i, j))) cross(box.x + j * w, box.y + i * h, w, h);
  }

  /// A square cross in the middle of the cell.
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
  Medium& medium_;
  double scale_;
};

}  // namespace

void paint_figure(const Figure& figure, cairo_surface_t* surface, Medium& medium,
                  attention::WorkWatch* watch, attention::Index work) {
  const CairoPtr cairo(cairo_create(surface));
  if (!figure.transparent) {
    set_colour(cairo.get(), figure.background);
    cairo_paint(cairo.get());
  }
  Canvas canvas(cairo.get(), figure.family, medium);
  const attention::Index count = std::ssize(figure.shapes);
  for (attention::Index i = 0; i < count; ++i) {
    std::visit(canvas, figure.shapes[static_cast<std::size_t>(i)]);
    attention::report_work(watch, work * (i + 1) / count - work * i / count);
  }
}

void unpack_row(const unsigned char* pixels, int channels, std::span<std::uint8_t> to) {
  const auto step = static_cast<std::size_t>(channels);
  for (std::size_t at = 0; at < to.size(); at += step, pixels += 4) {
    std::uint32_t pixel = 0;
    std::memcpy(&pixel, pixels, 4);
    const std::uint32_t alpha = channels == 4 ? pixel >> 24 : 255;
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint32_t value = pixel >> (16 - 8 * c) & 0xff;
      to[at + c] = static_cast<std::uint8_t>(alpha == 0 ? 0 : (value * 255 + alpha / 2) / alpha);
    }
    if (channels == 4) to[at + 3] = static_cast<std::uint8_t>(alpha);
  }
}

}  // namespace lab::figure
