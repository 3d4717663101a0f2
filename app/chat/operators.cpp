#include <algorithm>
#include <cmath>
#include <limits>

#include "app/chat/evaluation.h"

// The operators of Python on values.

namespace lab::chat {
namespace {

std::optional<std::int64_t> whole_of(const Value& value) {
  if (const auto* whole = value.get<std::int64_t>()) return *whole;
  if (const auto* flag = value.get<bool>()) return *flag ? 1 : 0;
  return std::nullopt;
}

std::optional<double> real_of(const Value& value) {
  if (const auto* real = value.get<double>()) return *real;
  const auto whole = whole_of(value);
  return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

[[noreturn]] void refuse(const std::string& name, const Value& a, const Value& b) {
  if (a.is<Undefined>() || b.is<Undefined>()) throw BadInput(type_name(a.is<Undefined>() ? a : b));
  throw BadInput("there is no " + in_quotes(name) + " between " + type_name(a) + " and " +
                 type_name(b));
}

[[noreturn]] void refuse_large() { throw BadInput("a whole number becomes too large"); }

std::int64_t floor_division(std::int64_t a, std::int64_t b) {
  if (a == std::numeric_limits<std::int64_t>::min() && b == -1) refuse_large();
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

Value whole_power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) return std::pow(static_cast<double>(base), static_cast<double>(exponent));
  std::int64_t result = 1;
  if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
  if (base == -1) return std::int64_t{exponent % 2 == 0 ? 1 : -1};
  for (std::int64_t i = 0; i < exponent; ++i)
    if (__builtin_mul_overflow(result, base, &result)) refuse_large();
  return result;
}

Value of_wholes(const std::string& name, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (name == "**") return whole_power(a, b);
  if (name == "+" || name == "-" || name == "*") {
    const bool over = name == "+"   ? __builtin_add_overflow(a, b, &result)
                      : name == "-" ? __builtin_sub_overflow(a, b, &result)
                                    : __builtin_mul_overflow(a, b, &result);
    if (over) refuse_large();
    return result;
  }
  if (b == 0) throw BadInput("a number is divided by 0");
  if (name == "/") return static_cast<double>(a) / static_cast<double>(b);
  const std::int64_t quotient = floor_division(a, b);
  return name == "//" ? quotient : a - quotient * b;
}

Value of_reals(const std::string& name, double a, double b) {
  if (name == "+") return a + b;
  if (name == "-") return a - b;
  if (name == "*") return a * b;
  if (name == "**") return std::pow(a, b);
  if (b == 0) throw BadInput("a number is divided by 0");
  if (name == "/") return a / b;
  if (name == "//") return std::floor(a / b);
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Value repeated(const Value& value, std::int64_t count, Meter& meter) {
  const std::size_t times = count < 0 ? 0 : static_cast<std::size_t>(count);
  if (const MarkedText* text = text_of(value)) {
    MarkedText result;
    for (std::size_t i = 0; i < times; ++i) {
      meter.spend(1 + text->size());
      result.append(*text);
    }
    return text_value(std::move(result));
  }
  const List& list = *list_of(value);
  std::vector<Value> items;
  for (std::size_t i = 0; i < times; ++i) {
    meter.spend(1 + kCostOfItem * list.items.size());
    items.insert(items.end(), list.items.begin(), list.items.end());
  }
  return list_value(std::move(items), list.type);
}

bool can_be_repeated(const Value& value) {
  const List* const list = list_of(value);
  return text_of(value) != nullptr ||
         (list != nullptr && (list->type == ListType::kList || list->type == ListType::kTuple));
}

// Jinja escapes a text for HTML when it is added to one that its filter "safe" returns.
MarkedText escaped(const MarkedText& text) {
  MarkedText result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text.bytes()[at];
    const std::string_view entity = c == '&'    ? "&amp;"
                                    : c == '<'  ? "&lt;"
                                    : c == '>'  ? "&gt;"
                                    : c == '"'  ? "&#34;"
                                    : c == '\'' ? "&#39;"
                                                : std::string_view(&c, 1);
    result.append(entity, text.mark(at));
  }
  return result;
}

MarkedText added(const MarkedText& a, const MarkedText& b, Meter& meter) {
  const bool escapes = a.escapes_others() || b.escapes_others();
  meter.spend((escapes ? 6 : 1) * (a.size() + b.size()));
  MarkedText result = escapes && !a.escapes_others() ? escaped(a) : a;
  result.append(escapes && !b.escapes_others() ? escaped(b) : b);
  if (escapes) result.set_escapes_others();
  return result;
}

// Two texts or two lists, one after the other; nothing for other values.
std::optional<Value> appended(const Value& a, const Value& b, Meter& meter) {
  const MarkedText* const text = text_of(a);
  const MarkedText* const other = text_of(b);
  if (text != nullptr && other != nullptr) return text_value(added(*text, *other, meter));
  const List* const list = list_of(a);
  const List* const second = list_of(b);
  if (list == nullptr || second == nullptr || list->type != second->type || !can_be_repeated(a))
    return std::nullopt;
  meter.spend(kCostOfItem * (list->items.size() + second->items.size()));
  std::vector<Value> items = list->items;
  items.insert(items.end(), second->items.begin(), second->items.end());
  return list_value(std::move(items), list->type);
}

// The places of a slice: begin, begin + step …, before end.
struct Places {
  std::int64_t begin = 0, end = 0, step = 1;
};

Places places_of(const Value& from, const Value& to, const Value& step, std::int64_t size) {
  const auto place = [](const Value& value, std::int64_t missing) {
    if (value.is<None>()) return missing;
    const auto whole = whole_of(value);
    if (!whole) throw BadInput("the place of a slice is " + type_name(value));
    return *whole;
  };
  Places places;
  places.step = place(step, 1);
  if (places.step == 0) throw BadInput("the step of a slice is 0");
  places.step = std::clamp<std::int64_t>(places.step, -size - 1, size + 1);
  const bool back = places.step < 0;
  const auto bounded = [&](std::int64_t at) {
    if (at < 0) at = at < -size ? -1 : at + size;
    return std::clamp<std::int64_t>(at, back ? -1 : 0, back ? size - 1 : size);
  };
  places.begin = from.is<None>() ? (back ? size - 1 : 0) : bounded(place(from, 0));
  places.end = to.is<None>() ? (back ? -1 : size) : bounded(place(to, 0));
  return places;
}

template <typename Take>
void for_places(const Places& places, Take take) {
  for (std::int64_t at = places.begin; places.step > 0 ? at < places.end : at > places.end;
       at += places.step)
    take(static_cast<std::size_t>(at));
}

}  // namespace

Value arithmetic(const std::string& name, const Value& a, const Value& b, Meter& meter) {
  const auto left = whole_of(a);
  const auto right = whole_of(b);
  if (left && right) return of_wholes(name, *left, *right);
  const auto real = real_of(a);
  const auto other = real_of(b);
  if (real && other) return of_reals(name, *real, *other);
  if (name == "+") {
    if (auto result = appended(a, b, meter)) return *result;
  }
  if (name == "*" && right && can_be_repeated(a)) return repeated(a, *right, meter);
  if (name == "*" && left && can_be_repeated(b)) return repeated(b, *left, meter);
  if (name == "%" && text_of(a) != nullptr)
    return text_value(percent_formatted(*text_of(a), b, meter));
  refuse(name, a, b);
}

Value with_sign(const std::string& sign, const Value& value) {
  if (const auto whole = whole_of(value)) {
    if (sign == "-" && *whole == std::numeric_limits<std::int64_t>::min()) refuse_large();
    return sign == "-" ? -*whole : *whole;
  }
  if (const auto real = real_of(value)) return sign == "-" ? -*real : *real;
  throw BadInput("a sign stands before " + type_name(value));
}

bool contains(const Value& container, const Value& item, Meter& meter) {
  if (const MarkedText* text = text_of(container)) {
    const MarkedText* const part = text_of(item);
    if (part == nullptr) throw BadInput("in a text, " + type_name(item) + " is looked for");
    meter.spend(text->size());
    return text->bytes().find(part->bytes()) != std::string::npos;
  }
  if (const Dict* dict = dict_of(container)) return member(*dict, item, meter) != nullptr;
  if (container.is<Undefined>()) return false;
  if (list_of(container) == nullptr)
    throw BadInput("nothing can be in it: it is " + type_name(container));
  const std::vector<Value> items = items_of(container, meter);
  return std::ranges::any_of(items, [&](const Value& one) { return equal(one, item, meter); });
}

Value sliced(const Value& object, const Value& from, const Value& to, const Value& step,
             Meter& meter) {
  if (const MarkedText* text = text_of(object)) {
    meter.spend(2 * text->size());
    const std::vector<std::size_t> at = character_places(text->bytes());
    const Places places = places_of(from, to, step, static_cast<std::int64_t>(at.size()) - 1);
    if (places.step == 1 && places.begin < places.end) {
      const std::size_t first = at[static_cast<std::size_t>(places.begin)];
      return text_value(text->part(first, at[static_cast<std::size_t>(places.end)] - first));
    }
    MarkedText result;
    for_places(places, [&](std::size_t i) { result.append(text->part(at[i], at[i + 1] - at[i])); });
    return text_value(std::move(result));
  }
  const List* const list = list_of(object);
  if (list == nullptr || list->type == ListType::kView || list->type == ListType::kIterator)
    return undefined(type_name(object) + " has no parts");
  meter.spend(kCostOfItem * list->items.size());
  std::vector<Value> items;
  for_places(places_of(from, to, step, static_cast<std::int64_t>(list->items.size())),
             [&](std::size_t i) { items.push_back(list->items[i]); });
  return list_value(std::move(items), list->type);
}

}  // namespace lab::chat
