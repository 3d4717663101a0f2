#pragma once

#include <pango/pangocairo.h>

#include <memory>

#include "app/figure/text/text_image.h"

// Shared by what draws with Pango; not for the rest of the program.

namespace lab::figure {

/// Gives a GObject back when it goes out of scope.
struct ObjectDeleter {
  void operator()(gpointer object) const { g_object_unref(object); }
};
using LayoutPtr = std::unique_ptr<PangoLayout, ObjectDeleter>;

/// `request` laid out on one line, without its angle, and never empty-handed: bad UTF-8, bad markup
/// and sizes that are none are put right first, what is longer than `widest` pixels is shortened.
/// Positions are not rounded to pixels, so widths scale with sizes. `context` keeps the fonts
/// between calls; it must not be scaled: Pango would scale superscripts twice.
LayoutPtr lay_out(PangoContext* context, const TextRequest& request, int widest);

using ContextPtr = std::unique_ptr<PangoContext, ObjectDeleter>;

/// A new context with the options the product draws with.
ContextPtr make_text_context();

/// The context of the calling thread for text on level pixels; never to be changed.
PangoContext* text_context();

}  // namespace lab::figure
