#include "app/chat/evaluation.h"

#include <algorithm>
#include <array>

#include "app/chat/lexer.h"

namespace lab::chat {
namespace {

constexpr int kDeepest = 400;

// Counts how deep an evaluation is nested, while it lives.
class Deeper {
 public:
  explicit Deeper(int& depth) : depth_(depth) {
    if (depth >= kDeepest) throw BadInput("it is nested too deep");
    ++depth_;
  }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
  Deeper(Deeper&&) = delete;
  Deeper& operator=(Deeper&&) = delete;

 private:
  int& depth_;
};

// Has names of its own while it lives.
class Inner {
 public:
  Inner(std::shared_ptr<Scope>& scope, std::shared_ptr<const Scope> around)
      : scope_(scope), outside_(scope) {
    auto inner = std::make_shared<Scope>();
    inner->around = std::move(around);
    scope_ = std::move(inner);
  }
  explicit Inner(std::shared_ptr<Scope>& scope) : Inner(scope, scope) {}
  ~Inner() { scope_ = std::move(outside_); }
  Inner(const Inner&) = delete;
  Inner& operator=(const Inner&) = delete;
  Inner(Inner&&) = delete;
  Inner& operator=(Inner&&) = delete;

 private:
  std::shared_ptr<Scope>& scope_;
  std::shared_ptr<Scope> outside_;
};

Value loop_attribute(const Loop& loop, const std::string& name) {
  const auto at = static_cast<std::int64_t>(loop.at);
  const auto size = static_cast<std::int64_t>(loop.items.size());
  if (name == "index") return at + 1;
  if (name == "index0") return at;
  if (name == "revindex") return size - at;
  if (name == "revindex0") return size - at - 1;
  if (name == "first") return at == 0;
  if (name == "last") return at + 1 == size;
  if (name == "length") return size;
  if (name == "depth") return std::int64_t{1};  // only recursive loops are deeper
  if (name == "depth0") return std::int64_t{0};
  if (name == "previtem")
    return at == 0 ? undefined("there is no previous item") : loop.items[loop.at - 1];
  if (name == "nextitem")
    return at + 1 >= size ? undefined("there is no next item") : loop.items[loop.at + 1];
  return undefined("a loop has no attribute " + in_quotes(name));
}

[[noreturn]] void refuse_undefined(const Value& value) { throw BadInput(type_name(value)); }

// The place that `key` means in `size` items; nothing when there is none.
std::optional<std::size_t> place_of(const Value& key, std::size_t size) {
  std::int64_t place = 0;
  if (const auto* whole = key.get<std::int64_t>())
    place = *whole;
  else if (const auto* flag = key.get<bool>())
    place = *flag ? 1 : 0;
  else
    return std::nullopt;
  const auto count = static_cast<std::int64_t>(size);
  if (place < 0) place += count;
  if (place < 0 || place >= count) return std::nullopt;
  return static_cast<std::size_t>(place);
}

}  // namespace

std::vector<Value> Arguments::bound(std::initializer_list<const char*> names,
                                    std::size_t required) const {
  if (positional.size() > names.size())
    throw BadInput("it takes " + std::to_string(names.size()) + " arguments, not " +
                   std::to_string(positional.size()));
  std::vector<Value> values = positional;
  values.resize(names.size());
  for (const auto& [name, value] : named) {
    const auto* const at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) throw BadInput("it takes no argument " + in_quotes(name));
    values[static_cast<std::size_t>(at - names.begin())] = value;
  }
  for (std::size_t i = positional.size(); i < required; ++i) {
    const char* const name = *(names.begin() + i);
    if (std::ranges::none_of(named, [&](const auto& given) { return given.first == name; }))
      throw BadInput("the argument " + in_quotes(name) + " is missing");
  }
  return values;
}

Evaluation::Evaluation(const std::vector<std::pair<std::string, Value>>& names, const std::tm& now)
    : now_(now), scope_(std::make_shared<Scope>()) {
  scope_->names = functions();
  for (const auto& [name, value] : names) scope_->set(name, value);
  auto top = std::make_shared<Scope>();
  top->around = scope_;
  scope_ = std::move(top);
}

