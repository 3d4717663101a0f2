#include <array>
#include <cstdio>

#include "app/chat/evaluation.h"

// Functions of the language.

namespace lab::chat {
namespace {

constexpr std::size_t kLongestRange = 100'000;  // as Jinja's sandbox allows

Value range(Evaluation& evaluation, const Arguments& arguments) {
  const auto given = arguments.bound({"start", "stop", "step"}, 1);
  const bool one = arguments.positional.size() == 1;
  const std::int64_t from = one ? 0 : whole_argument(given[0], 0);
  const std::int64_t to = whole_argument(given[one ? 0 : 1], 0);
  const std::int64_t step = whole_argument(given[2], 1);
  if (step == 0) throw BadInput("the step is 0");
  std::vector<Value> items;
  for (std::int64_t at = from; step > 0 ? at < to : at > to;) {
    if (items.size() == kLongestRange)
      throw BadInput("a range has more than " + std::to_string(kLongestRange) + " numbers");
    evaluation.meter().spend(kCostOfItem);
    items.emplace_back(at);
    if (__builtin_add_overflow(at, step, &at)) break;
  }
  return list_value(std::move(items), ListType::kRange);
}

Value new_namespace(Evaluation& evaluation, const Arguments& arguments) {
  Namespace* const space = evaluation.new_namespace();
  const auto add = [&](const std::string& name, const Value& value) {
    check_attribute(name);
    evaluation.meter().spend(kCostOfItem);
    space->attributes.emplace_back(name, value);
  };
  for (const Value& value : arguments.positional) {
    const Dict* const dict = dict_of(value);
    if (dict == nullptr) throw BadInput("it takes names, or a dict");
    for (const auto& [key, member] : dict->members) add(text_argument(key).bytes(), member);
  }
  for (const auto& [name, value] : arguments.named) add(name, value);
  return space;
}

Value dict(Evaluation& evaluation, const Arguments& arguments) {
  std::vector<std::pair<Value, Value>> members;
  if (arguments.positional.size() > 1) throw BadInput("it takes one dict, or names");
  for (const Value& value : arguments.positional) {
    if (dict_of(value) == nullptr) throw BadInput("it takes names, or a dict");
    evaluation.meter().spend(kCostOfItem * dict_of(value)->members.size());
    members = dict_of(value)->members;
  }
  for (const auto& named : arguments.named) {
    const auto same = [&](const auto& one) {
      const MarkedText* const key = text_of(one.first);
      return key != nullptr && key->bytes() == named.first;
    };
    const auto at = std::ranges::find_if(members, same);
    if (at == members.end())
      members.emplace_back(text_value(named.first), named.second);
    else
      at->second = named.second;
  }
  return dict_value(std::move(members));
}

Value raise_exception(Evaluation& evaluation, const Arguments& arguments) {
  const auto given = arguments.bound({"message"}, 1);
  throw BadInput("the template refuses this conversation: " +
                 in_quotes(printed(given[0], evaluation.meter()).bytes()));
}

std::string two_digits(int value, const char* format = "%02d") {
  std::array<char, 16> text{};
  const int size = std::snprintf(text.data(), text.size(), format, value);
  return {text.data(), static_cast<std::size_t>(size)};
}

// What a letter after % stands for at a time, in English.
std::string time_part(char letter, const std::tm& time) {
  static constexpr std::array kDays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                       "Thursday", "Friday", "Saturday"};
  static constexpr std::array kMonths = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
  std::string day = kDays.at(static_cast<std::size_t>(time.tm_wday));
  std::string month = kMonths.at(static_cast<std::size_t>(time.tm_mon));
  const int hour = time.tm_hour % 12 == 0 ? 12 : time.tm_hour % 12;
  switch (letter) {
    case 'A':
      return day;
    case 'a':
      return day.substr(0, 3);
    case 'B':
      return month;
    case 'b':
      return month.substr(0, 3);
    case 'd':
      return two_digits(time.tm_mday);
    case 'e':
      return two_digits(time.tm_mday, "%2d");
    case 'H':
      return two_digits(time.tm_hour);
    case 'I':
      return two_digits(hour);
    case 'j':
      return two_digits(time.tm_yday + 1, "%03d");
    case 'M':
      return two_digits(time.tm_min);
    case 'm':
      return two_digits(time.tm_mon + 1);
    case 'p':
      return time.tm_hour < 12 ? "AM" : "PM";
    case 'S':
      return two_digits(time.tm_sec);
    case 'Y':
      return std::to_string(time.tm_year + 1900);
    case 'y':
      return two_digits(time.tm_year % 100);
    case '%':
      return "%";
    default:
      throw BadInput("%" + std::string(1, letter) + " is not supported in a time");
  }
}

Value strftime_now(Evaluation& evaluation, const Arguments& arguments) {
  const auto given = arguments.bound({"format"}, 1);
  const std::string& format = text_argument(given[0]).bytes();
  std::string text;
  for (std::size_t i = 0; i < format.size(); ++i) {
    evaluation.meter().spend(kCostOfStep);
    bool plain = format[i] != '%' || i + 1 == format.size();
    if (plain) {
      text += format[i];
      continue;
    }
    ++i;
    if (format[i] == '-' && i + 1 < format.size()) {  // without zeros before it
      std::string part = time_part(format[++i], evaluation.now());
      part.erase(0, std::min(part.find_first_not_of("0 "), part.size() - 1));
      text += part;
    } else {
      text += time_part(format[i], evaluation.now());
    }
  }
  return text_value(std::move(text));
}

Value not_supported(Evaluation& /*evaluation*/, const Arguments& /*arguments*/) {
  throw BadInput("it is not supported");
}

struct NamedFunction {
  const char* name;
  Value (*function)(Evaluation&, const Arguments&);
};

constexpr auto kFunctions = std::to_array<NamedFunction>({
    {"range", range},
    {"namespace", new_namespace},
    {"dict", dict},
    {"raise_exception", raise_exception},
    {"strftime_now", strftime_now},
    {"cycler", not_supported},
    {"joiner", not_supported},
    {"lipsum", not_supported},
});

}  // namespace

void check_attribute(const std::string& name) {
  if (name.starts_with("_"))
    throw BadInput("a namespace has no attributes that begin with _: " + in_quotes(name));
}

std::vector<std::pair<std::string, Value>> functions() {
  std::vector<std::pair<std::string, Value>> all;
  all.reserve(kFunctions.size());
  for (const NamedFunction& known : kFunctions) all.emplace_back(known.name, Function{known.name});
  return all;
}

Value call_function(Evaluation& evaluation, std::string_view name, const Arguments& arguments) {
  for (const NamedFunction& known : kFunctions) {
    if (known.name != name) continue;
    if (known.function == raise_exception) return known.function(evaluation, arguments);
    try {
      return known.function(evaluation, arguments);
    } catch (const BadInput& error) {
      throw BadInput("function " + std::string(name) + ": " + error.what());
    }
  }
  throw BadInput("there is no function " + in_quotes(name));
}

}  // namespace lab::chat
