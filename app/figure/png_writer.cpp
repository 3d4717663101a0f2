#include "app/figure/png_writer.h"

#include <zlib.h>

#include <cmath>
#include <cstring>

#include "app/figure/cairo_canvas.h"
#include "app/figure/cairo_pointers.h"

namespace lab {
namespace {

constexpr double kPointsPerInch = 72;
constexpr double kMetresPerInch = 0.0254;
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

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

Expected<std::string> encoded(cairo_surface_t* surface) {
  std::string bytes;
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface, append, &bytes);
  if (status == CAIRO_STATUS_SUCCESS) return bytes;
  return fail(ErrorKind::kFailed, std::string("The picture could not be made: ") +
                                      cairo_status_to_string(status) + ".");
}

void append_big_endian(std::string& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<char>(value >> shift & 0xff));
}

/// The pHYs chunk (PNG specification 11.3.5.3): pixels a metre in both directions.
std::string resolution_chunk(double dpi) {
  const auto pixels_per_metre = static_cast<std::uint32_t>(std::lround(dpi / kMetresPerInch));
  std::string body = "pHYs";
  append_big_endian(body, pixels_per_metre);
  append_big_endian(body, pixels_per_metre);
  body.push_back(1);  // the unit is the metre
  std::string chunk;
  append_big_endian(chunk, static_cast<std::uint32_t>(body.size() - 4));
  const auto* data = reinterpret_cast<const Bytef*>(body.data());
  const auto crc = static_cast<std::uint32_t>(crc32(0, data, static_cast<uInt>(body.size())));
  chunk += body;
  append_big_endian(chunk, crc);
  return chunk;
}

/// Cairo records no resolution; the chunk belongs before the image data: right after the header.
std::string with_resolution(std::string png, double dpi) {
  constexpr std::size_t kSignatureAndHeader = 8 + 25;
  return png.insert(kSignatureAndHeader, resolution_chunk(dpi));
}

}  // namespace

Expected<std::string> write_png(const Figure& figure, double dpi) {
  const double scale = dpi / kPointsPerInch;
  const double width = std::ceil(figure.width * scale), height = std::ceil(figure.height * scale);
  if (const auto fits = check_size(width, height); !fits) return tl::make_unexpected(fits.error());
  const SurfacePtr surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width),
                                                      static_cast<int>(height)));
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) return encoded(surface.get());
  paint_figure(figure, surface.get(), scale);
  return encoded(surface.get()).map([&](std::string png) {
    return with_resolution(std::move(png), dpi);
  });
}

Expected<std::string> write_png(std::string_view rgb, int width, int height) {
  if (const auto fits = check_size(width, height); !fits) return tl::make_unexpected(fits.error());
  const SurfacePtr surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) return encoded(surface.get());
  unsigned char* data = cairo_image_surface_get_data(surface.get());
  const std::ptrdiff_t stride = cairo_image_surface_get_stride(surface.get());
  for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(width) * height; ++i) {
    const auto channel = [&](int c) {
      return static_cast<std::uint32_t>(static_cast<unsigned char>(rgb[i * 3 + c]));
    };
    const std::uint32_t pixel = channel(0) << 16 | channel(1) << 8 | channel(2);
    std::memcpy(data + i / width * stride + i % width * 4, &pixel, 4);
  }
  cairo_surface_mark_dirty(surface.get());
  return encoded(surface.get());
}

}  // namespace lab
