#include "app/lessons/answers/expression_functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "app/base/bad_input.h"
#include "core/gradient/layer_gradient.h"

namespace lab::lessons {
namespace {

using Arguments = std::vector<Value>;

const ListValue& list_or_throw(const Value& value) {
  if (const auto* list = std::get_if<ListValue>(&value)) return *list;
  throw BadInput("expected a row of numbers, found " + type_text(value));
}

const CellValue& cell_or_throw(const Value& value) {
  if (const auto* cell = std::get_if<CellValue>(&value)) return *cell;
  throw BadInput("expected a cell, found " + type_text(value));
}

// The numbers in one list argument, or all arguments.
std::vector<double> numbers_of(const Arguments& arguments) {
  std::vector<double> numbers;
  for (const Value& argument : arguments) {
    if (const auto* list = std::get_if<ListValue>(&argument)) {
      for (const CellValue& cell : list->cells) numbers.push_back(cell.value);
    } else {
      numbers.push_back(number_or_throw(argument));
    }
  }
  if (numbers.empty()) throw BadInput("there are no numbers");
  return numbers;
}

Value sum(const Arguments& arguments) {
  const auto numbers = numbers_of(arguments);
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

Value mean(const Arguments& arguments) {
  const auto numbers = numbers_of(arguments);
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

Value maximum(const Arguments& arguments) { return std::ranges::max(numbers_of(arguments)); }

Value minimum(const Arguments& arguments) { return std::ranges::min(numbers_of(arguments)); }

Value count(const Arguments& arguments) {
  return static_cast<double>(numbers_of(arguments).size());
}

Value largest(const Arguments& arguments) {
  const auto& cells = list_or_throw(arguments[0]).cells;
  return *std::ranges::max_element(cells, {}, &CellValue::value);
}

Value smallest(const Arguments& arguments) {
  const auto& cells = list_or_throw(arguments[0]).cells;
  return *std::ranges::min_element(cells, {}, &CellValue::value);
}

// exp(x − max) / Σ exp(x − max): subtracting the maximum keeps the exponentials from overflowing.
Value softmax(const Arguments& arguments) {
  ListValue list = list_or_throw(arguments[0]);
  const double most = std::ranges::max(list.cells, {}, &CellValue::value).value;
  double total = 0;
  for (CellValue& cell : list.cells) total += cell.value = std::exp(cell.value - most);
  for (CellValue& cell : list.cells) cell = {{}, cell.row, cell.column, cell.value / total};
  return list;
}

// −Σ p ln p, in nats; 0 ln 0 is 0.
Value entropy(const Arguments& arguments) {
  double total = 0;
  for (const double p : numbers_of(arguments)) total -= p > 0 ? p * std::log(p) : 0;
  return total;
}

double product(const ListValue& a, const ListValue& b) {
  if (a.cells.size() != b.cells.size())
    throw BadInput("rows of " + std::to_string(a.cells.size()) + " and " +
                   std::to_string(b.cells.size()) + " numbers cannot be multiplied");
  double total = 0;
  for (std::size_t i = 0; i < a.cells.size(); ++i) total += a.cells[i].value * b.cells[i].value;
  return total;
}

Value dot(const Arguments& arguments) {
  return product(list_or_throw(arguments[0]), list_or_throw(arguments[1]));
}

double length_of(const ListValue& list) { return std::sqrt(product(list, list)); }

Value length(const Arguments& arguments) { return length_of(list_or_throw(arguments[0])); }

// a · b / (|a| |b|)
Value cosine(const Arguments& arguments) {
  const ListValue &a = list_or_throw(arguments[0]), &b = list_or_throw(arguments[1]);
  return product(a, b) / (length_of(a) * length_of(b));
}

template <double (*function)(double)>
Value of_number(const Arguments& arguments) {
  return function(number_or_throw(arguments[0]));
}

Value rounded(const Arguments& arguments) {
  const double decimals = arguments.size() > 1 ? number_or_throw(arguments[1]) : 0;
  const double unit = std::pow(10.0, std::clamp(decimals, 0.0, 9.0));
  return std::round(number_or_throw(arguments[0]) * unit) / unit;
}

Value row_name(const Arguments& arguments) { return cell_or_throw(arguments[0]).row; }
Value column_name(const Arguments& arguments) { return cell_or_throw(arguments[0]).column; }

Value head_name(const Arguments& arguments) {
  const std::string& head = cell_or_throw(arguments[0]).head;
  if (head.empty()) throw BadInput("expected a number of a head of a trained model");
  return head;
}

// Its argument was evaluated in the model without its edits.
Value unedited_value(const Arguments& arguments) { return arguments[0]; }

// It is computed where the layer is known, see derivative().
Value derivative_value(const Arguments& arguments) { return arguments[1]; }

struct Function {
  std::string_view name;
  std::size_t least, most;  // number of arguments
  Value (*call)(const Arguments&);
};

constexpr std::size_t kAny = 20;
constexpr std::array kFunctions = {
    Function{"sum", 1, kAny, sum},
    Function{"mean", 1, kAny, mean},
    Function{"max", 1, kAny, maximum},
    Function{"min", 1, kAny, minimum},
    Function{"count", 1, kAny, count},
    Function{"largest", 1, 1, largest},
    Function{"smallest", 1, 1, smallest},
    Function{"softmax", 1, 1, softmax},
    Function{"entropy", 1, 1, entropy},
    Function{"dot", 2, 2, dot},
    Function{"length", 1, 1, length},
    Function{"cosine", 2, 2, cosine},
    Function{"exp", 1, 1, of_number<std::exp>},
    Function{"log", 1, 1, of_number<std::log>},
    Function{"sqrt", 1, 1, of_number<std::sqrt>},
    Function{"abs", 1, 1, of_number<std::fabs>},
    Function{"round", 1, 2, rounded},
    Function{"row", 1, 1, row_name},
    Function{"column", 1, 1, column_name},
    Function{"head", 1, 1, head_name},
    Function{"unedited", 1, 1, unedited_value},
    Function{"derivative", 2, 2, derivative_value},
};

const Function& function_named(std::string_view name) {
  const auto found = std::ranges::find(kFunctions, name, &Function::name);
  if (found != kFunctions.end()) return *found;
  std::string known;
  for (const Function& function : kFunctions)
    known += (known.empty() ? "" : ", ") + std::string(function.name);
  throw BadInput("there is no function " + in_quotes(name) + "; the functions are " + known);
}

using attention::Index;
using attention::LayerGradient;

const StageCell& stage_cell_or_throw(const CellValue& cell) {
  if (cell.cell) return *cell.cell;
  throw BadInput(
      "a derivative is of a number of a stage by one, such as "
      "derivative(weights[1, it, animal], X[it, 0])");
}

CellValue derivative_by(const CellValue& by, const LayerGradient& gradient,
                        const attention::Problem& problem) {
  const StageCell& cell = stage_cell_or_throw(by);
  const attention::Matrix& of_stage =
      stage_gradient(gradient, problem, cell.stage, static_cast<Index>(cell.head));
  CellValue result = by;
  result.value = of_stage.size() == 0 ? 0 : of_stage(cell.row, cell.col);
  return result;
}

}  // namespace

void check_call(const std::string& name, std::size_t arguments) {
  const Function& function = function_named(name);
  if (arguments >= function.least && arguments <= function.most) return;
  const bool one = function.least == 1 && function.most == 1;
  throw BadInput(name + " takes " +
                 (one                     ? "one argument"
                  : function.most == kAny ? "at least one argument"
                  : function.least == 1   ? "one or two arguments"
                                          : "two arguments") +
                 ", not " + std::to_string(arguments));
}

Value call_function(const std::string& name, const std::vector<Value>& arguments) {
  return function_named(name).call(arguments);
}

double number_or_throw(const Value& value) {
  if (const auto number = number_of(value)) return *number;
  throw BadInput("expected a number, found " + type_text(value));
}

std::string type_text(const Value& value) {
  constexpr std::array<const char*, 5> kTypes{"a number", "yes or no", "a text", "a cell",
                                              "a row of numbers"};
  return kTypes.at(value.index());
}

Value derivative(const Value& of, const Value& by, const Snapshot& live) {
  const auto* cell = std::get_if<CellValue>(&of);
  if (cell == nullptr) throw BadInput("a derivative is of one cell");
  const StageCell& asked = stage_cell_or_throw(*cell);
  if (!std::isfinite(cell->value)) throw BadInput("what is not a finite number has no derivative");
  const attention::Problem& problem = live.document.problem;
  const LayerGradient gradient = attention::gradient_of(
      problem, live.trace, cell_seed(problem, asked.stage, asked.head, asked.row, asked.col));
  if (const auto* one = std::get_if<CellValue>(&by)) return derivative_by(*one, gradient, problem);
  const auto* list = std::get_if<ListValue>(&by);
  if (list == nullptr) throw BadInput("a derivative is by a cell or a row of cells");
  ListValue result;
  for (const CellValue& one : list->cells)
    result.cells.push_back(derivative_by(one, gradient, problem));
  return result;
}

}  // namespace lab::lessons
