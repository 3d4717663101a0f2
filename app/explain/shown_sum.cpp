#include "app/explain/explain_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "app/base/machine_numbers.h"

namespace lab::explain {
namespace {

// One unit of the last digit of "0.80", "7.1e-3", "12".
double last_digit(const std::string& text) {
  const std::size_t end = std::min(text.find('e'), text.size());
  const std::size_t point = text.find_first_of(".,");
  const int decimals = point < end ? static_cast<int>(end - point) - 1 : 0;
  int exponent = 0;
  if (end < text.size()) {
    const std::size_t first = end + (text[end + 1] == '+' ? 2 : 1);
    from_characters(text.data() + first, text.data() + text.size(), exponent);
  }
  return std::pow(10.0, exponent - decimals);
}

std::vector<std::size_t> order_of(const std::vector<float>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) {
    return std::isnan(values[i]) ? HUGE_VALF : std::abs(values[i]);
  });
  return order;
}

template <typename Item>
void arrange(std::vector<Item>& items, const std::vector<std::size_t>& order) {
  if (items.size() != order.size()) return;
  std::vector<Item> arranged;
  arranged.reserve(items.size());
  for (const std::size_t index : order) arranged.push_back(items[index]);
  items = std::move(arranged);
}

}  // namespace

double shown_value(const std::string& text) {
  std::string number = text;
  std::ranges::replace(number, ',', '.');
  double value = std::numeric_limits<double>::quiet_NaN();
  from_characters(number.data(), number.data() + number.size(), value);
  return value;
}

bool is_rounding_of(double exact, const std::string& result) {
  const double shown = shown_value(result);
  if (!std::isfinite(exact) || !std::isfinite(shown)) return true;
  constexpr double kSafety = 1e-6;  // for sums of decimal numbers in binary
  return std::abs(exact - shown) < (0.5 - kSafety) * last_digit(result);
}

void check_sum(ExplainLine& line, const attention::Explanation& cell, NumberText number) {
  if (cell.overridden) return;
  double sum = 0;
  for (const attention::Term& term : cell.terms)
    sum += shown_value(number(term.b ? term.product : double{term.a.value}));
  line.rounded = !is_rounding_of(sum, line.result);
}

bool are_right(const Lines& lines) { return std::ranges::none_of(lines, &ExplainLine::rounded); }

std::vector<ExplainLine> by_contribution(std::vector<ExplainLine> lines) {
  const auto products = std::ranges::find(lines, true, &ExplainLine::products);
  if (products == lines.end()) return lines;
  const std::vector<std::size_t> order = order_of(products->values);
  for (ExplainLine& line : lines) {
    if (line.values.size() != order.size()) continue;
    arrange(line.values, order);
    arrange(line.cells, order);
  }
  return lines;
}

}  // namespace lab::explain
