#pragma once

#include <cairo.h>

#include "app/figure/cairo/cairo_medium.h"
#include "app/figure/figure.h"
#include "core/numerics/work_watch.h"

namespace lab::figure {

/// Paints the page and everything on it on `surface`, which is of that medium. Reports `work` in
/// total to `watch`, which may be null, a share per shape; throws as `watch` does.
void paint_figure(const Figure& figure, cairo_surface_t* surface, Medium& medium,
                  attention::WorkWatch* watch = nullptr, attention::Index work = 0);

}  // namespace lab::figure
