#pragma once

#include <cairo.h>
#include <pango/pango.h>

#include <map>
#include <string>

#include "app/figure/cairo/cairo_canvas.h"

namespace lab::figure {

/// Draws text on vector pages. Coloured glyphs (emoji), which Cairo would draw as
/// coarse images without text, become sharp images with their text; equal ones share an image.
class ColourGlyphs {
 public:
  /// Draws the layout with its top left corner at the origin. Runs that became images are replaced
  /// in the layout by blank space.
  void show(cairo_t* cairo, PangoLayout* layout);

 private:
  void show_picture(cairo_t* cairo, PangoLayout* layout, PangoGlyphItem& run);

  std::map<std::string, SurfacePtr> pictures_;  // by font and text
};

}  // namespace lab::figure
