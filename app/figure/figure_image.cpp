#include "app/figure/figure_image.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "app/figure/cairo/cairo_canvas.h"
#include "app/figure/figure.h"

namespace lab::figure {

FigureImage figure_pixels(const Figure& figure, double scale) {
  FigureImage image;
  image.width = std::max(1, static_cast<int>(std::ceil(figure.width * scale)));
  image.height = std::max(1, static_cast<int>(std::ceil(figure.height * scale)));
  const SurfacePtr surface(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, image.width, image.height));
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) return {};
  paint_figure(figure, surface.get(), *pixel_medium(scale));
  cairo_surface_flush(surface.get());
  const auto row = static_cast<std::size_t>(image.width) * 4;
  image.rgba.resize(row * static_cast<std::size_t>(image.height));
  const std::ptrdiff_t stride = cairo_image_surface_get_stride(surface.get());
  for (int y = 0; y < image.height; ++y)
    unpack_row(cairo_image_surface_get_data(surface.get()) + y * stride, 4,
               std::span(image.rgba).subspan(static_cast<std::size_t>(y) * row, row));
  return image;
}

FigureImage figure_image(const Figure& figure, double scale) {
  constexpr double kLongest = 4096;
  return figure_pixels(figure,
                       std::min({scale, kLongest / figure.width, kLongest / figure.height}));
}

}  // namespace lab::figure
