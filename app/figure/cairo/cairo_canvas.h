#pragma once

#include <cairo.h>
#include <pango/pango.h>

#include <cstdint>
#include <memory>
#include <span>

#include "app/figure/figure.h"
#include "core/numerics/work_watch.h"

namespace lab::figure {

/// Releases a Cairo object.
struct CairoDeleter {
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_pattern_t* pattern) const { cairo_pattern_destroy(pattern); }
};
using CairoPtr = std::unique_ptr<cairo_t, CairoDeleter>;
using SurfacePtr = std::unique_ptr<cairo_surface_t, CairoDeleter>;
using PatternPtr = std::unique_ptr<cairo_pattern_t, CairoDeleter>;

// Figures are painted on two types of surface: pixel images, where edges are aligned to whole
// pixels, and vector pages, where everything keeps its exact position and can be enlarged.

/// A rectangle.
struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

/// How the shapes of a figure map to a type of surface. Lengths are in units of the surface unless
/// they are said to be in points.
class Medium {
 public:
  virtual ~Medium() = default;
  /// Units per point.
  virtual double scale() const = 0;
  /// The bounds of a rectangle given in points.
  virtual Box bounds(const Box& points) const = 0;
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
  /// Can be neither copied nor moved: the state is restored once.
  Saved(const Saved&) = delete;
  Saved& operator=(const Saved&) = delete;
  ~Saved() { cairo_restore(cairo_); }

 private:
  cairo_t* cairo_;
};

/// Paints the page and everything on it on `surface`, which is of that medium. Reports `work` in
/// total to `watch`, which may be null, a share per shape; throws as `watch` does.
void paint_figure(const Figure& figure, cairo_surface_t* surface, Medium& medium,
                  attention::WorkWatch* watch = nullptr, attention::Index work = 0);

/// Converts a row of Cairo pixels (0xAARRGGBB in 32 bits, premultiplied) to bytes: RGB with 3
/// channels, RGBA with 4, not premultiplied. Precondition: `pixels` has as many pixels as fit into
/// `to`.
void unpack_row(const unsigned char* pixels, int channels, std::span<std::uint8_t> to);

}  // namespace lab::figure
