#pragma once

#include <cairo.h>
#include <pango/pango.h>

#include <map>
#include <string>

#include "app/figure/cairo/cairo_pointers.h"

namespace lab::figure {

/// Shows text on pages of vectors. Glyphs with colours of their own (emoji) become sharp pictures,
/// with their text, which Cairo would draw as coarse ones without it; equal ones share a picture.
class ColourGlyphs {
 public:
  /// Shows the layout with its top left corner at the origin. Of runs that became pictures it
  /// leaves nothing in the layout but their room.
  void show(cairo_t* cairo, PangoLayout* layout);

 private:
  void show_picture(cairo_t* cairo, PangoLayout* layout, PangoGlyphItem& run);

  std::map<std::string, SurfacePtr> pictures_;  // by font and text
};

}  // namespace lab::figure
