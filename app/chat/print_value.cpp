#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "app/base/unicode_text.h"
#include "app/chat/value.h"

// Values as Python prints them.

namespace lab::chat {
namespace {

// The digits of a finite number above 0 and where its point is: 0.00123 gives "123" and -2.
struct Digits {
  std::string digits;
  int point = 0;
};

Digits digits_of(double value) {
  std::array<char, 40> written{};
  const auto end = std::to_chars(written.data(), written.data() + written.size(), value,
                                 std::chars_format::scientific);
  const std::string text(written.data(), end.ptr);
  const std::size_t exponent = text.find('e');
  Digits result;
  for (const char c : text.substr(0, exponent))
    if (c != '.') result.digits += c;
  result.point = std::stoi(text.substr(exponent + 1)) + 1;
  return result;
}

std::string python_float(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const std::string sign = std::signbit(value) ? "-" : "";
  if (value == 0) return sign + "0.0";
  const auto [digits, point] = digits_of(std::abs(value));
  const int count = static_cast<int>(digits.size());
  if (point > 16 || point < -3) {
    const std::string exponent = std::to_string(std::abs(point - 1));
    return sign + digits.substr(0, 1) + (count > 1 ? "." + digits.substr(1) : "") +
           (point > 0 ? "e+" : "e-") + (exponent.size() < 2 ? "0" : "") + exponent;
  }
  if (point <= 0) return sign + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  if (point >= count)
    return sign + digits + std::string(static_cast<std::size_t>(point - count), '0') + ".0";
  const auto places = static_cast<std::size_t>(point);
  return sign + digits.substr(0, places) + "." + digits.substr(places);
}

bool is_python_printable(std::int32_t c) {
  if (c == ' ') return true;
  switch (u_charType(c)) {
    case U_CONTROL_CHAR:
    case U_FORMAT_CHAR:
    case U_SURROGATE:
    case U_PRIVATE_USE_CHAR:
    case U_UNASSIGNED:
    case U_LINE_SEPARATOR:
    case U_PARAGRAPH_SEPARATOR:
    case U_SPACE_SEPARATOR:
      return false;
    default:
      return true;
  }
}

std::string hexadecimal(const char* format, std::int32_t value) {
  std::array<char, 16> text{};
  const int size = std::snprintf(text.data(), text.size(), format, static_cast<unsigned>(value));
  return {text.data(), static_cast<std::size_t>(size)};
}

MarkedText quoted(const MarkedText& text) {
  const std::string& bytes = text.bytes();
  const bool doubles = bytes.find('\'') != bytes.npos && bytes.find('"') == bytes.npos;
  const char quote = doubles ? '"' : '\'';
  MarkedText result(std::string(1, quote));
  for (std::size_t at = 0; at < bytes.size();) {
    const auto [c, size] = code_point_at(bytes, at);
    std::string written = bytes.substr(at, size);
    if (c == quote || c == '\\')
      written.insert(0, "\\");
    else if (c == '\n' || c == '\r' || c == '\t')
      written = c == '\n' ? "\\n" : (c == '\r' ? "\\r" : "\\t");
    else if (!is_python_printable(c))
      written = hexadecimal(c < 0x100 ? "\\x%02x" : (c < 0x10000 ? "\\u%04x" : "\\U%08x"), c);
    result.append(written, text.mark(at));
    at += size;
  }
  result.append(std::string(1, quote));
  return result;
}

// A character of a text within JSON.
std::string json_character(std::int32_t c, std::string bytes, bool ascii) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    case '\b':
      return "\\b";
    case '\f':
      return "\\f";
    default:
      if (c < 0x20 || (ascii && c > 0x7E && c < 0x10000)) return hexadecimal("\\u%04x", c);
      if (ascii && c >= 0x10000)
        return hexadecimal("\\u%04x", 0xD800 + ((c - 0x10000) >> 10)) +
               hexadecimal("\\u%04x", 0xDC00 + ((c - 0x10000) & 0x3FF));
      return bytes;
  }
}

class Printer {
 public:
  explicit Printer(Meter& meter) : meter_(meter) {}

  void print(const Value& value) {
    meter_.spend(kCostOfStep);
    if (const MarkedText* text = text_of(value)) {
      meter_.spend(4 * text->size());
      out_.append(quoted(*text));
    } else if (const List* list = list_of(value)) {
      print_list(*list);
    } else if (const Dict* dict = dict_of(value)) {
      print_members(dict->members);
    } else {
      print_simple(value);
    }
  }

  MarkedText take() { return std::move(out_); }

