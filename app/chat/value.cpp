#include "app/chat/value.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/chat/macro.h"

namespace lab::chat {
namespace {

constexpr int kHighest = 100;

int height_of(const Value& value) {
  if (const List* list = list_of(value)) return list->height;
  if (const Dict* dict = dict_of(value)) return dict->height;
  return 0;
}

int above(int height) {
  if (height >= kHighest) throw BadInput("lists are nested too deep");
  return height + 1;
}

// The number that a value is to Python, where true is 1.
struct Number {
  bool whole = true;
  std::int64_t integer = 0;
  double real = 0;
};

bool is_number(const Value& value, Number& number) {
  if (const auto* integer = value.get<std::int64_t>())
    number = {true, *integer, static_cast<double>(*integer)};
  else if (const auto* real = value.get<double>())
    number = {false, 0, *real};
  else if (const auto* flag = value.get<bool>())
    number = {true, *flag ? 1 : 0, *flag ? 1.0 : 0.0};
  else
    return false;
  return true;
}

int order_of_numbers(const Number& a, const Number& b) {
  if (a.whole && b.whole) return a.integer < b.integer ? -1 : (a.integer > b.integer ? 1 : 0);
  return a.real < b.real ? -1 : (a.real > b.real ? 1 : 0);
}

bool same_members(const Dict& a, const Dict& b, Meter& meter) {
  if (a.members.size() != b.members.size()) return false;
  return std::ranges::all_of(a.members, [&](const auto& one) {
    const Value* const other = member(b, one.first, meter);
    return other != nullptr && equal(one.second, *other, meter);
  });
}

bool same_items(const List& a, const List& b, Meter& meter) {
  if (a.type != b.type || a.type == ListType::kIterator || a.items.size() != b.items.size())
    return false;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!equal(a.items[i], b.items[i], meter)) return false;
  return true;
}

}  // namespace

Value text_value(std::string text, Mark mark) {
  return text_value(MarkedText(std::move(text), mark));
}

Value text_value(MarkedText text) { return std::make_shared<const MarkedText>(std::move(text)); }

Value list_value(std::vector<Value> items, ListType type) {
  auto list = std::make_shared<List>();
  for (const Value& item : items) list->height = std::max(list->height, above(height_of(item)));
  list->items = std::move(items);
  list->type = type;
  return ListPointer(std::move(list));
}

Value dict_value(std::vector<std::pair<Value, Value>> members) {
  auto dict = std::make_shared<Dict>();
  for (const auto& [key, value] : members)
    dict->height = std::max({dict->height, above(height_of(key)), above(height_of(value))});
  dict->members = std::move(members);
  return DictPointer(std::move(dict));
}

