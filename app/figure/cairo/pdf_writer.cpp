#include "app/figure/figure_writers.h"

#include <cairo-pdf.h>

#include <new>

#include "app/figure/cairo/cairo_canvas.h"
#include "app/figure/cairo/pdf_finish.h"

namespace lab::figure {
namespace {

constexpr double kLargestPageSide = 14400;  // points: the limit of PDF viewers

Expected<void> check_size(const Figure& figure) {
  const auto fits = [](double side) { return side >= 1 && side <= kLargestPageSide; };
  if (fits(figure.width) && fits(figure.height)) return {};
  return fail(ErrorType::kBadInput,
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

// Collecting the shapes of a page takes about as long as writing them.
attention::Index page_work(const Figure& page) { return std::ssize(page.shapes) + 1; }

/// The pages as Cairo writes them. Throws std::bad_alloc.
std::string drawn(std::span<const Figure> pages, attention::WorkWatch* watch) {
  std::string bytes;
  const SurfacePtr surface(cairo_pdf_surface_create_for_stream(append, &bytes, pages.front().width,
                                                               pages.front().height));
  const auto medium = vector_medium();
  for (const Figure& page : pages) {
    cairo_pdf_surface_set_size(surface.get(), page.width, page.height);
    paint_figure(page, surface.get(), *medium, watch, page_work(page));
    cairo_surface_show_page(surface.get());
  }
  cairo_surface_finish(surface.get());
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) throw std::bad_alloc();
  return bytes;
}

}  // namespace

Expected<std::string> write_pdf(const Figure& figure, const WriteOptions& options) {
  return write_pdf_pages({&figure, 1}, options);
}

Expected<std::string> write_pdf_pages(std::span<const Figure> pages, const WriteOptions& options) {
  attention::Index work = 0;
  for (const Figure& page : pages) {
    if (const auto fits = check_size(page); !fits) return tl::make_unexpected(fits.error());
    work += page_work(page);
  }
  attention::expect_work(options.watch, 2 * work);
  try {
    std::string pdf =
        finished_pdf(drawn(pages, options.watch), {pages.front().title, options.session});
    attention::report_work(options.watch, work);
    return pdf;
  } catch (const std::bad_alloc&) {
    return fail(ErrorType::kFailed, "There is not enough memory for this figure.");
  }
}

}  // namespace lab::figure
