#include "app/cli/text.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>

namespace lab::cli {

namespace {

int character_width(UChar32 c) {
  if (c < 0) return 1;
  const int type = u_charType(c);
  if (type == U_NON_SPACING_MARK || type == U_ENCLOSING_MARK || type == U_FORMAT_CHAR) return 0;
  const int east_asian = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  return east_asian == U_EA_WIDE || east_asian == U_EA_FULLWIDTH ? 2 : 1;
}

std::string spaces(int count) { return std::string(static_cast<std::size_t>(count), ' '); }

}  // namespace

int display_width(std::string_view text) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto size = static_cast<int32_t>(text.size());
  int width = 0;
  for (int32_t i = 0; i < size;) {
    UChar32 c = 0;
    U8_NEXT(bytes, i, size, c);
    width += character_width(c);
  }
  return width;
}

std::vector<int> TextTable::column_widths() const {
  std::vector<int> widths;
  for (const Row& row : rows_) {
    widths.resize(std::max(widths.size(), row.cells.size()));
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row.cells[i]));
    }
  }
  return widths;
}

std::string TextTable::line(const Row& row, const std::vector<int>& widths) const {
  std::string text;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const std::string& cell = row.cells[i];
    const std::string padding = spaces(widths[i] - display_width(cell));
    const Side side = sides_[std::min(i, sides_.size() - 1)];
    if (i > 0) text += "  ";
    text += side == Side::kLeft ? cell + padding : padding + cell;
  }
  if (!row.note.empty()) text += "  " + row.note;
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string TextTable::text() const {
  const std::vector<int> widths = column_widths();
  std::string text;
  for (const Row& row : rows_) text += line(row, widths);
  return text;
}

}  // namespace lab::cli
