#include <unicode/uchar.h>

#include <algorithm>
#include <array>

#include "app/base/unicode_text.h"
#include "app/chat/evaluation.h"

// Methods: {{ self.name(arguments) }}.

namespace lab::chat {
namespace {

using TextMethod = Value (*)(Evaluation&, const MarkedText& self, const Arguments&);

bool is_missing(const Value& value) { return value.is<Undefined>() || value.is<None>(); }

template <bool left, bool right>
Value strip(Evaluation& evaluation, const MarkedText& self, const Arguments& arguments) {
  const auto given = arguments.bound({"chars"});
  if (is_missing(given[0])) return text_value(stripped(self, left, right));
  const std::string_view blanks = text_argument(given[0]).bytes();
  evaluation.meter().spend(self.size() + blanks.size());
  return text_value(stripped(self, left, right, &blanks));
}

template <Case change>
Value cased_text(Evaluation& evaluation, const MarkedText& self, const Arguments& arguments) {
  arguments.bound({});
  evaluation.meter().spend(16 * self.size());
  return text_value(in_case(self, change));
}

void add_part(std::vector<Value>& parts, const MarkedText& part, Meter& meter) {
  meter.spend(4 * kCostOfItem + part.size());
  parts.push_back(text_value(part));
}

// Cut at white space; what is left after `most` cuts, or before them, keeps its own.
std::vector<Value> words_of(const MarkedText& text, std::int64_t most, bool from_right,
                            Meter& meter) {
  meter.spend(8 * text.size());
  const std::vector<std::size_t> places = character_places(text.bytes());
  const auto blank = [&](std::size_t i) {
    return stripped(text.part(places[i], places[i + 1] - places[i]), true, true).empty();
  };
  std::vector<std::pair<std::size_t, std::size_t>> found;
  const std::size_t count = places.size() - 1;
  for (std::size_t i = 0; i < count;) {
    std::size_t stop = i;
    while (stop < count && !blank(stop)) ++stop;
    if (stop > i) found.emplace_back(places[i], places[stop]);
    while (stop < count && blank(stop)) ++stop;
    i = stop;
  }
  if (most >= 0 && found.size() > static_cast<std::size_t>(most)) {
    const std::size_t cuts = static_cast<std::size_t>(most);
    const std::size_t extra = found.size() - cuts - 1;
    if (from_right) {
      found[extra].first = 0;
      found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(extra));
    } else {
      found[cuts].second = text.size();
      found.resize(cuts + 1);
    }
  }
  std::vector<Value> words;
  for (const auto& [from, to] : found) add_part(words, text.part(from, to - from), meter);
  return words;
}

template <bool from_right>
Value split(Evaluation& evaluation, const MarkedText& self, const Arguments& arguments) {
  const auto given = arguments.bound({"sep", "maxsplit"});
  const std::int64_t most = whole_argument(given[1], -1);
  Meter& meter = evaluation.meter();
  meter.spend(self.size());
  if (is_missing(given[0])) return list_value(words_of(self, most, from_right, meter));
  const std::string& between = text_argument(given[0]).bytes();
  if (between.empty()) throw BadInput("the separator is empty");
  std::vector<Value> parts;
  std::size_t begin = 0;
  std::size_t end = self.size();
  for (std::int64_t left = most; left != 0; --left) {
    if (from_right) {
      if (end < between.size()) break;
      const std::size_t found = self.bytes().rfind(between, end - between.size());
      if (found == std::string::npos) break;
      add_part(parts, self.part(found + between.size(), end - found - between.size()), meter);
      end = found;
    } else {
      const std::size_t found = self.bytes().find(between, begin);
      if (found == std::string::npos) break;
      add_part(parts, self.part(begin, found - begin), meter);
      begin = found + between.size();
    }
  }
  add_part(parts, self.part(begin, end - begin), meter);
  if (from_right) std::ranges::reverse(parts);
  return list_value(std::move(parts));
}

Value splitlines(Evaluation& evaluation, const MarkedText& self, const Arguments& arguments) {
  const auto given = arguments.bound({"keepends"});
  if (is_true(given[0])) throw BadInput("keepends is not supported");
  std::vector<Value> lines;
  for (const MarkedText& line : lines_of(self, evaluation.meter()))
    add_part(lines, line, evaluation.meter());
  return list_value(std::move(lines));
}

template <bool at_end>
Value begins(Evaluation& evaluation, const MarkedText& self, const Arguments& arguments) {
  const auto given = arguments.bound({"affix"}, 1);
  const List* const several = list_of(given[0]);
  const std::vector<Value> parts =
      several != nullptr && several->type == ListType::kTuple ? several->items : given;
  evaluation.meter().spend(kCostOfStep * parts.size());
  return std::ranges::any_of(parts, [&](const Value& part) {
    const std::string& text = text_argument(part).bytes();
    return at_end ? self.bytes().ends_with(text) : self.bytes().starts_with(text);
  });
}

template <bool at_end>
Value without_affix(Evaluation& evaluation, const MarkedText& self, const Arguments& arguments) {
  const auto given = arguments.bound({"affix"}, 1);
  const std::string& text = text_argument(given[0]).bytes();
  evaluation.meter().spend(self.size());
  if (at_end)
    return text_value(
        self.part(0, self.bytes().ends_with(text) ? self.size() - text.size() : self.size()));
  return text_value(self.part(self.bytes().starts_with(text) ? text.size() : 0));
}

Value replace_method(Evaluation& evaluation, const MarkedText& self, const Arguments& arguments) {
  const auto given = arguments.bound({"old", "new", "count"}, 2);
  return text_value(replaced(self, text_argument(given[0]), text_argument(given[1]),
                             whole_argument(given[2], -1), evaluation.meter()));
}

template <bool from_right, bool must>
Value find(Evaluation& evaluation, const MarkedText& self, const Arguments& arguments) {
  const auto given = arguments.bound({"sub"}, 1);
  evaluation.meter().spend(self.size());
  const std::string& part = text_argument(given[0]).bytes();
  const std::size_t at = from_right ? self.bytes().rfind(part) : self.bytes().find(part);
  if (at == std::string::npos && must) throw BadInput("a text is not found that should be there");
  if (at == std::string::npos) return std::int64_t{-1};
  return static_cast<std::int64_t>(character_count(std::string_view(self.bytes()).substr(0, at)));
}

Value count_text(Evaluation& evaluation, const MarkedText& self, const Arguments& arguments) {
  const auto given = arguments.bound({"sub"}, 1);
  const std::string& part = text_argument(given[0]).bytes();
  evaluation.meter().spend(self.size());
  if (part.empty()) return static_cast<std::int64_t>(character_count(self.bytes()) + 1);
  std::int64_t count = 0;
  for (std::size_t at = self.bytes().find(part); at != std::string::npos;
       at = self.bytes().find(part, at + part.size()))
    ++count;
  return count;
}

Value join_method(Evaluation& evaluation, const MarkedText& self, const Arguments& arguments) {
  const auto given = arguments.bound({"iterable"}, 1);
  MarkedText text;
  bool first = true;
  for (const Value& item : items_of(given[0], evaluation.meter())) {
    const MarkedText& part = text_argument(item);
    evaluation.meter().spend(self.size() + part.size());
    if (!first) text.append(self);
    first = false;
    text.append(part);
  }
  return text_value(std::move(text));
}

Value format_method(Evaluation& evaluation, const MarkedText& self, const Arguments& arguments) {
  return text_value(brace_formatted(self, arguments, evaluation.meter()));
}

template <bool from_right>
Value partition(Evaluation& evaluation, const MarkedText& self, const Arguments& arguments) {
  const auto given = arguments.bound({"sep"}, 1);
  const std::string& between = text_argument(given[0]).bytes();
  if (between.empty()) throw BadInput("the separator is empty");
  evaluation.meter().spend(2 * self.size());
  const std::size_t at = from_right ? self.bytes().rfind(between) : self.bytes().find(between);
  std::vector<Value> parts(3, text_value(std::string()));
  if (at == std::string::npos) {
    parts[from_right ? 2 : 0] = text_value(self);
  } else {
    parts[0] = text_value(self.part(0, at));
    parts[1] = text_value(self.part(at, between.size()));
    parts[2] = text_value(self.part(at + between.size()));
  }
  return list_value(std::move(parts), ListType::kTuple);
}

bool is_space(std::int32_t c) { return u_isUWhiteSpace(c) || (c >= 0x1C && c <= 0x1F); }
bool is_digit_character(std::int32_t c) {
  const auto type = u_getIntPropertyValue(c, UCHAR_NUMERIC_TYPE);
  return type == U_NT_DECIMAL || type == U_NT_DIGIT;
}
bool is_alphabetic(std::int32_t c) { return (U_GET_GC_MASK(c) & U_GC_L_MASK) != 0; }
bool is_alphanumeric(std::int32_t c) {
  return is_alphabetic(c) || u_getIntPropertyValue(c, UCHAR_NUMERIC_TYPE) != U_NT_NONE;
}

template <bool (*holds)(std::int32_t)>
Value all_are(Evaluation& evaluation, const MarkedText& self, const Arguments& arguments) {
  arguments.bound({});
  evaluation.meter().spend(self.size());
  for (std::size_t at = 0; at < self.size();) {
    const auto [c, size] = code_point_at(self.bytes(), at);
    if (!holds(c)) return false;
    at += size;
  }
  return !self.empty();
}

template <bool lower>
Value is_in_case_method(Evaluation& evaluation, const MarkedText& self,
                        const Arguments& arguments) {
  arguments.bound({});
  return apply_test(evaluation, lower ? "lower" : "upper", text_value(self), {});
}

struct NamedTextMethod {
  std::string_view name;
  TextMethod method;  // null: Python has it, and it is not supported
};

constexpr auto kTextMethods = std::to_array<NamedTextMethod>({
    {"capitalize", cased_text<Case::kCapitalised>},
    {"casefold", nullptr},
    {"center", nullptr},
    {"count", count_text},
    {"encode", nullptr},
    {"endswith", begins<true>},
    {"expandtabs", nullptr},
    {"find", find<false, false>},
    {"format", format_method},
    {"format_map", nullptr},
    {"index", find<false, true>},
    {"isalnum", all_are<is_alphanumeric>},
    {"isalpha", all_are<is_alphabetic>},
    {"isascii", nullptr},
    {"isdecimal", nullptr},
    {"isdigit", all_are<is_digit_character>},
    {"isidentifier", nullptr},
    {"islower", is_in_case_method<true>},
    {"isnumeric", nullptr},
    {"isprintable", nullptr},
    {"isspace", all_are<is_space>},
    {"istitle", nullptr},
    {"isupper", is_in_case_method<false>},
    {"join", join_method},
    {"ljust", nullptr},
    {"lower", cased_text<Case::kLower>},
    {"lstrip", strip<true, false>},
    {"maketrans", nullptr},
    {"partition", partition<false>},
    {"removeprefix", without_affix<false>},
    {"removesuffix", without_affix<true>},
    {"replace", replace_method},
    {"rfind", find<true, false>},
    {"rindex", find<true, true>},
    {"rjust", nullptr},
    {"rpartition", partition<true>},
    {"rsplit", split<true>},
    {"rstrip", strip<false, true>},
    {"split", split<false>},
    {"splitlines", splitlines},
    {"startswith", begins<false>},
    {"strip", strip<true, true>},
    {"swapcase", nullptr},
    {"title", cased_text<Case::kTitle>},
    {"translate", nullptr},
    {"upper", cased_text<Case::kUpper>},
    {"zfill", nullptr},
});

// The methods of dicts and lists that Python has; those that change them are refused.
constexpr auto kDictMethods =
    std::to_array<std::string_view>({"get", "items", "keys", "values", "copy", "clear", "fromkeys",
                                     "pop", "popitem", "setdefault", "update"});
constexpr auto kListMethods =
    std::to_array<std::string_view>({"count", "index", "copy", "append", "clear", "extend",
                                     "insert", "pop", "remove", "reverse", "sort"});
constexpr auto kTupleMethods = std::to_array<std::string_view>({"count", "index"});
constexpr auto kLoopMethods = std::to_array<std::string_view>({"cycle", "changed"});

const NamedTextMethod* text_method(std::string_view name) {
  for (const NamedTextMethod& known : kTextMethods)
    if (known.name == name) return &known;
  return nullptr;
}

Value dict_method(Evaluation& evaluation, const Value& self, const std::string& name,
                  const Arguments& arguments) {
  const Dict& dict = *dict_of(self);
  if (name == "get") {
    const auto given = arguments.bound({"key", "default"}, 1);
    if (const Value* value = member(dict, given[0], evaluation.meter())) return *value;
    const bool has_default = arguments.positional.size() + arguments.named.size() > 1;
    return has_default ? given[1] : Value(None{});
  }
  arguments.bound({});
  if (name == "copy") return self;
  std::vector<Value> view;
  evaluation.meter().spend(4 * kCostOfItem * dict.members.size());
  for (const auto& [key, value] : dict.members)
    view.push_back(name == "keys"     ? key
                   : name == "values" ? value
                                      : list_value({key, value}, ListType::kTuple));
  return list_value(std::move(view), ListType::kView);
}

Value list_method(Evaluation& evaluation, const Value& self, const std::string& name,
                  const Arguments& arguments) {
  if (name == "copy") return self;
  const auto given = arguments.bound({"value"}, 1);
  const std::vector<Value>& items = list_of(self)->items;
  const auto same = [&](const Value& item) { return equal(item, given[0], evaluation.meter()); };
  if (name == "count") return static_cast<std::int64_t>(std::ranges::count_if(items, same));
  const auto at = std::ranges::find_if(items, same);
  if (at == items.end()) throw BadInput("an item is not found that should be there");
  return static_cast<std::int64_t>(at - items.begin());
}

bool changes(std::string_view name) {
  static constexpr auto kUnchanging =
      std::to_array<std::string_view>({"get", "items", "keys", "values", "copy", "count", "index"});
  return std::ranges::find(kUnchanging, name) == kUnchanging.end();
}

Value called_method(Evaluation& evaluation, const BoundMethod& method, const Arguments& arguments) {
  if (const MarkedText* text = text_of(method.self)) {
    const NamedTextMethod* const known = text_method(method.name);
    if (known->method == nullptr) throw BadInput("it is not supported");
    return known->method(evaluation, *text, arguments);
  }
  if (const auto* loop = method.self.get<const Loop*>()) {
    if (method.name != "cycle" || arguments.positional.empty())
      throw BadInput("it is not supported");
    return arguments.positional[(*loop)->at % arguments.positional.size()];
  }
  if (changes(method.name)) throw BadInput("a template cannot change a list or a dict");
  if (dict_of(method.self) != nullptr)
    return dict_method(evaluation, method.self, method.name, arguments);
  return list_method(evaluation, method.self, method.name, arguments);
}

}  // namespace

bool has_method(const Value& self, std::string_view name) {
  const auto among = [&](const auto& names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (text_of(self) != nullptr) return text_method(name) != nullptr;
  if (dict_of(self) != nullptr) return among(kDictMethods);
  if (self.is<const Loop*>()) return among(kLoopMethods);
  const List* const list = list_of(self);
  if (list == nullptr) return false;
  if (list->type == ListType::kList) return among(kListMethods);
  return (list->type == ListType::kTuple || list->type == ListType::kRange) && among(kTupleMethods);
}

Value call_method(Evaluation& evaluation, const BoundMethod& method, const Arguments& arguments) {
  evaluation.meter().spend(kCostOfStep);
  try {
    return called_method(evaluation, method, arguments);
  } catch (const BadInput& error) {
    throw BadInput("method " + method.name + ": " + error.what());
  }
}

}  // namespace lab::chat
