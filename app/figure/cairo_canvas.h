#pragma once

#include <cairo.h>

#include "app/figure/figure.h"

namespace lab {

/// Paints the page and everything on it on `surface`, `scale` pixels a point. Cells, bars and
/// frames fall on whole pixels.
void paint_figure(const Figure& figure, cairo_surface_t* surface, double scale);

}  // namespace lab
