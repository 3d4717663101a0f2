#include <algorithm>
#include <array>
#include <cstdio>

#include "app/base/machine_numbers.h"
#include "app/base/strings.h"
#include "app/base/unicode_text.h"
#include "app/chat/evaluation.h"

// Texts as Python formats, replaces and cuts them.

namespace lab::chat {
namespace {

double number_to_print(const Value& value) {
  if (const auto* real = value.get<double>()) return *real;
  if (const auto* whole = value.get<std::int64_t>()) return static_cast<double>(*whole);
  if (const auto* flag = value.get<bool>()) return *flag ? 1 : 0;
  throw BadInput("a number is printed that is " + type_name(value));
}

// What stands between % and the letter, and the letter.
struct Place {
  bool left = false, zeros = false, plus = false;
  std::int64_t width = 0;
  std::int64_t decimals = -1;
  char type = 's';
};

Place place_at(std::string_view format, std::size_t& at) {
  Place place;
  const auto here = [&] { return at < format.size() ? format[at] : '\0'; };
  const auto number = [&] {
    std::int64_t value = 0;
    for (; is_digit(here()); ++at)
      value = std::min<std::int64_t>(value * 10 + (here() - '0'), 1000);
    return value;
  };
  for (; here() == '-' || here() == '0' || here() == '+'; ++at) {
    place.left |= here() == '-';
    place.zeros |= here() == '0';
    place.plus |= here() == '+';
  }
  place.width = number();
  if (here() == '.') {
    ++at;
    place.decimals = number();
  }
  place.type = here();
  ++at;
  return place;
}

MarkedText content_at(const Place& place, const Value& value, Meter& meter) {
  if (place.type == 's' || place.type == 'r') {
    MarkedText text = place.type == 's' ? printed(value, meter) : represented(value, meter);
    if (place.decimals < 0) return text;
    const auto places = character_places(text.bytes());
    const auto last = std::min(static_cast<std::size_t>(place.decimals), places.size() - 1);
    return text.part(0, places[last]);
  }
  if (place.type == 'd' || place.type == 'i') {
    const double real = number_to_print(value);
    const auto* const whole = value.get<std::int64_t>();
    const std::int64_t number = whole != nullptr ? *whole : static_cast<std::int64_t>(real);
    return MarkedText((place.plus && number >= 0 ? "+" : "") + std::to_string(number));
  }
  if (place.type != 'f')
    throw BadInput("%" + std::string(1, place.type) + " is not supported in a format");
  std::array<char, 1400> digits{};
  const int size = std::snprintf(digits.data(), digits.size(), place.plus ? "%+.*f" : "%.*f",
                                 place.decimals < 0 ? 6 : static_cast<int>(place.decimals),
                                 number_to_print(value));
  return MarkedText(std::string(digits.data(), static_cast<std::size_t>(size)));
}

void append_padded(MarkedText& result, const MarkedText& text, const Place& place) {
  const auto size = static_cast<std::int64_t>(character_count(text.bytes()));
  const std::string blanks(static_cast<std::size_t>(std::max<std::int64_t>(0, place.width - size)),
                           ' ');
  if (place.zeros && !place.left && place.type != 's' && place.type != 'r' && !blanks.empty())
    throw BadInput("zeros before a number are not supported in a format");
  if (!place.left) result.append(blanks);
  result.append(text);
  if (place.left) result.append(blanks);
}

bool is_end_of_line(std::int32_t c) {
  return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 ||
         c == 0x2029;
}

}  // namespace

MarkedText percent_formatted(const MarkedText& format, const Value& values, Meter& meter) {
  const List* const tuple = list_of(values);
  const bool several = tuple != nullptr && tuple->type == ListType::kTuple;
  const std::vector<Value> given = several ? tuple->items : std::vector<Value>{values};
  std::size_t used = 0;
  MarkedText result;
  const std::string& bytes = format.bytes();
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t percent = std::min(bytes.find('%', at), bytes.size());
    result.append(format.part(at, percent - at));
    at = percent + 1;
    if (percent == bytes.size()) break;
    if (at < bytes.size() && bytes[at] == '(')
      throw BadInput("names are not supported in a format with %");
    const Place place = place_at(bytes, at);
    if (place.type == '%') {
      result.append("%");
      continue;
    }
    if (used >= given.size()) throw BadInput("there are too few values for a format");
    meter.spend(kCostOfStep + static_cast<std::size_t>(place.width));
    append_padded(result, content_at(place, given[used], meter), place);
    ++used;
  }
  if (used < given.size() && (several || dict_of(values) == nullptr))
    throw BadInput("there are too many values for a format");
  meter.spend(result.size());
  return result;
}

