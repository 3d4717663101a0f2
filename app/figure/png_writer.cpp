#include "app/figure/png_writer.h"

#include <cmath>
#include <cstring>
#include <new>
#include <span>
#include <vector>

#include "app/figure/cairo_canvas.h"
#include "app/figure/cairo_pointers.h"
#include "app/figure/png_encoder.h"

namespace lab {
namespace {

constexpr double kPointsPerInch = 72;
constexpr double kLargestSide = 16384;
constexpr double kLargestArea = 200e6;

Expected<void> check_size(double width, double height) {
  if (width >= 1 && height >= 1 && width <= kLargestSide && height <= kLargestSide &&
      width * height <= kLargestArea)
    return {};
  return fail(
      ErrorKind::kBadInput,
      "The picture would have a size that cannot be written: it may have up to 16384 pixels "
      "on a side and 200 megapixels in all. Choose a smaller width or resolution.");
}

tl::unexpected<Error> no_memory() {
  return fail(ErrorKind::kFailed, "There is not enough memory for this picture.");
}

/// A row of Cairo's RGB24, 0x00RRGGBB in each number of 32 bits, as bytes.
void unpack_row(const unsigned char* pixels, std::vector<std::uint8_t>& rgb) {
  for (std::size_t x = 0; x < rgb.size() / 3; ++x) {
    std::uint32_t pixel = 0;
    std::memcpy(&pixel, pixels + x * 4, 4);
    for (std::size_t c = 0; c < 3; ++c)
      rgb[x * 3 + c] = static_cast<std::uint8_t>(pixel >> (16 - 8 * c) & 0xff);
  }
}

std::string encoded(cairo_surface_t* surface, double dpi, attention::WorkWatch* watch) {
  cairo_surface_flush(surface);
  const int width = cairo_image_surface_get_width(surface);
  const int height = cairo_image_surface_get_height(surface);
  const std::ptrdiff_t stride = cairo_image_surface_get_stride(surface);
  const unsigned char* data = cairo_image_surface_get_data(surface);
  PngEncoder encoder(width, height, dpi);
  std::vector<std::uint8_t> rgb(static_cast<std::size_t>(width) * 3);
  for (int y = 0; y < height; ++y) {
    unpack_row(data + y * stride, rgb);
    encoder.add_row(rgb);
    attention::report_work(watch, 1);
  }
  return encoder.finish();
}

}  // namespace

Expected<std::string> write_png(const Figure& figure, double dpi, attention::WorkWatch* watch) {
  const double scale = dpi / kPointsPerInch;
  const double width = std::ceil(figure.width * scale), height = std::ceil(figure.height * scale);
  if (const auto fits = check_size(width, height); !fits) return tl::make_unexpected(fits.error());
  const SurfacePtr surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width),
                                                      static_cast<int>(height)));
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) return no_memory();
  // Painting all shapes takes about as long as encoding all rows.
  const auto rows = static_cast<attention::Index>(height);
  attention::expect_work(watch, 2 * rows);
  try {
    paint_figure(figure, surface.get(), scale, watch, rows);
    return encoded(surface.get(), dpi, watch);
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

Expected<std::string> write_png(std::string_view rgb, int width, int height) {
  if (const auto fits = check_size(width, height); !fits) return tl::make_unexpected(fits.error());
  try {
    PngEncoder encoder(width, height, {});
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(rgb.data()), rgb.size());
    const std::size_t row = static_cast<std::size_t>(width) * 3;
    for (std::size_t at = 0; at < bytes.size(); at += row) encoder.add_row(bytes.subspan(at, row));
    return encoder.finish();
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

}  // namespace lab
