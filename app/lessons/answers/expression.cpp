#include "app/lessons/answers/expression.h"

#include <array>
#include <cmath>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/base/typed_number.h"
#include "app/explain/number_text.h"
#include "app/lessons/answers/expression_functions.h"
#include "app/lessons/answers/expression_tree.h"
#include "app/lessons/answers/live_reference.h"
#include "app/lessons/model/model_value.h"

namespace lab::lessons {
namespace {

// Numbers are equal if they agree to four decimals.
constexpr double kEqual = 0.00005;

Value value_of(const ExpressionNode& node, const Snapshot& live);

bool truth_or_throw(const Value& value) {
  if (const bool* truth = std::get_if<bool>(&value)) return *truth;
  throw BadInput("expected a comparison, found " + type_text(value));
}

bool equal(const Value& a, const Value& b) {
  const auto *left = std::get_if<std::string>(&a), *right = std::get_if<std::string>(&b);
  if (left && right) return *left == *right;
  const auto *yes = std::get_if<bool>(&a), *also = std::get_if<bool>(&b);
  if (yes && also) return *yes == *also;
  const double x = number_or_throw(a), y = number_or_throw(b);
  return x == y || std::abs(x - y) < kEqual;
}

double calculated(char sign, double left, double right) {
  switch (sign) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    default:
      return std::pow(left, right);
  }
}

// Short-circuits, so that "n_heads > 1 and weights[2, …] > 0.5" works with one head.
bool both_or_either(const BinaryNode& node, const Snapshot& live) {
  const bool left = truth_or_throw(value_of(*node.left, live));
  if (left == (node.sign == "or")) return left;
  return truth_or_throw(value_of(*node.right, live));
}

Value binary(const BinaryNode& node, const Snapshot& live) {
  if (node.sign == "and" || node.sign == "or") return both_or_either(node, live);
  const Value left = value_of(*node.left, live), right = value_of(*node.right, live);
  if (node.sign == "=") return equal(left, right);
  if (node.sign == "!=") return !equal(left, right);
  const double a = number_or_throw(left), b = number_or_throw(right);
  if (node.sign == "<") return a < b;
  if (node.sign == ">") return a > b;
  if (node.sign == "<=") return a <= b;
  if (node.sign == ">=") return a >= b;
  return calculated(node.sign.front(), a, b);
}

struct Evaluation {
  const Snapshot& live;

  Value operator()(const NumberNode& node) const { return node.value; }
  Value operator()(const TextNode& node) const { return node.text; }
  Value operator()(const NameNode& node) const { return named_value(node.name, live); }
  Value operator()(const ReferenceNode& node) const { return referenced(node, live); }
  Value operator()(const BinaryNode& node) const { return binary(node, live); }
  Value operator()(const UnaryNode& node) const {
    const Value value = value_of(*node.operand, live);
    if (node.sign == "not") return !truth_or_throw(value);
    return -number_or_throw(value);
  }
  Value operator()(const CallNode& node) const {
    if (is_unedited(node)) return value_of(*node.arguments.front(), without_model_edits(live));
    std::vector<Value> arguments;
    for (const NodePointer& argument : node.arguments)
      arguments.push_back(value_of(*argument, live));
    if (is_derivative(node)) return derivative(arguments[0], arguments[1], live);
    return call_function(node.function, arguments);
  }
};

Value value_of(const ExpressionNode& node, const Snapshot& live) {
  return std::visit(Evaluation{live}, node.value);
}

// Operator precedence; operands with lower precedence are written in brackets.
int strength(const ExpressionNode& node) {
  const auto* binary = std::get_if<BinaryNode>(&node.value);
  if (!binary) return std::holds_alternative<UnaryNode>(node.value) ? 5 : 7;
  const std::string& sign = binary->sign;
  if (sign == "or") return 0;
  if (sign == "and") return 1;
  if (sign == "+" || sign == "-") return 3;
  if (sign == "*" || sign == "/") return 4;
  return sign == "^" ? 6 : 2;
}

std::string printed(const std::string& sign) {
  if (sign == "-") return "−";
  if (sign == "*") return "×";
  if (sign == "/") return "÷";
  if (sign == "<=") return "≤";
  if (sign == ">=") return "≥";
  return sign == "!=" ? "≠" : sign;
}

std::string text_of(const Value& value, int decimals) {
  if (const auto number = number_of(value)) return plain_number(*number, decimals);
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "yes" : "no";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  std::string row;
  for (const CellValue& cell : std::get<ListValue>(value).cells)
    row += (row.empty() ? "" : between_numbers()) + plain_number(cell.value, decimals);
  return row;
}

struct Printing {
  const Snapshot& live;
  int decimals;

  std::string operator()(const NumberNode& node) const { return plain_number(node.value, 9); }
  std::string operator()(const TextNode& node) const { return "“" + node.text + "”"; }
  std::string operator()(const NameNode& node) const {
    return text_of(named_value(node.name, live), decimals);
  }
  std::string operator()(const ReferenceNode& node) const {
    return text_of(referenced(node, live), decimals);
  }
  std::string operator()(const UnaryNode& node) const {
    return (node.sign == "not" ? "not " : "−") + operand(*node.operand, 5);
  }
  std::string operator()(const BinaryNode& node) const {
    const int level = strength({node});
    const bool chains = node.sign == "+" || node.sign == "*";
    return operand(*node.left, level) + " " + printed(node.sign) + " " +
           operand(*node.right, level + (chains ? 0 : 1));
  }
  std::string operator()(const CallNode& node) const {
    if (is_unedited(node))
      return std::visit(Printing{without_model_edits(live), decimals},
                        node.arguments.front()->value);
    std::string arguments;
    for (const NodePointer& argument : node.arguments)
      arguments +=
          (arguments.empty() ? "" : between_numbers()) + std::visit(*this, argument->value);
    return node.function + "(" + arguments + ")";
  }
  std::string operand(const ExpressionNode& node, int least) const {
    const std::string text = std::visit(*this, node.value);
    return strength(node) < least ? "(" + text + ")" : text;
  }
};

}  // namespace

std::optional<double> number_of(const Value& value) {
  if (const double* number = std::get_if<double>(&value)) return *number;
  if (const auto* cell = std::get_if<CellValue>(&value)) return cell->value;
  return std::nullopt;
}

Expected<Value> Expression::evaluate(const Snapshot& live) const {
  return guarded([&] { return value_of(*root_, live); });
}

Expected<double> Expression::number(const Snapshot& live) const {
  return guarded([&] { return number_or_throw(value_of(*root_, live)); });
}

Expected<bool> Expression::truth(const Snapshot& live) const {
  return guarded([&] { return truth_or_throw(value_of(*root_, live)); });
}

Expected<std::string> Expression::with_numbers(const Snapshot& live, int decimals) const {
  return guarded([&] { return std::visit(Printing{live, decimals}, root_->value); });
}

std::string plain_number(double value, int decimals) {
  if (!std::isfinite(value)) return explain::format_fixed(static_cast<float>(value), decimals);
  std::string text = with_decimal_mark(rounded_digits(value, decimals));
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text == "−0" ? "0" : text;
}

}  // namespace lab::lessons