MarkedText brace_formatted(const MarkedText& format, const Arguments& arguments, Meter& meter) {
  MarkedText result;
  std::size_t next = 0;
  const std::string& bytes = format.bytes();
  for (std::size_t at = 0; at < bytes.size();) {
    const char c = bytes[at];
    if ((c == '{' || c == '}') && at + 1 < bytes.size() && bytes[at + 1] == c) {
      result.append(format.part(at, 1));
      at += 2;
      continue;
    }
    if (c == '}') throw BadInput("a single \"}\" stands in a format");
    if (c != '{') {
      const std::size_t stop = std::min(bytes.find_first_of("{}", at), bytes.size());
      result.append(format.part(at, stop - at));
      at = stop;
      continue;
    }
    const std::size_t stop = bytes.find('}', at);
    if (stop == bytes.npos) throw BadInput("a \"{\" has no end in a format");
    const std::string field = bytes.substr(at + 1, stop - at - 1);
    at = stop + 1;
    const auto named =
        std::ranges::find_if(arguments.named, [&](const auto& one) { return one.first == field; });
    const auto number = field.empty() ? std::optional(next++) : parse_number<std::size_t>(field);
    if (named == arguments.named.end() && (!number || *number >= arguments.positional.size()))
      throw BadInput("the place " + in_quotes("{" + field + "}") +
                     " of a format has no value or is not supported");
    const MarkedText text = printed(
        named != arguments.named.end() ? named->second : arguments.positional[*number], meter);
    meter.spend(kCostOfStep + text.size());
    result.append(text);
  }
  return result;
}

MarkedText replaced(const MarkedText& text, const MarkedText& old, const MarkedText& other,
                    std::int64_t most, Meter& meter) {
  if (old.empty()) throw BadInput("an empty text is replaced");
  meter.spend(text.size());
  MarkedText result;
  std::size_t at = 0;
  while (most != 0) {
    const std::size_t found = text.bytes().find(old.bytes(), at);
    if (found == std::string::npos) break;
    meter.spend(1 + other.size());
    result.append(text.part(at, found - at));
    result.append(other);
    at = found + old.size();
    --most;
  }
  result.append(text.part(at));
  return result;
}

std::vector<MarkedText> lines_of(const MarkedText& text, Meter& meter) {
  std::vector<MarkedText> lines;
  meter.spend(text.size());
  const std::string& bytes = text.bytes();
  std::size_t begin = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto [c, size] = code_point_at(bytes, at);
    at += size;
    if (!is_end_of_line(c)) continue;
    meter.spend(kCostOfItem);
    lines.push_back(text.part(begin, at - size - begin));
    if (c == '\r' && at < bytes.size() && bytes[at] == '\n') ++at;
    begin = at;
  }
  if (begin < bytes.size()) lines.push_back(text.part(begin));
  return lines;
}

const MarkedText& text_argument(const Value& value) {
  const MarkedText* const text = text_of(value);
  if (text == nullptr) throw BadInput("an argument should be a text: it is " + type_name(value));
  return *text;
}

std::int64_t whole_argument(const Value& value, std::int64_t missing) {
  if (value.is<Undefined>() || value.is<None>()) return missing;
  if (const auto* whole = value.get<std::int64_t>()) return *whole;
  if (const auto* flag = value.get<bool>()) return *flag ? 1 : 0;
  throw BadInput("an argument should be a whole number: it is " + type_name(value));
}

}  // namespace lab::chat
