#include "app/view/editor/block_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "app/base/typed_number.h"
#include "app/base/visible_text.h"
#include "app/base/wording.h"
#include "app/document/commands/command.h"
#include "app/translation/words.h"
#include "app/view/editor/cell_editor.h"

namespace lab::view {
namespace {

using attention::Index;
using Cells = std::vector<std::string>;

constexpr std::array<std::string_view, 4> kBlanks{" ", "\u00A0", "\u202F", "\uFEFF"};

std::string_view trimmed(std::string_view text) {
  const auto at_start = [&](std::string_view blank) { return text.starts_with(blank); };
  const auto at_end = [&](std::string_view blank) { return text.ends_with(blank); };
  for (auto found = std::ranges::find_if(kBlanks, at_start); found != kBlanks.end();
       found = std::ranges::find_if(kBlanks, at_start)) {
    text.remove_prefix(found->size());
  }
  for (auto found = std::ranges::find_if(kBlanks, at_end); found != kBlanks.end();
       found = std::ranges::find_if(kBlanks, at_end)) {
    text.remove_suffix(found->size());
  }
  return text;
}

std::string_view unquoted(std::string_view cell) {
  cell = trimmed(cell);
  const bool quoted = cell.size() >= 2 && cell.front() == '"' && cell.back() == '"';
  return quoted ? trimmed(cell.substr(1, cell.size() - 2)) : cell;
}

Cells cells_of(std::string_view line) {
  Cells cells;
  while (true) {
    const std::size_t tab = line.find('\t');
    cells.emplace_back(unquoted(line.substr(0, tab)));
    if (tab == std::string_view::npos) return cells;
    line.remove_prefix(tab + 1);
  }
}

// The lines, which end with \n, \r\n or \r; the empty rest after the last line end does not count.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
    text.remove_prefix(text.starts_with("\r\n") ? 2 : std::min<std::size_t>(text.size(), 1));
  }
  return lines;
}

std::string location_text(std::size_t row, std::size_t col) {
  return tr("row {}, column {} of the copied cells",
            {std::to_string(row + 1), std::to_string(col + 1)});
}

std::optional<float> number_of(const std::string& cell) {
  // A blank inside would join two numbers into one. Where one cell is 1.234,5, another that is
  // 1.234 could mean either.
  const bool both_marks = cell.find(',') != cell.npos && cell.find('.') != cell.npos;
  if (both_marks || cell.find(' ') != cell.npos) return std::nullopt;
  return parse_typed_number(cell);
}

Expected<void> read_row(const Cells& cells, std::size_t row, attention::Matrix& numbers) {
  for (std::size_t col = 0; col < cells.size(); ++col) {
    const auto number = number_of(cells[col]);
    if (!number) {
      const std::string location = location_text(row, col), cell = printable(cells[col]);
      return fail(ErrorType::kBadInput, cell.empty()
                                            ? tr("It is empty: {}", {location})
                                            : tr("“{}” is not a number: {}", {cell, location}));
    }
    numbers(static_cast<Index>(row), static_cast<Index>(col)) = *number;
  }
  return {};
}

}  // namespace

std::string block_text(const attention::Matrix& numbers) {
  std::string text;
  for (Index i = 0; i < numbers.rows(); ++i) {
    for (Index j = 0; j < numbers.cols(); ++j) {
      if (j > 0) text += '\t';
      text += editable_text(numbers(i, j));
    }
    text += '\n';
  }
  return text;
}

Expected<attention::Matrix> read_block_text(std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(text);
  const std::size_t cols = lines.empty() ? 0 : cells_of(lines.front()).size();
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return fail(ErrorType::kBadInput, tr("There is nothing to paste."));
  if (lines.size() * cols > static_cast<std::size_t>(kLargestBlock)) {
    return fail(ErrorType::kBadInput,
                tr("{} × {} cells are more than can be pasted at once",
                   {grouped(std::ssize(lines)), grouped(static_cast<Index>(cols))}));
  }
  attention::Matrix numbers(std::ssize(lines), static_cast<Index>(cols));
  for (std::size_t row = 0; row < lines.size(); ++row) {
    const Cells cells = cells_of(lines[row]);
    if (cells.size() != cols) {
      return fail(
          ErrorType::kBadInput,
          tr("The copied rows differ in length: row 1 has {} cells, row {} has {}",
             {std::to_string(cols), std::to_string(row + 1), std::to_string(cells.size())}));
    }
    if (auto read = read_row(cells, row, numbers); !read) {
      return tl::make_unexpected(read.error());
    }
  }
  return numbers;
}

}  // namespace lab::view