MarkedText Evaluation::run(const std::vector<Statement>& statements) {
  try {
    MarkedText out;
    run_body(statements, out);
    return out;
  } catch (const BadInput& error) {
    throw BadInput(at_line(line_) + error.what());
  }
}

Namespace* Evaluation::new_namespace() {
  meter_.spend(kCostOfItem);
  return &namespaces_.emplace_back();
}

// Statements.

Evaluation::Flow Evaluation::run_body(const Body& body, MarkedText& out) {
  const Deeper deeper(depth_);
  for (const Statement& statement : body)
    if (const Flow flow = run_statement(statement, out); flow != Flow::kOn) return flow;
  return Flow::kOn;
}

void Evaluation::print(const Value& value, MarkedText& out) {
  const MarkedText text = printed(value, meter_);
  meter_.spend(text.size());
  out.append(text);
}

Evaluation::Flow Evaluation::run_statement(const Statement& statement, MarkedText& out) {
  line_ = statement.line;
  meter_.spend(kCostOfStep);
  switch (statement.type) {
    case StatementType::kText:
      meter_.spend(statement.text.size());
      out.append(statement.text);
      break;
    case StatementType::kOutput:
      print(value_of(statement.expressions.front()), out);
      break;
    case StatementType::kIf:
      return run_if(statement, out);
    case StatementType::kFor:
      return run_for(statement, out);
    case StatementType::kSet:
      assign(statement.targets.front(), value_of(statement.expressions.front()));
      break;
    case StatementType::kSetBlock:
      run_set_block(statement);
      break;
    case StatementType::kMacro:
      scope_->set(statement.text, new_macro(statement));
      break;
    case StatementType::kCall:
      run_call(statement, out);
      break;
    case StatementType::kFilter:
      run_filter(statement, out);
      break;
    case StatementType::kWith:
      run_with(statement, out);
      break;
    case StatementType::kBreak:
      return Flow::kBreak;
    case StatementType::kContinue:
      return Flow::kContinue;
    case StatementType::kGroup: {
      const Inner inner(scope_);
      return run_body(statement.bodies.front(), out);
    }
  }
  return Flow::kOn;
}

Evaluation::Flow Evaluation::run_if(const Statement& statement, MarkedText& out) {
  for (std::size_t i = 0; i < statement.expressions.size(); ++i) {
    meter_.spend(kCostOfStep);
    if (is_true(value_of(statement.expressions[i]))) return run_body(statement.bodies[i], out);
  }
  if (statement.bodies.size() > statement.expressions.size())
    return run_body(statement.bodies.back(), out);
  return Flow::kOn;
}

// What a loop goes through, without what its condition leaves out.
std::vector<Value> Evaluation::looped_items(const Statement& statement) {
  std::vector<Value> items = items_of(value_of(statement.expressions.front()), meter_);
  if (statement.expressions.size() < 2) return items;
  std::vector<Value> kept;
  for (Value& item : items) {
    const Inner inner(scope_);
    assign(statement.targets.front(), item);
    if (is_true(value_of(statement.expressions[1]))) kept.push_back(std::move(item));
  }
  return kept;
}

Evaluation::Flow Evaluation::run_for(const Statement& statement, MarkedText& out) {
  std::vector<Value> items = looped_items(statement);
  if (items.empty())
    return statement.bodies.size() > 1 ? run_body(statement.bodies[1], out) : Flow::kOn;
  Loop& loop = loops_.emplace_back();
  meter_.spend(kCostOfItem);
  loop.items = std::move(items);
  for (; loop.at < loop.items.size(); ++loop.at) {
    const Inner inner(scope_);
    meter_.spend(kCostOfItem);
    assign(statement.targets.front(), loop.items[loop.at]);
    scope_->set("loop", static_cast<const Loop*>(&loop));
    if (run_body(statement.bodies.front(), out) == Flow::kBreak) break;
  }
  return Flow::kOn;
}

MarkedText Evaluation::text_of_body(const Body& body) {
  const Inner inner(scope_);
  MarkedText text;
  run_body(body, text);
  return text;
}

