#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/base/bad_input.h"
#include "app/chat/marked_text.h"

// The values that a template computes with: those of Python, as far as templates of chats use them.

namespace lab::chat {

struct Value;
struct List;
struct Dict;
struct BoundMethod;
struct Namespace;
struct Loop;
struct Macro;

/// What a name stands for that nothing was assigned to.
struct Undefined {
  std::shared_ptr<const std::string> what;  ///< "'x' is undefined"; null: without a name
};
struct None {};
/// A function of the language, by its name: range, namespace …
struct Function {
  const char* name = nullptr;
};

using TextPointer = std::shared_ptr<const MarkedText>;
using ListPointer = std::shared_ptr<const List>;
using DictPointer = std::shared_ptr<const Dict>;
using MethodPointer = std::shared_ptr<const BoundMethod>;

/// One value. Texts, lists and dicts are never changed, so that copies share them. Namespaces,
/// loops and macros belong to the evaluation in which they are made.
struct Value {
  std::variant<Undefined, None, bool, std::int64_t, double, TextPointer, ListPointer, DictPointer,
               MethodPointer, Function, Namespace*, const Loop*, const Macro*>
      content;

  Value() = default;
  /// A value is any of these.
  template <typename Content>
  requires(!std::same_as<Content, Value>) Value(Content given) : content(std::move(given)) {}

  /// The content if it is of this type, else null.
  template <typename Content>
  const Content* get() const {
    return std::get_if<Content>(&content);
  }
  template <typename Content>
  bool is() const {
    return std::holds_alternative<Content>(content);
  }
};

/// What a list is to Python, which decides what can be done with it.
enum class ListType {
  kList,
  kTuple,
  kRange,     ///< of range()
  kView,      ///< items, keys or values of a dict: has a length and no places
  kIterator,  ///< what filters such as map return: true, without length, and goes by once
};

struct List {
  std::vector<Value> items;
  ListType type = ListType::kList;
  int height = 1;                ///< how deep lists and dicts are nested
  mutable bool went_by = false;  ///< of an iterator: someone has read it
};

struct Dict {
  std::vector<std::pair<Value, Value>> members;  ///< in the order in which they were added
  int height = 1;
};

struct BoundMethod {
  Value self;
  std::string name;
};

/// Counts what a template spends, so that no template computes or stores without bound.
class Meter {
 public:
  /// Spends `units`: about one for a byte that is copied. Throws BadInput when too much is spent.
  void spend(std::size_t units) {
    if (units > left_) throw BadInput("it computes too long or makes too much text");
    left_ -= units;
  }

 private:
  std::size_t left_ = std::size_t{1} << 26U;
};

/// Units that a step, and an item of a list, cost.
inline constexpr std::size_t kCostOfStep = 16, kCostOfItem = 32;

Value text_value(std::string text, Mark mark = 0);
Value text_value(MarkedText text);
/// A list of `items`. Throws BadInput when it is nested too deep.
Value list_value(std::vector<Value> items, ListType type = ListType::kList);
/// A dict of `members`. Throws BadInput when it is nested too deep.
Value dict_value(std::vector<std::pair<Value, Value>> members);
/// The value of `json`, nested at most 64 deep; texts come from `mark`.
Value json_value(const nlohmann::ordered_json& json, Mark mark = 0);
Value undefined(std::string what);

/// The name of the type of `value`, for messages: "a text", "nothing".
std::string type_name(const Value& value);

/// Whether Python takes `value` for true.
bool is_true(const Value& value);

/// The value of `key` in `dict`; null when there is none.
const Value* member(const Dict& dict, const Value& key, Meter& meter);
const Value* member(const Dict& dict, std::string_view key);

/// What a loop over `value` goes through: items, keys of a dict, characters of a text. Throws
/// BadInput when there is nothing to go through.
std::vector<Value> items_of(const Value& value, Meter& meter);

/// Number of items, members or characters. Throws BadInput when there is none.
std::size_t length_of(const Value& value);

/// Whether both are equal to Python.
bool equal(const Value& a, const Value& b, Meter& meter);
/// Negative, 0 or positive as `a` is before, equal to or after `b`. Throws BadInput for values that
/// have no order.
int order_of(const Value& a, const Value& b, Meter& meter);

/// The text that Python prints for `value`: str(). Throws BadInput for what prints as an address.
MarkedText printed(const Value& value, Meter& meter);
/// The text that Python prints for `value` within a list: repr().
MarkedText represented(const Value& value, Meter& meter);
/// `value` as JSON, as Python's json.dumps writes it without escaping other than ASCII;
/// `separators` are between items and after a key, `indent` null or what lines begin with for each
/// level.
struct JsonStyle {
  const std::string* indent = nullptr;
  std::string item_separator = ", ", key_separator = ": ";
  bool ascii = false;
  bool sorted = false;
};
MarkedText json_text_of(const Value& value, const JsonStyle& style, Meter& meter);

/// The text of `value`, or null when it is none.
inline const MarkedText* text_of(const Value& value) {
  const auto* text = value.get<TextPointer>();
  return text == nullptr ? nullptr : text->get();
}
inline const List* list_of(const Value& value) {
  const auto* list = value.get<ListPointer>();
  return list == nullptr ? nullptr : list->get();
}
inline const Dict* dict_of(const Value& value) {
  const auto* dict = value.get<DictPointer>();
  return dict == nullptr ? nullptr : dict->get();
}

}  // namespace lab::chat
