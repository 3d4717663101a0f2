#include "app/chat/marked_text.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "app/base/letter_case.h"
#include "app/base/unicode_text.h"
#include "app/base/visible_text.h"

namespace lab::chat {
namespace {

// What Python's str.isspace is true of.
bool is_python_space(std::int32_t c) { return u_isUWhiteSpace(c) || (c >= 0x1C && c <= 0x1F); }

bool is_blank_at(std::string_view text, std::size_t at, std::size_t size,
                 const std::string_view* blanks) {
  if (blanks == nullptr) return is_python_space(code_point_at(text, at).value);
  const std::string_view character = text.substr(at, size);
  for (std::size_t i = 0; i < blanks->size();) {
    const std::size_t length = code_point_at(*blanks, i).size;
    if (blanks->substr(i, length) == character) return true;
    i += length;
  }
  return false;
}

std::string mapped(std::int32_t c, Case change) {
  std::string text;
  append_utf8(text, static_cast<char32_t>(c));
  if (change == Case::kLower) return lower_case(text);
  std::string upper = upper_case(text);
  if (change == Case::kUpper) return upper;
  const std::size_t first = code_point_at(upper, 0).size;
  if (first == upper.size()) return title_case(c);
  return upper.substr(0, first) + lower_case(upper.substr(first));  // of a sharp s "Ss"
}

bool is_cased(std::int32_t c) { return u_hasBinaryProperty(c, UCHAR_CASED) != 0; }

// A capital sigma that ends a word becomes another small letter than elsewhere.
bool is_final_sigma(std::string_view text, std::size_t at, bool after_letter) {
  constexpr std::int32_t kSigma = 0x3A3;
  const auto [c, size] = code_point_at(text, at);
  if (c != kSigma || !after_letter) return false;
  return at + size == text.size() || !is_cased(code_point_at(text, at + size).value);
}

}  // namespace

MarkedText MarkedText::part(std::size_t at, std::size_t count) const {
  MarkedText result;
  result.bytes_ = bytes_.substr(at, count);
  if (!marks_.empty()) result.marks_ = marks_.substr(at, count);
  if (std::ranges::all_of(result.marks_, [](Mark mark) { return mark == 0; }))
    result.marks_.clear();
  return result;
}

void MarkedText::append(const MarkedText& text) {
  if (!text.marks_.empty() || !marks_.empty()) {
    marks_.resize(bytes_.size(), 0);
    marks_ += text.marks_;
    marks_.resize(bytes_.size() + text.bytes_.size(), 0);
  }
  bytes_ += text.bytes_;
}

void MarkedText::append(std::string_view text, Mark mark) {
  if (text.empty()) return;
  if (mark != 0 || !marks_.empty()) {
    marks_.resize(bytes_.size(), 0);
    marks_.resize(bytes_.size() + text.size(), mark);
  }
  bytes_ += text;
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::vector<std::size_t> character_places(std::string_view text) {
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < text.size(); at += code_point_at(text, at).size)
    places.push_back(at);
  places.push_back(text.size());
  return places;
}

MarkedText stripped(const MarkedText& text, bool left, bool right, const std::string_view* blanks) {
  const std::string& bytes = text.bytes();
  std::size_t first = 0;
  std::size_t last = bytes.size();
  while (left && first < last) {
    const std::size_t size = code_point_at(bytes, first).size;
    if (!is_blank_at(bytes, first, size, blanks)) break;
    first += size;
  }
  while (right && first < last) {
    std::size_t at = last - 1;
    while (at > first && (static_cast<unsigned char>(bytes[at]) & 0xC0U) == 0x80U) --at;
    if (!is_blank_at(bytes, at, last - at, blanks)) break;
    last = at;
  }
  return text.part(first, last - first);
}

MarkedText in_case(const MarkedText& text, Case change) {
  MarkedText result;
  bool in_word = false;
  const std::string& bytes = text.bytes();
  for (std::size_t at = 0; at < bytes.size();) {
    const auto [value, size] = code_point_at(bytes, at);
    Case here = change;
    if (change == Case::kTitle && in_word) here = Case::kLower;
    if (change == Case::kCapitalised) here = at == 0 ? Case::kTitle : Case::kLower;
    const bool final_sigma = here == Case::kLower && is_final_sigma(bytes, at, in_word);
    result.append(final_sigma ? "\u03C2" : mapped(value, here), text.mark(at));
    in_word = is_cased(value);
    at += size;
  }
  return result;
}

}  // namespace lab::chat
