#pragma once

#include <pango/pangocairo.h>

#include <memory>

#include "app/figure/text/text_image.h"

// Shared by the code that draws with Pango; not for use elsewhere.

namespace lab::figure {

/// Releases a GObject.
struct ObjectDeleter {
  void operator()(gpointer object) const { g_object_unref(object); }
};
using LayoutPtr = std::unique_ptr<PangoLayout, ObjectDeleter>;

/// Lays out `request` on one line, ignoring its angle. Always succeeds: invalid UTF-8, markup and
/// sizes are corrected first, and text wider than `widest` pixels is shortened. Positions are not
/// rounded to pixels, so widths scale with sizes. `context` caches fonts between calls; it must not
/// be scaled, because Pango would scale superscripts twice.
LayoutPtr lay_out(PangoContext* context, const TextRequest& request, int widest);

/// Releases the description of a font.
struct DescriptionDeleter {
  void operator()(PangoFontDescription* d) const { pango_font_description_free(d); }
};
using DescriptionPtr = std::unique_ptr<PangoFontDescription, DescriptionDeleter>;

using ContextPtr = std::unique_ptr<PangoContext, ObjectDeleter>;

/// A new context with the options that all text is drawn with.
ContextPtr make_text_context();

/// The context of the calling thread for text aligned to pixels; must not be changed.
PangoContext* text_context();

}  // namespace lab::figure
