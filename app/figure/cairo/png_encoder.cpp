#include "app/figure/cairo/png_encoder.h"

#include <png.h>

#include <cmath>
#include <csetjmp>
#include <new>
#include <utility>

namespace lab::figure {
namespace {

constexpr double kMetresPerInch = 0.0254;
constexpr int kLevel = 3;  // of 9: a tenth larger than by the default 6, and a third faster

// libpng is C: an exception must not pass through it.
void append(png_structp png, png_bytep data, png_size_t size) {
  try {
    static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<char*>(data), size);
  } catch (const std::bad_alloc&) {
    png_error(png, "out of memory");
  }
}

void flush(png_structp) {}

void warn(png_structp, png_const_charp) {}

}  // namespace

struct PngEncoder::State {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, warn);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  std::string bytes;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { png_destroy_write_struct(&png, &info); }
};

namespace {

// Calls libpng, which jumps back on an error: when encoding in memory the only error is running out
// of it. `call` must own nothing.
template <typename Call>
void guarded(png_structp png, Call call) {
  // NOLINTNEXTLINE(cert-err52-cpp): this is how libpng reports an error.
  if (setjmp(png_jmpbuf(png)) != 0) throw std::bad_alloc();
  call();
}

void set_density(png_struct* png, png_info* info, double dpi) {
  const double density = dpi / kMetresPerInch;
  if (!(density > 0)) return;
  const auto pixels = static_cast<png_uint_32>(std::lround(density));
  png_set_pHYs(png, info, pixels, pixels, PNG_RESOLUTION_METER);
}

void set_text(png_struct* png, png_info* info, char* keyword, std::string& text) {
  png_text chunk{};
  chunk.compression = PNG_ITXT_COMPRESSION_zTXt;
  chunk.key = keyword;
  chunk.text = text.data();
  chunk.itxt_length = text.size();
  png_set_text(png, info, &chunk, 1);
}

}  // namespace

PngEncoder::PngEncoder(const PngForm& form) : state_(std::make_unique<State>()) {
  if (state_->info == nullptr) throw std::bad_alloc();
  png_struct* png = state_->png;
  png_info* info = state_->info;
  std::string keyword = form.keyword, text = form.text;  // libpng requires mutable texts
  guarded(png, [&] {
    png_set_write_fn(png, &state_->bytes, append, flush);
    png_set_IHDR(png, info, static_cast<png_uint_32>(form.width),
                 static_cast<png_uint_32>(form.height), 8,
                 form.alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    set_density(png, info, form.dpi.value_or(0));
    png_set_compression_level(png, kLevel);
    if (!keyword.empty()) set_text(png, info, keyword.data(), text);
    png_set_filter(png, PNG_FILTER_TYPE_DEFAULT, PNG_FILTER_NONE);  // flat areas and letters
    png_write_info(png, info);
  });
}

PngEncoder::~PngEncoder() = default;

void PngEncoder::add_row(std::span<const std::uint8_t> row) {
  guarded(state_->png, [&] { png_write_row(state_->png, row.data()); });
}

std::string PngEncoder::finish() {
  guarded(state_->png, [&] { png_write_end(state_->png, state_->info); });
  return std::move(state_->bytes);
}

}  // namespace lab::figure