 private:
  void print_list(const List& list) {
    if (list.type != ListType::kList && list.type != ListType::kTuple)
      throw BadInput(
          "what a filter, a range or the items of a dict go through is printed; make it "
          "a list first");
    const bool tuple = list.type == ListType::kTuple;
    out_.append(tuple ? "(" : "[");
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      if (i > 0) out_.append(", ");
      print(list.items[i]);
    }
    if (tuple && list.items.size() == 1) out_.append(",");
    out_.append(tuple ? ")" : "]");
  }

  void print_members(const std::vector<std::pair<Value, Value>>& members) {
    out_.append("{");
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i > 0) out_.append(", ");
      print(members[i].first);
      out_.append(": ");
      print(members[i].second);
    }
    out_.append("}");
  }

  void print_simple(const Value& value) {
    if (value.is<None>())
      out_.append("None");
    else if (value.is<Undefined>())
      out_.append("Undefined");
    else if (const auto* flag = value.get<bool>())
      out_.append(*flag ? "True" : "False");
    else if (const auto* integer = value.get<std::int64_t>())
      out_.append(std::to_string(*integer));
    else if (const auto* real = value.get<double>())
      out_.append(python_float(*real));
    else
      throw BadInput(type_name(value) + " is printed");
  }

  Meter& meter_;
  MarkedText out_;
};

class JsonPrinter {
 public:
  JsonPrinter(const JsonStyle& style, Meter& meter) : style_(style), meter_(meter) {}

  void print(const Value& value, int level) {
    meter_.spend(kCostOfStep);
    if (const MarkedText* text = text_of(value)) {
      print_text(*text);
    } else if (const List* list = list_of(value)) {
      if (list->type != ListType::kList && list->type != ListType::kTuple)
        throw BadInput("JSON is made of what is no list");
      print_list(*list, level);
    } else if (const Dict* dict = dict_of(value)) {
      print_members(*dict, level);
    } else {
      out_.append(simple(value));
    }
  }

  MarkedText take() { return std::move(out_); }

 private:
  void print_text(const MarkedText& text) {
    meter_.spend(4 * text.size());
    out_.append("\"");
    for (std::size_t at = 0; at < text.size();) {
      const auto [c, size] = code_point_at(text.bytes(), at);
      out_.append(json_character(c, text.bytes().substr(at, size), style_.ascii), text.mark(at));
      at += size;
    }
    out_.append("\"");
  }

  static std::string simple(const Value& value) {
    if (value.is<None>()) return "null";
    if (const auto* flag = value.get<bool>()) return *flag ? "true" : "false";
    if (const auto* integer = value.get<std::int64_t>()) return std::to_string(*integer);
    if (const auto* real = value.get<double>()) {
      if (std::isnan(*real)) return "NaN";
      if (std::isinf(*real)) return *real < 0 ? "-Infinity" : "Infinity";
      return python_float(*real);
    }
    throw BadInput("JSON is made of " + type_name(value));
  }

  void print_list(const List& list, int level) {
    if (list.items.empty()) {
      out_.append("[]");
      return;
    }
    out_.append("[");
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      if (i > 0) out_.append(style_.item_separator);
      new_line(level + 1);
      print(list.items[i], level + 1);
    }
    new_line(level);
    out_.append("]");
  }

  void print_members(const Dict& dict, int level) {
    if (dict.members.empty()) {
      out_.append("{}");
      return;
    }
    auto members = dict.members;
    meter_.spend(kCostOfItem * members.size());
    if (style_.sorted)
      std::ranges::stable_sort(members, [&](const auto& a, const auto& b) {
        return order_of(a.first, b.first, meter_) < 0;
      });
    out_.append("{");
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i > 0) out_.append(style_.item_separator);
      new_line(level + 1);
      const auto& [key, value] = members[i];
      print_text(text_of(key) != nullptr ? *text_of(key) : MarkedText(simple(key)));
      out_.append(style_.key_separator);
      print(value, level + 1);
    }
    new_line(level);
    out_.append("}");
  }

  void new_line(int level) {
    if (style_.indent == nullptr) return;
    out_.append("\n");
    meter_.spend(style_.indent->size() * static_cast<std::size_t>(level));
    for (int i = 0; i < level; ++i) out_.append(*style_.indent);
  }

  const JsonStyle& style_;
  Meter& meter_;
  MarkedText out_;
};

}  // namespace

MarkedText printed(const Value& value, Meter& meter) {
  if (value.is<Undefined>()) return {};
  if (const MarkedText* text = text_of(value)) {
    meter.spend(text->size());
    return *text;
  }
  return represented(value, meter);
}

MarkedText represented(const Value& value, Meter& meter) {
  Printer printer(meter);
  printer.print(value);
  return printer.take();
}

MarkedText json_text_of(const Value& value, const JsonStyle& style, Meter& meter) {
  JsonPrinter printer(style, meter);
  printer.print(value, 0);
  return printer.take();
}

}  // namespace lab::chat
