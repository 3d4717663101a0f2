#include "app/base/unicode_text.h"

#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>

#include "app/base/bad_input.h"
#include "app/base/number_reading.h"
#include "app/base/visible_text.h"

namespace lab {
namespace {

constexpr std::string_view kLittleEndianMark = "\xFF\xFE", kBigEndianMark = "\xFE\xFF";
constexpr char32_t kFirstHigh = 0xD800, kFirstLow = 0xDC00, kAfterLow = 0xE000;

// Converts UTF-16 after its byte order mark; positions count from the beginning of the file.
class Utf16Reader {
 public:
  Utf16Reader(std::string_view bytes, bool big_endian) : bytes_(bytes), big_(big_endian) {}

  std::string text() {
    if (bytes_.size() % 2 != 0) throw BadInput("text in UTF-16 whose last character is cut off");
    std::string text;
    while (at_ < bytes_.size()) append_utf8(text, character());
    return text;
  }

 private:
  char32_t unit() {
    const auto first = static_cast<unsigned char>(bytes_[at_]);
    const auto second = static_cast<unsigned char>(bytes_[at_ + 1]);
    at_ += 2;
    return big_ ? static_cast<char32_t>(first << 8 | second)
                : static_cast<char32_t>(second << 8 | first);
  }
  char32_t character() {
    const std::size_t begin = at_;
    const char32_t high = unit();
    if (high < kFirstHigh || high >= kAfterLow) return high;
    const char32_t low = high < kFirstLow && at_ < bytes_.size() ? unit() : 0;
    if (low < kFirstLow || low >= kAfterLow)
      throw BadInput("byte " + std::to_string(begin + 1) +
                     " is half of a character in UTF-16; save the text in UTF-8");
    return 0x10000 + ((high - kFirstHigh) << 10) + (low - kFirstLow);
  }

  std::string_view bytes_;
  bool big_;
  std::size_t at_ = 2;
};

void check_utf8(std::string_view text) {
  int line = 1;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    if (!point.valid())
      throw BadInput("line " + std::to_string(line) + ", byte " + std::to_string(at - begin + 1) +
                     " is not UTF-8; save the text in UTF-8");
    at += point.size;
    if (point.value == '\n') ++line, begin = at;
  }
}

std::string with_line_feeds(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      result += text[i];
    } else if (!text.substr(i + 1).starts_with('\n')) {
      result += '\n';
    }
  }
  return result;
}

std::string decoded(std::string_view bytes) {
  const bool big = bytes.starts_with(kBigEndianMark);
  if (big || bytes.starts_with(kLittleEndianMark))
    return with_line_feeds(Utf16Reader(bytes, big).text());
  std::string text = with_line_feeds(without_byte_order_mark(bytes));
  check_utf8(text);
  return text;
}

}  // namespace

CodePoint code_point_at(std::string_view text, std::size_t at) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data()) + at;
  // No character is longer than 4 bytes, and ICU counts in 32 bits.
  const auto length = static_cast<std::int32_t>(std::min<std::size_t>(text.size() - at, 4));
  std::int32_t next = 0;
  UChar32 value = 0;
  U8_NEXT(bytes, next, length, value);
  if (value < 0) return {value, 1};
  return {value, static_cast<std::size_t>(next)};
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    if (!point.valid()) return false;
    at += point.size;
  }
  return true;
}

Expected<std::string> decoded_text(std::string_view bytes) {
  return guarded([&] { return decoded(bytes); });
}

}  // namespace lab
