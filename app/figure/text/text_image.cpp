#include "app/figure/text/text_image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/figure/cairo/cairo_canvas.h"
#include "app/figure/text/text_layout.h"

namespace lab::figure {
namespace {

// In pixels; a rotated line is shorter, because its image is as high as it is wide.
constexpr double kLargestSize = 400;
constexpr int kWidest = 8192, kWidestTurned = 2048;
constexpr double kMostPixelsAcross = 8300;

LayoutPtr limited_layout(TextRequest request) {
  request.size = std::min(request.size, kLargestSize);
  return lay_out(text_context(), request, request.angle == 0 ? kWidest : kWidestTurned);
}

/// A rectangle relative to the start of the baseline, y downwards.
struct TextBounds {
  double left = 0, top = 0, right = 0, bottom = 0;
};

/// The extent of the ink and of the line, relative to the start of the baseline.
TextBounds bounds_of(PangoLayout* layout) {
  PangoRectangle ink, logical;
  pango_layout_get_extents(layout, &ink, &logical);
  const double baseline = pango_layout_get_baseline(layout);
  const double unit = 1.0 / PANGO_SCALE;
  return {std::min(ink.x, logical.x) * unit, (std::min(ink.y, logical.y) - baseline) * unit,
          std::max(ink.x + ink.width, logical.x + logical.width) * unit,
          (std::max(ink.y + ink.height, logical.y + logical.height) - baseline) * unit};
}

/// The bounding box of `box` rotated by `radians` anti-clockwise.
TextBounds turned(const TextBounds& box, double radians) {
  const double c = std::cos(radians), s = std::sin(radians);
  TextBounds result{1e9, 1e9, -1e9, -1e9};
  for (const double x : {box.left, box.right})
    for (const double y : {box.top, box.bottom}) {
      const double px = c * x + s * y, py = c * y - s * x;
      result = {std::min(result.left, px), std::min(result.top, py), std::max(result.right, px),
                std::max(result.bottom, py)};
    }
  return result;
}

/// Draws the line in `ink` with the start of its baseline at the origin of `image`.
void paint(const SurfacePtr& surface, PangoLayout* layout, const TextImage& image, double radians,
           Rgb ink) {
  const CairoPtr cairo(cairo_create(surface.get()));
  cairo_set_source_rgb(cairo.get(), ink.r / 255.0, ink.g / 255.0, ink.b / 255.0);
  cairo_translate(cairo.get(), image.origin_x, image.origin_y);
  cairo_rotate(cairo.get(), -radians);
  const double baseline = static_cast<double>(pango_layout_get_baseline(layout)) / PANGO_SCALE;
  cairo_move_to(cairo.get(), 0, -baseline);
  pango_cairo_show_layout(cairo.get(), layout);
  cairo_surface_flush(surface.get());
}

struct Pixel {
  int r, g, b, a;  // premultiplied
};

Pixel pixel_at(const unsigned char* row, int x) {
  std::uint32_t argb;
  std::copy_n(row + 4 * x, 4, reinterpret_cast<unsigned char*>(&argb));
  return {static_cast<int>(argb >> 16 & 0xff), static_cast<int>(argb >> 8 & 0xff),
          static_cast<int>(argb & 0xff), static_cast<int>(argb >> 24)};
}

/// White ink gives pixels whose channels equal their alpha; any other pixel is coloured.
bool has_colour(const Pixel& p) {
  constexpr int kRounding = 8;
  return std::min({p.r, p.g, p.b}) < p.a - kRounding;
}

std::uint8_t straight(int channel, int alpha) {
  return static_cast<std::uint8_t>(std::min(255, (channel * 255 + alpha / 2) / alpha));
}

void store(TextImage& image, std::size_t at, const Pixel& p) {
  const bool colour = has_colour(p);
  image.coloured |= colour;
  const auto alpha = static_cast<std::uint8_t>(p.a);
  if (colour)
    std::ranges::copy(std::array{straight(p.r, p.a), straight(p.g, p.a), straight(p.b, p.a), alpha},
                      image.rgba.begin() + static_cast<std::ptrdiff_t>(at));
  else
    image.rgba[at + 3] = alpha;
}

void take_pixels(TextImage& image, cairo_surface_t* surface) {
  const unsigned char* data = cairo_image_surface_get_data(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  image.rgba.assign(static_cast<std::size_t>(image.width) * image.height * 4, 255);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      store(image, (static_cast<std::size_t>(y) * image.width + x) * 4,
            pixel_at(data + static_cast<std::ptrdiff_t>(y) * stride, x));
}

int side(double low, double high) {
  return static_cast<int>(std::clamp(std::ceil(high) - std::floor(low), 0.0, kMostPixelsAcross)) +
         2;
}

void measure(TextImage& image, PangoLayout* layout, const TextBounds& around) {
  PangoRectangle logical;
  pango_layout_get_extents(layout, nullptr, &logical);
  const double baseline = pango_layout_get_baseline(layout);
  image.width = side(around.left, around.right);
  image.height = side(around.top, around.bottom);
  image.origin_x = 1 - std::floor(around.left);
  image.origin_y = 1 - std::floor(around.top);
  image.advance = logical.width * (1.0 / PANGO_SCALE);
  image.ascent = baseline / PANGO_SCALE;
  image.descent = (logical.height - baseline) / PANGO_SCALE;
}

}  // namespace

TextImage draw_text(const TextRequest& request) {
  const LayoutPtr layout = limited_layout(request);
  const double degrees = std::isfinite(request.angle) ? std::fmod(request.angle, 360) : 0;
  const double radians = degrees * std::numbers::pi / 180;
  TextImage image;
  measure(image, layout.get(), turned(bounds_of(layout.get()), radians));
  const SurfacePtr surface(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, image.width, image.height));
  paint(surface, layout.get(), image, radians, request.ink);
  take_pixels(image, surface.get());
  return image;
}

double text_width(const TextRequest& request) {
  const LayoutPtr layout = limited_layout(request);
  PangoRectangle logical;
  pango_layout_get_extents(layout.get(), nullptr, &logical);
  return static_cast<double>(logical.width) / PANGO_SCALE;
}

}  // namespace lab::figure
