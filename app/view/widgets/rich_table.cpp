#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/view/widgets/rich_flow.h"
#include "app/view/widgets/widgets.h"

// Tables in formatted text: columns as wide as their content if there is room, a line below each
// row.

namespace lab::view {
namespace {

constexpr float kBetweenColumns = 20, kAboveCell = 4, kBelowCell = 5;

// Limits the columns to `room` in total. Narrow columns keep their width; the widest share the rest
// equally.
std::vector<float> shared_width(std::vector<float> preferred, float room) {
  std::vector<std::size_t> order(preferred.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t column) { return preferred[column]; });
  auto left = static_cast<float>(order.size());
  for (const std::size_t column : order) {
    preferred[column] = std::min(preferred[column], std::floor(room / left));
    room -= preferred[column];
    --left;
  }
  return preferred;
}

bool is_empty(const lessons::TextRow& row) {
  return std::ranges::all_of(row, [](const auto& cell) { return cell.empty(); });
}

}  // namespace

std::vector<float> RichFlow::column_widths(const lessons::TextBlock& block) const {
  std::vector<float> widths(block.rows.front().size());
  for (const lessons::TextRow& row : block.rows) {
    const bool head = &row == &block.rows.front();
    for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i)
      widths[i] = std::max(widths[i], width_of(row[i], head));
  }
  const auto gaps = static_cast<float>(widths.size() - 1);
  return shared_width(std::move(widths), width() - gaps * ui_.px(kBetweenColumns));
}

void RichFlow::table(const lessons::TextBlock& block, figure::Rgb colour) {
  if (block.rows.empty() || block.rows.front().empty()) return;
  const std::vector<float> widths = column_widths(block);
  for (const lessons::TextRow& row : block.rows) {
    const bool head = &row == &block.rows.front();
    if (!is_empty(row)) table_row(row, widths, colour, head);
  }
}

void RichFlow::table_row(const lessons::TextRow& row, std::span<const float> widths,
                         figure::Rgb colour, bool head) {
  skip(ui_.px(kAboveCell));
  float x = left_, bottom = y_;
  for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i) {
    RichFlow cell(ui_, {x, y_, widths[i], 0}, live_, draws_);
    cell.marks_ = marks_;
    cell.paragraph_of(row[i], colour, head);
    links_.insert(links_.end(), cell.links_.begin(), cell.links_.end());
    bottom = std::max(bottom, cell.y_);
    x += widths[i] + ui_.px(kBetweenColumns);
  }
  y_ = bottom + ui_.px(kBelowCell);
  const float line = std::max(1.0f, ui_.px(1));
  if (draws_) fill_rect(ui_, {left_, y_ - line, width(), line}, ui_.theme.line);
}

}  // namespace lab::view
