#pragma once

#include <cairo.h>

#include "app/figure/figure.h"
#include "core/work_watch.h"

namespace lab {

/// Paints the page and everything on it on `surface`, `scale` pixels a point. Cells, bars and
/// frames fall on whole pixels. `watch`, which may be null, is told of `work` in all, a share with
/// each shape; throws as it does.
void paint_figure(const Figure& figure, cairo_surface_t* surface, double scale,
                  attention::WorkWatch* watch = nullptr, attention::Index work = 0);

}  // namespace lab