Value json_value(const nlohmann::ordered_json& json, Mark mark) {
  using Type = nlohmann::ordered_json::value_t;
  switch (json.type()) {
    case Type::boolean:
      return json.get<bool>();
    case Type::number_integer:
      return json.get<std::int64_t>();
    case Type::number_unsigned:
      if (json.get<std::uint64_t>() >
          static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        throw BadInput("the number " + json.dump() + " is too large");
      return json.get<std::int64_t>();
    case Type::number_float:
      return json.get<double>();
    case Type::string:
      return text_value(json.get<std::string>(), mark);
    case Type::array: {
      std::vector<Value> items;
      for (const auto& item : json) items.push_back(json_value(item, mark));
      return list_value(std::move(items));
    }
    case Type::object: {
      std::vector<std::pair<Value, Value>> members;
      for (const auto& [key, value] : json.items())
        members.emplace_back(text_value(key), json_value(value, mark));
      return dict_value(std::move(members));
    }
    default:
      return None{};
  }
}

Value undefined(std::string what) {
  return Undefined{std::make_shared<const std::string>(std::move(what))};
}

std::string type_name(const Value& value) {
  static constexpr const char* kNames[] = {
      "undefined", "none",     "a truth value", "a whole number", "a number", "a text", "a list",
      "a dict",    "a method", "a function",    "a namespace",    "a loop",   "a macro"};
  if (const auto* none = value.get<Undefined>(); none != nullptr && none->what != nullptr)
    return *none->what;
  return kNames[value.content.index()];
}

bool is_true(const Value& value) {
  if (const auto* flag = value.get<bool>()) return *flag;
  if (Number number; is_number(value, number)) return number.real != 0;
  if (const MarkedText* text = text_of(value)) return !text->empty();
  if (const List* list = list_of(value))
    return list->type == ListType::kIterator || !list->items.empty();
  if (const Dict* dict = dict_of(value)) return !dict->members.empty();
  if (const auto* loop = value.get<const Loop*>()) return !(*loop)->items.empty();
  return !value.is<Undefined>() && !value.is<None>();
}

const Value* member(const Dict& dict, const Value& key, Meter& meter) {
  if (const MarkedText* text = text_of(key)) {
    meter.spend(dict.members.size());
    return member(dict, text->bytes());
  }
  for (const auto& [name, value] : dict.members)
    if (equal(name, key, meter)) return &value;
  return nullptr;
}

const Value* member(const Dict& dict, std::string_view key) {
  for (const auto& [name, value] : dict.members)
    if (const MarkedText* text = text_of(name); text != nullptr && text->bytes() == key)
      return &value;
  return nullptr;
}

std::vector<Value> items_of(const Value& value, Meter& meter) {
  std::vector<Value> items;
  if (value.is<Undefined>()) return items;
  if (const List* list = list_of(value)) {
    if (list->went_by) return items;
    list->went_by = list->type == ListType::kIterator;
    meter.spend(kCostOfItem * list->items.size());
    return list->items;
  }
  if (const Dict* dict = dict_of(value)) {
    meter.spend(kCostOfItem * dict->members.size());
    for (const auto& [key, member] : dict->members) items.push_back(key);
    return items;
  }
  if (const MarkedText* text = text_of(value)) {
    meter.spend(4 * kCostOfItem * text->size());
    const std::vector<std::size_t> places = character_places(text->bytes());
    for (std::size_t i = 0; i + 1 < places.size(); ++i)
      items.push_back(text_value(text->part(places[i], places[i + 1] - places[i])));
    return items;
  }
  throw BadInput("there is nothing to go through: it is " + type_name(value));
}

std::size_t length_of(const Value& value) {
  if (value.is<Undefined>()) return 0;
  if (const List* list = list_of(value); list != nullptr && list->type != ListType::kIterator)
    return list->items.size();
  if (const Dict* dict = dict_of(value)) return dict->members.size();
  if (const MarkedText* text = text_of(value)) return character_count(text->bytes());
  if (const auto* loop = value.get<const Loop*>()) return (*loop)->items.size();
  throw BadInput("it has no length: it is " +
                 (list_of(value) != nullptr ? "what a filter goes through" : type_name(value)));
}

bool equal(const Value& a, const Value& b, Meter& meter) {
  meter.spend(1);
  Number left;
  Number right;
  if (is_number(a, left)) return is_number(b, right) && order_of_numbers(left, right) == 0;
  if (a.content.index() != b.content.index()) return false;
  if (a.is<Undefined>() || a.is<None>()) return true;
  if (const MarkedText* text = text_of(a)) {
    meter.spend(text->size());
    return text->bytes() == text_of(b)->bytes();
  }
  if (const List* list = list_of(a))
    return list == list_of(b) || same_items(*list, *list_of(b), meter);
  if (const Dict* dict = dict_of(a))
    return dict == dict_of(b) || same_members(*dict, *dict_of(b), meter);
  if (const auto* space = a.get<Namespace*>()) return *space == *b.get<Namespace*>();
  if (const auto* macro = a.get<const Macro*>()) return *macro == *b.get<const Macro*>();
  return false;
}

int order_of(const Value& a, const Value& b, Meter& meter) {
  meter.spend(1);
  Number left;
  Number right;
  if (is_number(a, left) && is_number(b, right)) return order_of_numbers(left, right);
  const MarkedText* const text = text_of(a);
  const MarkedText* const other = text_of(b);
  if (text != nullptr && other != nullptr) {
    meter.spend(std::min(text->size(), other->size()));
    return text->bytes().compare(other->bytes());  // the order of UTF-8 is that of characters
  }
  const List* const list = list_of(a);
  const List* const second = list_of(b);
  if (list == nullptr || second == nullptr || list->type != second->type)
    throw BadInput("there is no order between " + type_name(a) + " and " + type_name(b));
  for (std::size_t i = 0; i < std::min(list->items.size(), second->items.size()); ++i)
    if (!equal(list->items[i], second->items[i], meter))
      return order_of(list->items[i], second->items[i], meter);
  return order_of_numbers({true, static_cast<std::int64_t>(list->items.size()), 0},
                          {true, static_cast<std::int64_t>(second->items.size()), 0});
}

}  // namespace lab::chat
