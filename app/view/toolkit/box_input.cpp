#include "app/view/toolkit/box_input.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "app/base/strings.h"

namespace lab::view {
namespace {

// "\r\n" comes first: it is one line break.
constexpr std::array<std::string_view, 8> kBreaks{"\r\n", "\n", "\r",           "\t",
                                                  "\v",   "\f", "\xE2\x80\xA8", "\xE2\x80\xA9"};

std::string one_line(std::string text) {
  for (const std::string_view mark : kBreaks) replace_all(text, mark, " ");
  return text;
}

// Dear ImGui's fields leave tabs out.
std::string several_lines(std::string text) {
  for (const std::string_view mark : kBreaks)
    if (mark != "\n") replace_all(text, mark, mark == "\t" ? "    " : "\n");
  return text;
}

constexpr bool is_high(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }
constexpr bool is_low(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

void append_utf8(std::string& text, char32_t c) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xC0 | (c >> 6)), tail(0);
  } else if (c < 0x10000) {
    text += static_cast<char>(0xE0 | (c >> 12)), tail(6), tail(0);
  } else {
    text += static_cast<char>(0xF0 | (c >> 18)), tail(12), tail(6), tail(0);
  }
}

std::string utf8_of(const ImVector<ImWchar>& units) {
  std::string text;
  for (int i = 0; i < units.Size; ++i) {
    const unsigned unit = units[i];
    if (is_high(unit) && i + 1 < units.Size && is_low(units[i + 1])) {
      append_utf8(text, 0x10000 + ((unit - 0xD800) << 10) + (units[++i] - 0xDC00U));
    } else if (unit >= ' ' && unit != 0x7F && !is_high(unit) && !is_low(unit)) {
      append_utf8(text, unit);
    }
  }
  return text;
}

}  // namespace

BoxClipboard::BoxClipboard(BoxText& box, bool lines)
    : desktop_(compat::clipboard()), box_(box), lines_(lines) {
  compat::set_clipboard(get, set, this);
}

BoxClipboard::~BoxClipboard() { compat::set_clipboard(desktop_.get, desktop_.set, desktop_.user); }

const char* BoxClipboard::get(void* self) {
  auto& clipboard = *static_cast<BoxClipboard*>(self);
  const char* text = clipboard.desktop_.get(clipboard.desktop_.user);
  if (text == nullptr) return nullptr;
  clipboard.given_ = clipboard.box_.encode(clipboard.lines_ ? several_lines(text) : one_line(text));
  return clipboard.given_.c_str();
}

void BoxClipboard::set(void* self, const char* text) {
  const auto& clipboard = *static_cast<const BoxClipboard*>(self);
  clipboard.desktop_.set(clipboard.desktop_.user, clipboard.box_.decode(text).c_str());
}

std::string take_long_text(bool requested) {
  ImVector<ImWchar>& queue = ImGui::GetIO().InputQueueCharacters;
  const auto half = [](ImWchar unit) { return is_high(unit) || is_low(unit); };
  if (std::none_of(queue.begin(), queue.end(), half)) return {};
  std::string text = requested ? utf8_of(queue) : std::string();
  ImVector<ImWchar> left;
  for (const ImWchar unit : queue) {
    if (!requested && !half(unit)) left.push_back(unit);
  }
  queue.swap(left);
  return text;
}

}  // namespace lab::view
