#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/base/machine_numbers.h"
#include "app/base/strings.h"
#include "app/base/unicode_text.h"
#include "app/chat/evaluation.h"

// Filters: {{ input | name(arguments) }}.

namespace lab::chat {
namespace {

using FilterFunction = Value (*)(Evaluation&, const Value& input, const Arguments&);

Value iterator_of(std::vector<Value> items) {
  return list_value(std::move(items), ListType::kIterator);
}

bool flag_of(const Value& value) { return is_true(value); }

// A text without difference between large and small letters; other values as they are.
Value without_case(const Value& value) {
  const MarkedText* const text = text_of(value);
  return text == nullptr ? value : text_value(in_case(*text, Case::kLower));
}

// The attribute that an argument names, with dots for those of attributes and numbers for places.
Value named_attribute(Evaluation& evaluation, const Value& object, const Value& name) {
  const MarkedText* const text = text_of(name);
  if (text == nullptr) return evaluation.item(object, name);
  Value value = object;
  std::string_view rest = text->bytes();
  while (true) {
    const std::size_t dot = rest.find('.');
    const std::string_view part = rest.substr(0, dot);
    const auto place = parse_number<std::int64_t>(part);
    value = evaluation.item(value, place ? Value(*place) : text_value(std::string(part)));
    if (dot == rest.npos) return value;
    rest.remove_prefix(dot + 1);
  }
}

Value trim(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  const auto given = arguments.bound({"chars"});
  const MarkedText text = printed(input, evaluation.meter());
  if (given[0].is<Undefined>() || given[0].is<None>())
    return text_value(stripped(text, true, true));
  const std::string_view blanks = text_argument(given[0]).bytes();
  evaluation.meter().spend(text.size() + blanks.size());
  return text_value(stripped(text, true, true, &blanks));
}

Value length(Evaluation& /*evaluation*/, const Value& input, const Arguments& arguments) {
  arguments.bound({});
  return static_cast<std::int64_t>(length_of(input));
}

template <Case change>
Value cased(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  arguments.bound({});
  const MarkedText text = printed(input, evaluation.meter());
  evaluation.meter().spend(16 * text.size());
  return text_value(in_case(text, change));
}

// The first letter of each word upper, where words stand between blanks, hyphens and brackets.
Value title(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  arguments.bound({});
  const MarkedText text = printed(input, evaluation.meter());
  evaluation.meter().spend(16 * text.size());
  MarkedText result;
  bool begins = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = code_point_at(text.bytes(), at).size;
    const MarkedText character = text.part(at, size);
    result.append(in_case(character, begins ? Case::kUpper : Case::kLower));
    begins = std::string_view(" \t\n\r\f\v-({[<").find(character.bytes()) != std::string_view::npos;
    at += size;
  }
  return text_value(std::move(result));
}

Value string(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  arguments.bound({});
  return text_value(printed(input, evaluation.meter()));
}

std::optional<double> real_in(const Value& input) {
  if (const auto* real = input.get<double>()) return *real;
  if (const auto* whole = input.get<std::int64_t>()) return static_cast<double>(*whole);
  if (const auto* flag = input.get<bool>()) return *flag ? 1.0 : 0.0;
  if (const MarkedText* text = text_of(input)) return parse_number<double>(trimmed(text->bytes()));
  return std::nullopt;
}

Value to_whole(Evaluation& /*evaluation*/, const Value& input, const Arguments& arguments) {
  const auto given = arguments.bound({"default", "base"});
  if (whole_argument(given[1], 10) != 10)
    throw BadInput("numbers of another base are not supported");
  Value missing = given[0].is<Undefined>() ? Value(std::int64_t{0}) : given[0];
  if (const auto* whole = input.get<std::int64_t>()) return *whole;
  if (const MarkedText* text = text_of(input))
    if (const auto whole = parse_number<std::int64_t>(trimmed(text->bytes()))) return *whole;
  const auto real = real_in(input);
  if (!real || !std::isfinite(*real)) return missing;
  if (std::abs(*real) > 9e18) throw BadInput("a whole number becomes too large");
  return static_cast<std::int64_t>(*real);
}

Value to_real(Evaluation& /*evaluation*/, const Value& input, const Arguments& arguments) {
  const auto given = arguments.bound({"default"});
  if (const auto real = real_in(input)) return *real;
  return given[0].is<Undefined>() ? Value(0.0) : given[0];
}

Value absolute(Evaluation& /*evaluation*/, const Value& input, const Arguments& arguments) {
  arguments.bound({});
  if (const auto* real = input.get<double>()) return std::abs(*real);
  if (const auto* whole = input.get<std::int64_t>(); whole != nullptr && *whole < 0)
    return with_sign("-", input);
  return with_sign("+", input);
}

Value rounded(Evaluation& /*evaluation*/, const Value& input, const Arguments& arguments) {
  const auto given = arguments.bound({"precision", "method"});
  const auto places = whole_argument(given[0], 0);
  const std::string method = given[1].is<Undefined>() ? "common" : text_argument(given[1]).bytes();
  const auto real = text_of(input) == nullptr ? real_in(input) : std::nullopt;
  if (!real) throw BadInput("a number is rounded that is " + type_name(input));
  if (places < 0 || places > 15) throw BadInput("numbers are rounded to 0 to 15 places");
  const double unit = std::pow(10.0, static_cast<double>(places));
  if (method == "ceil") return std::ceil(*real * unit) / unit;
  if (method == "floor") return std::floor(*real * unit) / unit;
  if (method != "common") throw BadInput("there is no rounding " + in_quotes(method));
  std::array<char, 400> digits{};
  const int size =
      std::snprintf(digits.data(), digits.size(), "%.*f", static_cast<int>(places), *real);
  return parse_number<double>({digits.data(), static_cast<std::size_t>(size)}).value_or(*real);
}

Value join(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  const auto given = arguments.bound({"d", "attribute"});
  const MarkedText between =
      given[0].is<Undefined>() ? MarkedText() : printed(given[0], evaluation.meter());
  MarkedText text;
  bool first = true;
  for (const Value& item : items_of(input, evaluation.meter())) {
    const bool whole = given[1].is<Undefined>() || given[1].is<None>();
    const MarkedText part =
        printed(whole ? item : named_attribute(evaluation, item, given[1]), evaluation.meter());
    evaluation.meter().spend(part.size() + between.size());
    if (!first) text.append(between);
    first = false;
    text.append(part);
  }
  return text_value(std::move(text));
}

Value first(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  arguments.bound({});
  const std::vector<Value> items = items_of(input, evaluation.meter());
  return items.empty() ? undefined("there is no first item") : items.front();
}

Value last(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  arguments.bound({});
  if (const List* list = list_of(input); list != nullptr && list->type == ListType::kIterator)
    throw BadInput("there is no last item of what a filter goes through");
  const std::vector<Value> items = items_of(input, evaluation.meter());
  return items.empty() ? undefined("there is no last item") : items.back();
}

Value or_default(Evaluation& /*evaluation*/, const Value& input, const Arguments& arguments) {
  const auto given = arguments.bound({"default_value", "boolean"});
  const bool missing = input.is<Undefined>() || (flag_of(given[1]) && !is_true(input));
  if (!missing) return input;
  const bool none_given =
      arguments.positional.empty() && std::ranges::none_of(arguments.named, [](const auto& one) {
        return one.first == "default_value";
      });
  return none_given ? text_value(std::string()) : given[0];
}

Value list(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  arguments.bound({});
  return list_value(items_of(input, evaluation.meter()));
}

Value replace(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  const auto given = arguments.bound({"old", "new", "count"}, 2);
  Meter& meter = evaluation.meter();
  return text_value(replaced(printed(input, meter), printed(given[0], meter),
                             printed(given[1], meter), whole_argument(given[2], -1), meter));
}

Value reverse(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  arguments.bound({});
  if (text_of(input) != nullptr)
    return sliced(input, None{}, None{}, std::int64_t{-1}, evaluation.meter());
  std::vector<Value> items = items_of(input, evaluation.meter());
  std::ranges::reverse(items);
  return iterator_of(std::move(items));
}

// The items of `input` with what each is compared by.
std::vector<std::pair<Value, Value>> with_keys(Evaluation& evaluation, const Value& input,
                                               const Value& attribute, bool case_sensitive) {
  std::vector<std::pair<Value, Value>> keyed;
  for (const Value& item : items_of(input, evaluation.meter())) {
    const bool whole = attribute.is<Undefined>() || attribute.is<None>();
    Value key = whole ? item : named_attribute(evaluation, item, attribute);
    keyed.emplace_back(case_sensitive ? key : without_case(key), item);
  }
  return keyed;
}

void sort_by_keys(std::vector<std::pair<Value, Value>>& keyed, bool reversed, Meter& meter) {
  const auto before = [&](const auto& a, const auto& b) {
    return order_of(a.first, b.first, meter) < 0;
  };
  std::ranges::stable_sort(
      keyed, [&](const auto& a, const auto& b) { return reversed ? before(b, a) : before(a, b); });
}

Value sorted(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  const auto given = arguments.bound({"reverse", "case_sensitive", "attribute"});
  auto keyed = with_keys(evaluation, input, given[2], flag_of(given[1]));
  sort_by_keys(keyed, flag_of(given[0]), evaluation.meter());
  std::vector<Value> items;
  items.reserve(keyed.size());
  for (auto& [key, item] : keyed) items.push_back(std::move(item));
  return list_value(std::move(items));
}

Value unique(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  const auto given = arguments.bound({"case_sensitive", "attribute"});
  std::vector<Value> keys;
  std::vector<Value> items;
  for (const auto& keyed : with_keys(evaluation, input, given[1], flag_of(given[0]))) {
    const bool known = std::ranges::any_of(
        keys, [&](const Value& other) { return equal(keyed.first, other, evaluation.meter()); });
    if (known) continue;
    keys.push_back(keyed.first);
    items.push_back(keyed.second);
  }
  return iterator_of(std::move(items));
}

template <bool largest>
Value extreme(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  const auto given = arguments.bound({"case_sensitive", "attribute"});
  const auto keyed = with_keys(evaluation, input, given[1], flag_of(given[0]));
  if (keyed.empty()) return undefined("there is no item");
  const auto* best = &keyed.front();
  for (const auto& one : keyed) {
    const int order = order_of(one.first, best->first, evaluation.meter());
    if (largest ? order > 0 : order < 0) best = &one;
  }
  return best->second;
}

Value sum(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  const auto given = arguments.bound({"attribute", "start"});
  Value total = given[1].is<Undefined>() ? Value(std::int64_t{0}) : given[1];
  for (const Value& item : items_of(input, evaluation.meter())) {
    const bool whole = given[0].is<Undefined>() || given[0].is<None>();
    total = arithmetic("+", total, whole ? item : named_attribute(evaluation, item, given[0]),
                       evaluation.meter());
  }
  return total;
}

// The arguments after the first `count`.
Arguments after(const Arguments& arguments, std::size_t count) {
  Arguments rest = arguments;
  rest.positional.erase(rest.positional.begin(),
                        rest.positional.begin() + static_cast<std::ptrdiff_t>(count));
  return rest;
}

Value map(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  std::vector<Value> items;
  if (!is_true(input)) return iterator_of({});
  if (arguments.positional.empty()) {
    const auto given = arguments.bound({"attribute", "default"}, 1);
    for (const Value& item : items_of(input, evaluation.meter())) {
      Value value = named_attribute(evaluation, item, given[0]);
      items.push_back(value.is<Undefined>() ? given[1] : value);
    }
    return iterator_of(std::move(items));
  }
  const std::string name = text_argument(arguments.positional.front()).bytes();
  const Arguments rest = after(arguments, 1);
  for (const Value& item : items_of(input, evaluation.meter()))
    items.push_back(apply_filter(evaluation, name, item, rest));
  return iterator_of(std::move(items));
}

template <bool keeps, bool of_attribute>
Value selected(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  if (!is_true(input)) return iterator_of({});
  constexpr std::size_t kBefore = of_attribute ? 1 : 0;
  if (arguments.positional.size() < kBefore) throw BadInput("the name of an attribute is missing");
  const bool tests = arguments.positional.size() > kBefore;
  const std::string test = tests ? text_argument(arguments.positional[kBefore]).bytes() : "";
  const Arguments rest = after(arguments, kBefore + (tests ? 1 : 0));
  std::vector<Value> items;
  for (const Value& item : items_of(input, evaluation.meter())) {
    evaluation.meter().spend(kCostOfStep);
    const Value tested =
        of_attribute ? named_attribute(evaluation, item, arguments.positional.front()) : item;
    if ((tests ? apply_test(evaluation, test, tested, rest) : is_true(tested)) == keeps)
      items.push_back(item);
  }
  return iterator_of(std::move(items));
}

std::vector<Value> member_pairs(const Dict& dict, Meter& meter) {
  std::vector<Value> pairs;
  meter.spend(4 * kCostOfItem * dict.members.size());
  for (const auto& [key, value] : dict.members)
    pairs.push_back(list_value({key, value}, ListType::kTuple));
  return pairs;
}

Value items(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  arguments.bound({});
  if (input.is<Undefined>()) return iterator_of({});
  if (dict_of(input) == nullptr) throw BadInput("the items are asked for of " + type_name(input));
  return iterator_of(member_pairs(*dict_of(input), evaluation.meter()));
}

Value dictsort(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  const auto given = arguments.bound({"case_sensitive", "by", "reverse"});
  if (dict_of(input) == nullptr) throw BadInput("a dict is sorted that is " + type_name(input));
  const std::string by = given[1].is<Undefined>() ? "key" : text_argument(given[1]).bytes();
  if (by != "key" && by != "value") throw BadInput("a dict is sorted by key or value");
  std::vector<std::pair<Value, Value>> keyed;
  for (const Value& pair : member_pairs(*dict_of(input), evaluation.meter())) {
    const Value& key = list_of(pair)->items[by == "key" ? 0 : 1];
    keyed.emplace_back(flag_of(given[0]) ? key : without_case(key), pair);
  }
  sort_by_keys(keyed, flag_of(given[2]), evaluation.meter());
  std::vector<Value> pairs;
  pairs.reserve(keyed.size());
  for (auto& [key, pair] : keyed) pairs.push_back(std::move(pair));
  return list_value(std::move(pairs));
}

Value indent(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  const auto given = arguments.bound({"width", "first", "blank"});
  const MarkedText* const own = text_of(given[0]);
  const auto width =
      own != nullptr ? 0 : std::clamp<std::int64_t>(whole_argument(given[0], 4), 0, 1000);
  const MarkedText before =
      own != nullptr ? *own : MarkedText(std::string(static_cast<std::size_t>(width), ' '));
  MarkedText text = printed(input, evaluation.meter());
  text.append("\n");
  MarkedText result;
  bool at_first = true;
  for (const MarkedText& line : lines_of(text, evaluation.meter())) {
    evaluation.meter().spend(before.size() + line.size());
    if (!at_first) result.append("\n");
    const bool indented = at_first ? flag_of(given[1]) : (!line.empty() || flag_of(given[2]));
    if (indented) result.append(before);
    result.append(line);
    at_first = false;
  }
  return text_value(std::move(result));
}

Value format(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  if (!arguments.named.empty()) throw BadInput("the filter format takes no names here");
  return text_value(percent_formatted(printed(input, evaluation.meter()),
                                      list_value(arguments.positional, ListType::kTuple),
                                      evaluation.meter()));
}

Value attribute(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  const auto given = arguments.bound({"name"}, 1);
  if (dict_of(input) != nullptr) return undefined("a dict has no attributes");
  return evaluation.attribute(input, text_argument(given[0]).bytes());
}

// Templates are not escaped, so a text stays what it is; see added() for what it escapes.
Value safe(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  arguments.bound({});
  MarkedText text = printed(input, evaluation.meter());
  text.set_escapes_others();
  return text_value(std::move(text));
}

Value to_json(Evaluation& evaluation, const Value& input, const Arguments& arguments) {
  const auto given = arguments.bound({"ensure_ascii", "indent", "separators", "sort_keys"});
  JsonStyle style;
  style.ascii = flag_of(given[0]);
  style.sorted = flag_of(given[3]);
  std::string blanks;
  if (!given[1].is<Undefined>() && !given[1].is<None>()) {
    if (const MarkedText* text = text_of(given[1]))
      blanks = text->bytes();
    else
      blanks.assign(
          static_cast<std::size_t>(std::clamp<std::int64_t>(whole_argument(given[1], 0), 0, 1000)),
          ' ');
    style.indent = &blanks;
    style.item_separator = ",";
  }
  if (!given[2].is<Undefined>() && !given[2].is<None>()) {
    const List* const pair = list_of(given[2]);
    if (pair == nullptr || pair->items.size() != 2) throw BadInput("separators are two texts");
    style.item_separator = text_argument(pair->items[0]).bytes();
    style.key_separator = text_argument(pair->items[1]).bytes();
  }
  return text_value(json_text_of(input, style, evaluation.meter()));
}

struct Filter {
  std::string_view name;
  FilterFunction function;
};

constexpr auto kFilters = std::to_array<Filter>({
    {"abs", absolute},
    {"attr", attribute},
    {"capitalize", cased<Case::kCapitalised>},
    {"count", length},
    {"d", or_default},
    {"default", or_default},
    {"dictsort", dictsort},
    {"first", first},
    {"float", to_real},
    {"format", format},
    {"indent", indent},
    {"int", to_whole},
    {"items", items},
    {"join", join},
    {"last", last},
    {"length", length},
    {"list", list},
    {"lower", cased<Case::kLower>},
    {"map", map},
    {"max", extreme<true>},
    {"min", extreme<false>},
    {"reject", selected<false, false>},
    {"rejectattr", selected<false, true>},
    {"replace", replace},
    {"reverse", reverse},
    {"round", rounded},
    {"safe", safe},
    {"select", selected<true, false>},
    {"selectattr", selected<true, true>},
    {"sort", sorted},
    {"string", string},
    {"sum", sum},
    {"title", title},
    {"tojson", to_json},
    {"trim", trim},
    {"unique", unique},
    {"upper", cased<Case::kUpper>},
});

}  // namespace

Value apply_filter(Evaluation& evaluation, const std::string& name, const Value& input,
                   const Arguments& arguments) {
  evaluation.meter().spend(kCostOfStep);
  for (const Filter& filter : kFilters) {
    if (filter.name != name) continue;
    try {
      return filter.function(evaluation, input, arguments);
    } catch (const BadInput& error) {
      throw BadInput("filter " + name + ": " + error.what());
    }
  }
  throw BadInput("the filter " + in_quotes(name) + " is not supported");
}

}  // namespace lab::chat
