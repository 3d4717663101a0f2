#pragma once

#include <cairo.h>

#include "app/figure/cairo/cairo_medium.h"
#include "app/figure/figure.h"
#include "core/numerics/work_watch.h"

namespace lab::figure {

/// Paints the page and everything on it on `surface`, which is of that medium. `watch`, which may
/// be null, is told of `work` in all, a share with each shape; throws as it does.
void paint_figure(const Figure& figure, cairo_surface_t* surface, Medium& medium,
                  attention::WorkWatch* watch = nullptr, attention::Index work = 0);

}  // namespace lab::figure
