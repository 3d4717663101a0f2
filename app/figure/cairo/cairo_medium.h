#pragma once

#include <cairo.h>
#include <pango/pango.h>

#include <memory>

#include "app/figure/figure.h"

// Figures are painted on two kinds of surface: pictures of pixels, where edges fall on whole
// pixels, and pages of vectors, where everything keeps its place and can be enlarged.

namespace lab::figure {

/// A rectangle.
struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

/// How the shapes of a figure meet a kind of surface. Lengths are in points where it says so, else
/// in units of the surface.
class Medium {
 public:
  virtual ~Medium() = default;
  /// Units in a point.
  virtual double scale() const = 0;
  /// Where a rectangle in points comes to lie.
  virtual Box place(const Box& points) const = 0;
  /// The width of a straight line of so many points.
  virtual double line(double points) const = 0;
  /// The side of the smallest cell that is crossed when it is no number.
  virtual double smallest_cross() const = 0;
  /// Paints the cells of a map, hatched where they are −∞; crosses are left to the painter.
  virtual void paint_cells(cairo_t* cairo, const shape::HeatMap& map) = 0;
  /// Paints a bar, without its frame.
  virtual void paint_bar(cairo_t* cairo, const shape::ColourBar& bar) = 0;
  /// Shows text with its top left corner at the origin. May change the layout.
  virtual void show_text(cairo_t* cairo, PangoLayout* layout) = 0;
};

/// Pixels, `scale` of them a point.
std::unique_ptr<Medium> pixel_medium(double scale);

/// Vectors, a unit a point. Maps of more than some thousand cells are images, whole pixels a cell
/// and without gaps.
std::unique_ptr<Medium> vector_medium();

/// Makes `c` the colour that is painted with.
inline void set_colour(cairo_t* cairo, Rgb c, double opacity = 1) {
  cairo_set_source_rgba(cairo, c.r / 255.0, c.g / 255.0, c.b / 255.0, opacity);
}

/// Adds a rectangle to the path.
inline void add_rectangle(cairo_t* cairo, const Box& box) {
  cairo_rectangle(cairo, box.x, box.y, box.width, box.height);
}

/// Undoes, when it goes out of scope, what was set since.
class Saved {
 public:
  explicit Saved(cairo_t* cairo) : cairo_(cairo) { cairo_save(cairo_); }
  Saved(const Saved&) = delete;
  Saved& operator=(const Saved&) = delete;
  ~Saved() { cairo_restore(cairo_); }

 private:
  cairo_t* cairo_;
};

}  // namespace lab::figure