// The text of a block after its filters.
Value Evaluation::filtered(const Statement& statement, MarkedText text) {
  Value value = text_value(std::move(text));
  if (statement.expressions.empty()) return value;
  const Inner inner(scope_);
  scope_->set(kFilteredText, std::move(value));
  return value_of(statement.expressions.front());
}

void Evaluation::run_set_block(const Statement& statement) {
  const Value value = filtered(statement, text_of_body(statement.bodies.front()));
  assign(statement.targets.front(), value);
}

void Evaluation::run_filter(const Statement& statement, MarkedText& out) {
  print(filtered(statement, text_of_body(statement.bodies.front())), out);
}

void Evaluation::run_call(const Statement& statement, MarkedText& out) {
  const Expression& call_expression = statement.expressions.front();
  const Value callee = value_of(call_expression.parts.front());
  Arguments arguments = arguments_of(call_expression);
  arguments.named.emplace_back("caller", new_macro(statement));
  print(call(callee, arguments), out);
}

void Evaluation::run_with(const Statement& statement, MarkedText& out) {
  const std::vector<Value> values = values_of(statement.expressions);
  const Inner inner(scope_);
  for (std::size_t i = 0; i < values.size(); ++i) assign(statement.targets[i], values[i]);
  run_body(statement.bodies.front(), out);
}

void Evaluation::assign(const Target& target, const Value& value) {
  meter_.spend(kCostOfStep);
  if (!target.parts.empty()) {
    const std::vector<Value> items = items_of(value, meter_);
    if (items.size() != target.parts.size())
      throw BadInput(std::to_string(items.size()) + " values are assigned to " +
                     std::to_string(target.parts.size()) + " names");
    for (std::size_t i = 0; i < items.size(); ++i) assign(target.parts[i], items[i]);
    return;
  }
  if (target.attribute.empty()) {
    meter_.spend(scope_->names.size() / 4);
    scope_->set(target.name, value);
    return;
  }
  const Value* const object = scope_->find(target.name, meter_);
  const auto* const space = object == nullptr ? nullptr : object->get<Namespace*>();
  if (space == nullptr)
    throw BadInput("an attribute of " + in_quotes(target.name) + " is set, which is no namespace");
  check_attribute(target.attribute);
  auto& attributes = (*space)->attributes;
  meter_.spend(kCostOfItem + attributes.size() / 4);
  const auto at = std::ranges::find_if(
      attributes, [&](const auto& one) { return one.first == target.attribute; });
  if (at == attributes.end())
    attributes.emplace_back(target.attribute, value);
  else
    at->second = value;
}

const Macro* Evaluation::new_macro(const Statement& statement) {
  meter_.spend(kCostOfItem);
  if (kept_.empty() || kept_.back() != scope_) kept_.push_back(scope_);
  macros_.push_back({&statement, scope_});
  return &macros_.back();
}

Value Evaluation::call_macro(const Macro& macro, const Arguments& arguments) {
  const Deeper deeper(depth_);
  const Statement& statement = *macro.statement;
  const Inner inner(scope_, macro.around.lock());
  const std::size_t before = statement.type == StatementType::kCall ? 1 : 0;
  const std::size_t defaults = statement.expressions.size() - before;
  const auto& names = statement.parameters;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto given = std::ranges::find_if(arguments.named,
                                            [&](const auto& one) { return one.first == names[i]; });
    if (i < arguments.positional.size())
      scope_->set(names[i], arguments.positional[i]);
    else if (given != arguments.named.end())
      scope_->set(names[i], given->second);
    else if (i + defaults >= names.size())
      scope_->set(names[i], value_of(statement.expressions[before + i + defaults - names.size()]));
    else
      scope_->set(names[i], undefined("the parameter " + in_quotes(names[i]) + " is not given"));
  }
  std::vector<Value> more;
  for (std::size_t i = names.size(); i < arguments.positional.size(); ++i)
    more.push_back(arguments.positional[i]);
  scope_->set("varargs", list_value(std::move(more), ListType::kTuple));
  std::vector<std::pair<Value, Value>> others;
  for (const auto& [name, value] : arguments.named) {
    if (name == "caller")
      scope_->set(name, value);
    else if (std::ranges::find(names, name) == names.end())
      others.emplace_back(text_value(name), value);
  }
  scope_->set("kwargs", dict_value(std::move(others)));
  MarkedText text;
  run_body(statement.bodies.front(), text);
  return text_value(std::move(text));
}

