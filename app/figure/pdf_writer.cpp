#include "app/figure/pdf_writer.h"

#include <cairo-pdf.h>

#include <new>

#include "app/figure/cairo_canvas.h"
#include "app/figure/cairo_pointers.h"
#include "app/figure/pdf_finish.h"

namespace lab {
namespace {

constexpr double kLargestSide = 14400;  // points: what readers of PDF show

Expected<void> check_size(const Figure& figure) {
  const auto fits = [](double side) { return side >= 1 && side <= kLargestSide; };
  if (fits(figure.width) && fits(figure.height)) return {};
  return fail(ErrorKind::kBadInput,
              "The page would have a size that cannot be written: it may be up to 5080 mm wide and "
              "high. Choose a smaller width.");
}

// Cairo is C: an exception must not pass through it.
cairo_status_t append(void* to, const unsigned char* data, unsigned int size) {
  try {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), size);
    return CAIRO_STATUS_SUCCESS;
  } catch (const std::bad_alloc&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
}

/// The figure as Cairo writes it. Throws std::bad_alloc.
std::string drawn(const Figure& figure, attention::WorkWatch* watch, attention::Index work) {
  std::string bytes;
  const SurfacePtr surface(
      cairo_pdf_surface_create_for_stream(append, &bytes, figure.width, figure.height));
  const auto medium = vector_medium();
  paint_figure(figure, surface.get(), *medium, watch, work);
  cairo_surface_finish(surface.get());
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) throw std::bad_alloc();
  return bytes;
}

}  // namespace

Expected<std::string> write_pdf(const Figure& figure, const WriteOptions& options) {
  if (const auto fits = check_size(figure); !fits) return tl::make_unexpected(fits.error());
  // Collecting the shapes takes about as long as writing them.
  const attention::Index shapes = std::ssize(figure.shapes) + 1;
  attention::expect_work(options.watch, 2 * shapes);
  try {
    const std::string pages = drawn(figure, options.watch, shapes);
    std::string pdf = finished_pdf(pages, {figure.title, options.session});
    attention::report_work(options.watch, shapes);
    return pdf;
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::kFailed, "There is not enough memory for this figure.");
  }
}

}  // namespace lab
