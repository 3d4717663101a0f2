#include "app/figure/figure_writers.h"

#include <cmath>
#include <new>
#include <span>
#include <vector>

#include "app/embedded_session/embedded_session.h"
#include "app/figure/cairo/cairo_canvas.h"
#include "app/figure/cairo/png_encoder.h"

namespace lab::figure {
namespace {

constexpr double kLargestImageSide = 16384;
constexpr double kLargestImageArea = 200e6;

Expected<void> check_size(double width, double height) {
  if (width >= 1 && height >= 1 && width <= kLargestImageSide && height <= kLargestImageSide &&
      width * height <= kLargestImageArea)
    return {};
  return fail(ErrorType::kBadInput,
              "The image would have a size that cannot be written: it may have up to 16384 pixels "
              "on a side and 200 megapixels in all. Choose a smaller width or resolution.");
}

tl::unexpected<Error> no_memory() {
  return fail(ErrorType::kFailed, "There is not enough memory for this image.");
}

std::string encoded(cairo_surface_t* surface, bool alpha, const WriteOptions& options) {
  cairo_surface_flush(surface);
  PngForm form;
  form.width = cairo_image_surface_get_width(surface);
  form.height = cairo_image_surface_get_height(surface);
  form.alpha = alpha;
  form.dpi = options.dpi;
  if (!options.session.empty())
    form.keyword = embedded_session::kSessionMark, form.text = options.session;
  const std::ptrdiff_t stride = cairo_image_surface_get_stride(surface);
  const unsigned char* data = cairo_image_surface_get_data(surface);
  PngEncoder encoder(form);
  const int channels = alpha ? 4 : 3;
  std::vector<std::uint8_t> row(static_cast<std::size_t>(form.width) * channels);
  for (int y = 0; y < form.height; ++y) {
    unpack_row(data + y * stride, channels, row);
    encoder.add_row(row);
    attention::report_work(options.watch, 1);
  }
  return encoder.finish();
}

}  // namespace

Expected<std::string> write_png(const Figure& figure, const WriteOptions& options) {
  const double scale = options.dpi / kPointsPerInch;
  const double width = std::ceil(figure.width * scale), height = std::ceil(figure.height * scale);
  if (const auto fits = check_size(width, height); !fits) return tl::make_unexpected(fits.error());
  const auto format = figure.transparent ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24;
  const SurfacePtr surface(
      cairo_image_surface_create(format, static_cast<int>(width), static_cast<int>(height)));
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) return no_memory();
  // Painting all shapes takes about as long as encoding all rows.
  const auto rows = static_cast<attention::Index>(height);
  attention::expect_work(options.watch, 2 * rows);
  try {
    const auto medium = pixel_medium(scale);
    paint_figure(figure, surface.get(), *medium, options.watch, rows);
    return encoded(surface.get(), figure.transparent, options);
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

Expected<std::string> write_png(std::string_view rgb, int width, int height) {
  if (const auto fits = check_size(width, height); !fits) return tl::make_unexpected(fits.error());
  try {
    PngForm form;
    form.width = width, form.height = height;
    PngEncoder encoder(form);
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(rgb.data()), rgb.size());
    const std::size_t row = static_cast<std::size_t>(width) * 3;
    for (std::size_t at = 0; at < bytes.size(); at += row) encoder.add_row(bytes.subspan(at, row));
    return encoder.finish();
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

}  // namespace lab::figure
