#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab::cli {

/// Number of terminal columns that `text` takes: 2 for each wide East Asian character, 0 for
/// combining marks and other zero-width characters, 1 for the rest.
int display_width(std::string_view text);

/// Alignment of a cell in its column.
enum class Side { kLeft, kRight };

/// A plain-text table; each column is as wide as its widest cell.
class TextTable {
 public:
  /// `sides` are the alignments of the columns; further columns use the last one. Precondition: at
  /// least one side.
  explicit TextTable(std::vector<Side> sides) : sides_(std::move(sides)) {}
  /// Adds a row; rows may have different numbers of cells. `note` is written after the last cell
  /// and does not affect column widths.
  void add(std::vector<std::string> cells, std::string note = {}) {
    rows_.push_back({std::move(cells), std::move(note)});
  }
  /// The table as text: two spaces between columns, no trailing spaces, each line ending in "\n".
  std::string text() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::string note;
  };

  std::vector<int> column_widths() const;
  std::string line(const Row& row, const std::vector<int>& widths) const;

  std::vector<Side> sides_;
  std::vector<Row> rows_;
};

}  // namespace lab::cli