// Expressions.

Value Evaluation::value_of(const Expression& expression) {
  const Deeper deeper(depth_);
  line_ = expression.line;
  meter_.spend(kCostOfStep);
  const auto part = [&](std::size_t i) { return value_of(expression.parts[i]); };
  switch (expression.type) {
    case ExpressionType::kConstant:
      return expression.value;
    case ExpressionType::kName:
      return name_value(expression);
    case ExpressionType::kList:
      return list_value(values_of(expression.parts));
    case ExpressionType::kTuple:
      return list_value(values_of(expression.parts), ListType::kTuple);
    case ExpressionType::kDict:
      return dict_of_parts(expression);
    case ExpressionType::kAttribute:
      return attribute(part(0), expression.name);
    case ExpressionType::kItem: {
      const Value object = part(0);
      return item(object, part(1));
    }
    case ExpressionType::kSlice:
      return slice(expression);
    case ExpressionType::kCall:
    case ExpressionType::kFilter:
    case ExpressionType::kTest:
      return called(expression);
    case ExpressionType::kNot:
      return !is_true(part(0));
    case ExpressionType::kAnd: {
      Value left = part(0);
      return is_true(left) ? part(1) : left;
    }
    case ExpressionType::kOr: {
      Value left = part(0);
      return is_true(left) ? left : part(1);
    }
    case ExpressionType::kSign:
      return with_sign(expression.name, part(0));
    case ExpressionType::kArithmetic: {
      const Value left = part(0);
      const Value right = part(1);
      line_ = expression.line;
      return arithmetic(expression.name, left, right, meter_);
    }
    case ExpressionType::kJoin:
      return joined(expression);
    case ExpressionType::kCompare:
      return compared(expression);
    case ExpressionType::kConditional:
      return is_true(part(1)) ? part(0) : part(2);
  }
  return {};
}

Value Evaluation::name_value(const Expression& expression) {
  const Value* const value = scope_->find(expression.name, meter_);
  return value != nullptr ? *value : undefined(in_quotes(expression.name) + " is undefined");
}

std::vector<Value> Evaluation::values_of(const std::vector<Expression>& parts, std::size_t from) {
  std::vector<Value> values;
  for (std::size_t i = from; i < parts.size(); ++i) {
    meter_.spend(kCostOfItem);
    values.push_back(value_of(parts[i]));
  }
  return values;
}

Value Evaluation::dict_of_parts(const Expression& expression) {
  std::vector<std::pair<Value, Value>> members;
  for (std::size_t i = 0; i + 1 < expression.parts.size(); i += 2) {
    Value key = value_of(expression.parts[i]);
    Value value = value_of(expression.parts[i + 1]);
    if (list_of(key) != nullptr || dict_of(key) != nullptr)
      throw BadInput("the key of a dict is " + type_name(key));
    meter_.spend(kCostOfItem);
    const auto at = std::ranges::find_if(
        members, [&](const auto& one) { return equal(one.first, key, meter_); });
    if (at == members.end())
      members.emplace_back(std::move(key), std::move(value));
    else
      at->second = std::move(value);
  }
  return dict_value(std::move(members));
}

Value Evaluation::slice(const Expression& expression) {
  const std::vector<Value> parts = values_of(expression.parts);
  line_ = expression.line;
  if (parts.front().is<Undefined>()) refuse_undefined(parts.front());
  return sliced(parts[0], parts[1], parts[2], parts[3], meter_);
}

Arguments Evaluation::arguments_of(const Expression& expression) {
  Arguments arguments;
  arguments.positional = values_of(expression.parts, 1);
  const std::size_t first = arguments.positional.size() - expression.names.size();
  for (std::size_t i = 0; i < expression.names.size(); ++i)
    arguments.named.emplace_back(expression.names[i], std::move(arguments.positional[first + i]));
  arguments.positional.resize(first);
  return arguments;
}

