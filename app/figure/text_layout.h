#pragma once

#include <pango/pangocairo.h>

#include <memory>

#include "app/figure/text_image.h"

// Shared by what draws with Pango; not for the rest of the program.

namespace lab {

/// Gives a GObject back when it goes out of scope.
struct ObjectDeleter {
  void operator()(gpointer object) const { g_object_unref(object); }
};
using LayoutPtr = std::unique_ptr<PangoLayout, ObjectDeleter>;

/// `request` laid out on one line, never empty-handed: bad UTF-8, bad markup, absurd sizes and
/// lengths are put right first. Positions are not rounded to pixels, so sizes scale linearly.
/// `context` keeps the fonts between calls.
LayoutPtr lay_out(PangoContext* context, const TextRequest& request);

using ContextPtr = std::unique_ptr<PangoContext, ObjectDeleter>;

/// A new context with the options the product draws with.
ContextPtr make_text_context();

/// The context of the calling thread for text on level pixels; never to be changed.
PangoContext* text_context();

}  // namespace lab
