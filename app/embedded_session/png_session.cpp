#include "app/embedded_session/session_formats.h"

#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <span>

#include "app/embedded_session/embedded_session.h"

namespace lab::embedded_session {
namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
constexpr png_alloc_size_t kLargestChunk = 64'000'000;  // bytes, inflated

// On an error libpng jumps back to setjmp; its own handlers would print it on standard error.
[[noreturn]] void give_up(png_structp png, png_const_charp) { png_longjmp(png, 1); }
void ignore(png_structp, png_const_charp) {}

void read(png_structp png, png_bytep data, png_size_t size) {
  auto& rest = *static_cast<std::string_view*>(png_get_io_ptr(png));
  if (rest.size() < size) png_error(png, "the end is missing");
  std::memcpy(data, rest.data(), size);
  rest.remove_prefix(size);
}

/// The beginning of `png` that consists only of complete chunks: libpng allocates memory for the
/// length that a chunk claims before it reads it.
std::string_view whole_chunks(std::string_view png) {
  constexpr std::size_t kAround = 12;  // length, type and checksum
  std::size_t end = kSignature.size();
  while (png.size() - end >= kAround) {
    const auto* chunk = reinterpret_cast<const png_byte*>(png.data() + end);
    const std::size_t length = png_get_uint_32(chunk);
    if (length > png.size() - end - kAround) break;
    end += length + kAround;
  }
  return png.substr(0, end);
}

/// What a PNG contains besides its pixels.
struct Reader {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, give_up, ignore);
  png_infop info = png ? png_create_info_struct(png) : nullptr;

  Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
};

/// Reads everything except the pixels, as far as it is intact. Owns nothing that a jump would leak.
void read_texts(png_structp png, png_infop info, std::string_view& bytes) {
  // NOLINTNEXTLINE(cert-err52-cpp): this is how libpng reports an error.
  if (setjmp(png_jmpbuf(png)) != 0) return;
  png_set_read_fn(png, &bytes, read);
  png_set_chunk_malloc_max(png, kLargestChunk);
  png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
  png_read_info(png, info);
  png_read_end(png, info);  // another program may have put the text after the pixels
}

}  // namespace

bool is_png(std::string_view bytes) { return bytes.starts_with(kSignature); }

std::optional<std::string> session_in_png(std::string_view png) {
  const Reader reader;
  if (reader.info == nullptr || !is_png(png) || png.find(kSessionMark) == png.npos)
    return std::nullopt;
  png = whole_chunks(png);
  read_texts(reader.png, reader.info, png);
  png_textp texts = nullptr;
  int count = 0;
  png_get_text(reader.png, reader.info, &texts, &count);
  const std::span all(texts, static_cast<std::size_t>(count));
  const auto found =
      std::ranges::find_if(all, [](const png_text& text) { return text.key == kSessionMark; });
  if (found == all.end()) return std::nullopt;
  return std::string(found->text, std::max(found->text_length, found->itxt_length));
}

}  // namespace lab::embedded_session