Value Evaluation::called(const Expression& expression) {
  const Value first = value_of(expression.parts.front());
  const Arguments arguments = arguments_of(expression);
  line_ = expression.line;
  if (expression.type == ExpressionType::kFilter)
    return apply_filter(*this, expression.name, first, arguments);
  if (expression.type == ExpressionType::kTest)
    return apply_test(*this, expression.name, first, arguments);
  return call(first, arguments);
}

Value Evaluation::compared(const Expression& expression) {
  Value left = value_of(expression.parts.front());
  for (std::size_t i = 0; i < expression.names.size(); ++i) {
    Value right = value_of(expression.parts[i + 1]);
    line_ = expression.line;
    const std::string& name = expression.names[i];
    bool holds = false;
    if (name == "==" || name == "!=")
      holds = equal(left, right, meter_) == (name == "==");
    else if (name == "in" || name == "not in")
      holds = contains(right, left, meter_) == (name == "in");
    else if (left.is<Undefined>() || right.is<Undefined>())
      refuse_undefined(left.is<Undefined>() ? left : right);
    else if (const int order = order_of(left, right, meter_); name.front() == '<')
      holds = order < 0 || (order == 0 && name == "<=");
    else
      holds = order > 0 || (order == 0 && name == ">=");
    if (!holds) return false;
    left = std::move(right);
  }
  return true;
}

Value Evaluation::joined(const Expression& expression) {
  MarkedText text;
  for (const Value& value : values_of(expression.parts)) print(value, text);
  return text_value(std::move(text));
}

Value Evaluation::attribute(const Value& object, const std::string& name) {
  if (object.is<Undefined>()) refuse_undefined(object);
  if (has_method(object, name)) {
    auto method = std::make_shared<BoundMethod>();
    method->self = object;
    method->name = name;
    return MethodPointer(std::move(method));
  }
  if (const auto* loop = object.get<const Loop*>()) return loop_attribute(**loop, name);
  if (const auto* space = object.get<Namespace*>()) {
    meter_.spend((*space)->attributes.size() / 4);
    for (const auto& [known, value] : (*space)->attributes)
      if (known == name) return value;
  }
  if (const Dict* dict = dict_of(object)) {
    meter_.spend(dict->members.size());
    if (const Value* value = member(*dict, name)) return *value;
  }
  if (const auto* macro = object.get<const Macro*>(); macro != nullptr && name == "name")
    return text_value((*macro)->statement->text);
  return undefined(type_name(object) + " has no attribute " + in_quotes(name));
}

Value Evaluation::item(const Value& object, const Value& key) {
  if (object.is<Undefined>()) refuse_undefined(object);
  if (const Dict* dict = dict_of(object))
    if (const Value* value = member(*dict, key, meter_)) return *value;
  if (const List* list = list_of(object);
      list != nullptr && list->type != ListType::kView && list->type != ListType::kIterator)
    if (const auto place = place_of(key, list->items.size())) return list->items[*place];
  if (const MarkedText* text = text_of(object)) {
    meter_.spend(text->size());
    const std::vector<std::size_t> places = character_places(text->bytes());
    if (const auto place = place_of(key, places.size() - 1))
      return text_value(text->part(places[*place], places[*place + 1] - places[*place]));
  }
  if (const MarkedText* name = text_of(key)) return attribute(object, name->bytes());
  return undefined(type_name(object) + " has no such item");
}

Value Evaluation::call(const Value& callee, const Arguments& arguments) {
  if (callee.is<Undefined>()) refuse_undefined(callee);
  if (const auto* method = callee.get<MethodPointer>())
    return call_method(*this, **method, arguments);
  if (const auto* function = callee.get<Function>())
    return call_function(*this, function->name, arguments);
  if (const auto* macro = callee.get<const Macro*>()) return call_macro(**macro, arguments);
  throw BadInput(type_name(callee) + " is called");
}

}  // namespace lab::chat
