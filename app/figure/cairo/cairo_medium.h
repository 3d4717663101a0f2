#pragma once

#include <cairo.h>
#include <pango/pango.h>

#include <memory>

#include "app/figure/figure.h"

// Figures are painted on two kinds of surface: pixel images, where edges are aligned to whole
// pixels, and vector pages, where everything keeps its exact place and can be enlarged.

namespace lab::figure {

/// A rectangle.
struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

/// How the shapes of a figure map to a kind of surface. Lengths are in units of the surface unless
/// they are said to be in points.
class Medium {
 public:
  virtual ~Medium() = default;
  /// Units per point.
  virtual double scale() const = 0;
  /// The place of a rectangle given in points.
  virtual Box place(const Box& points) const = 0;
  /// The width of a straight line `points` wide.
  virtual double line(double points) const = 0;
  /// The side of the smallest NaN cell that gets a cross.
  virtual double smallest_cross() const = 0;
  /// Paints the cells of a map, hatched where they are −∞; NaN crosses are left to the caller.
  virtual void paint_cells(cairo_t* cairo, const shape::HeatMap& map) = 0;
  /// Paints a colour bar without its frame.
  virtual void paint_bar(cairo_t* cairo, const shape::ColourBar& bar) = 0;
  /// Draws text with its top left corner at the origin. May change the layout.
  virtual void show_text(cairo_t* cairo, PangoLayout* layout) = 0;
};

/// A medium of pixels, `scale` per point.
std::unique_ptr<Medium> pixel_medium(double scale);

/// A medium of vectors, one unit per point. Maps of more than a few thousand cells become images
/// without gaps.
std::unique_ptr<Medium> vector_medium();

/// Sets the source colour.
inline void set_colour(cairo_t* cairo, Rgb c, double opacity = 1) {
  cairo_set_source_rgba(cairo, c.r / 255.0, c.g / 255.0, c.b / 255.0, opacity);
}

/// Adds a rectangle to the path.
inline void add_rectangle(cairo_t* cairo, const Box& box) {
  cairo_rectangle(cairo, box.x, box.y, box.width, box.height);
}

/// Restores the graphics state when it goes out of scope.
class Saved {
 public:
  /// Saves the graphics state of `cairo`.
  explicit Saved(cairo_t* cairo) : cairo_(cairo) { cairo_save(cairo_); }
  Saved(const Saved&) = delete;
  Saved& operator=(const Saved&) = delete;
  ~Saved() { cairo_restore(cairo_); }

 private:
  cairo_t* cairo_;
};

}  // namespace lab::figure
