#include <algorithm>
#include <array>

#include "app/base/unicode_text.h"
#include "app/chat/evaluation.h"

// Tests: {{ input is name(arguments) }}.

namespace lab::chat {
namespace {

using TestFunction = bool (*)(Evaluation&, const Value& input, const std::vector<Value>& given);

std::int64_t tested_number(const Value& value) {
  if (const auto* whole = value.get<std::int64_t>()) return *whole;
  if (const auto* flag = value.get<bool>()) return *flag ? 1 : 0;
  throw BadInput("a whole number is tested that is " + type_name(value));
}

bool is_number(Evaluation& /*evaluation*/, const Value& input,
               const std::vector<Value>& /*given*/) {
  return input.is<std::int64_t>() || input.is<double>() || input.is<bool>();
}

bool is_sequence(Evaluation& /*evaluation*/, const Value& input,
                 const std::vector<Value>& /*given*/) {
  const List* const list = list_of(input);
  if (list != nullptr) return list->type != ListType::kView && list->type != ListType::kIterator;
  return input.is<Undefined>() || text_of(input) != nullptr || dict_of(input) != nullptr;
}

bool is_iterable(Evaluation& /*evaluation*/, const Value& input,
                 const std::vector<Value>& /*given*/) {
  return input.is<Undefined>() || text_of(input) != nullptr || dict_of(input) != nullptr ||
         list_of(input) != nullptr || input.is<const Loop*>();
}

bool is_callable(Evaluation& /*evaluation*/, const Value& input,
                 const std::vector<Value>& /*given*/) {
  return input.is<Undefined>() || input.is<MethodPointer>() || input.is<Function>() ||
         input.is<const Macro*>();
}

// Whether both are one object, which is known of the values that Python keeps once.
bool is_same(Evaluation& evaluation, const Value& input, const std::vector<Value>& given) {
  if (input.content.index() != given[0].content.index()) return false;
  if (!input.is<bool>() && !input.is<None>())
    throw BadInput("'is' compares with none, true and false alone");
  return equal(input, given[0], evaluation.meter());
}

template <bool lower>
bool is_in_case(Evaluation& evaluation, const Value& input, const std::vector<Value>& /*given*/) {
  const MarkedText text = printed(input, evaluation.meter());
  evaluation.meter().spend(32 * text.size());
  const std::string lowered = in_case(text, Case::kLower).bytes();
  const std::string raised = in_case(text, Case::kUpper).bytes();
  return lowered != raised && text.bytes() == (lower ? lowered : raised);
}

template <typename Content>
bool holds(Evaluation& /*evaluation*/, const Value& input, const std::vector<Value>& /*given*/) {
  return input.is<Content>();
}

template <bool expected>
bool is_flag(Evaluation& /*evaluation*/, const Value& input, const std::vector<Value>& /*given*/) {
  const auto* flag = input.get<bool>();
  return flag != nullptr && *flag == expected;
}

template <int rest>
bool leaves(Evaluation& /*evaluation*/, const Value& input, const std::vector<Value>& /*given*/) {
  return (tested_number(input) % 2 != 0) == (rest == 1);
}

bool is_divisible(Evaluation& /*evaluation*/, const Value& input, const std::vector<Value>& given) {
  const std::int64_t by = tested_number(given[0]);
  if (by == 0) throw BadInput("a number is divided by 0");
  return by == -1 || tested_number(input) % by == 0;
}

bool is_equal(Evaluation& evaluation, const Value& input, const std::vector<Value>& given) {
  return equal(input, given[0], evaluation.meter());
}
bool is_unequal(Evaluation& evaluation, const Value& input, const std::vector<Value>& given) {
  return !equal(input, given[0], evaluation.meter());
}
bool is_less(Evaluation& evaluation, const Value& input, const std::vector<Value>& given) {
  return order_of(input, given[0], evaluation.meter()) < 0;
}
bool is_greater(Evaluation& evaluation, const Value& input, const std::vector<Value>& given) {
  return order_of(input, given[0], evaluation.meter()) > 0;
}
bool is_at_most(Evaluation& evaluation, const Value& input, const std::vector<Value>& given) {
  return order_of(input, given[0], evaluation.meter()) <= 0;
}
bool is_at_least(Evaluation& evaluation, const Value& input, const std::vector<Value>& given) {
  return order_of(input, given[0], evaluation.meter()) >= 0;
}
bool is_in(Evaluation& evaluation, const Value& input, const std::vector<Value>& given) {
  return contains(given[0], input, evaluation.meter());
}
bool is_defined(Evaluation& /*evaluation*/, const Value& input,
                const std::vector<Value>& /*given*/) {
  return !input.is<Undefined>();
}

struct Test {
  std::string_view name;
  TestFunction function;
  std::size_t arguments = 0;
};

constexpr auto kTests = std::to_array<Test>({
    {"boolean", holds<bool>},
    {"callable", is_callable},
    {"defined", is_defined},
    {"divisibleby", is_divisible, 1},
    {"eq", is_equal, 1},
    {"==", is_equal, 1},
    {"equalto", is_equal, 1},
    {"even", leaves<0>},
    {"false", is_flag<false>},
    {"float", holds<double>},
    {"ge", is_at_least, 1},
    {">=", is_at_least, 1},
    {"greaterthan", is_greater, 1},
    {"gt", is_greater, 1},
    {">", is_greater, 1},
    {"in", is_in, 1},
    {"integer", holds<std::int64_t>},
    {"iterable", is_iterable},
    {"le", is_at_most, 1},
    {"<=", is_at_most, 1},
    {"lessthan", is_less, 1},
    {"lower", is_in_case<true>},
    {"lt", is_less, 1},
    {"<", is_less, 1},
    {"mapping", holds<DictPointer>},
    {"ne", is_unequal, 1},
    {"!=", is_unequal, 1},
    {"none", holds<None>},
    {"number", is_number},
    {"odd", leaves<1>},
    {"sameas", is_same, 1},
    {"sequence", is_sequence},
    {"string", holds<TextPointer>},
    {"true", is_flag<true>},
    {"undefined", holds<Undefined>},
    {"upper", is_in_case<false>},
});

}  // namespace

bool apply_test(Evaluation& evaluation, const std::string& name, const Value& input,
                const Arguments& arguments) {
  evaluation.meter().spend(kCostOfStep);
  const auto* const test = std::find_if(kTests.data(), kTests.data() + kTests.size(),
                                        [&](const Test& known) { return known.name == name; });
  if (test == kTests.data() + kTests.size())
    throw BadInput("the test " + in_quotes(name) + " is not supported");
  if (!arguments.named.empty() || arguments.positional.size() != test->arguments)
    throw BadInput("the test " + in_quotes(name) + " takes " + std::to_string(test->arguments) +
                   " arguments");
  return test->function(evaluation, input, arguments.positional);
}

}  // namespace lab::chat
