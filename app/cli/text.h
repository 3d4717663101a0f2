#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab::cli {

/// Columns that `text` takes on a terminal: 2 for wide East Asian characters, 0 for combining marks
/// and the like, 1 for the rest.
int display_width(std::string_view text);

/// Where a cell stands in its column.
enum class Side { kLeft, kRight };

/// Rows of text cells in columns as wide as their widest cell.
class TextTable {
 public:
  /// A table whose columns are aligned as `sides` says; columns beyond those like the last.
  /// Precondition: at least one side.
  explicit TextTable(std::vector<Side> sides) : sides_(std::move(sides)) {}
  /// Adds a row; rows may have different numbers of cells. The note follows the last cell and
  /// widens no column.
  void add(std::vector<std::string> cells, std::string note = {}) {
    rows_.push_back({std::move(cells), std::move(note)});
  }
  /// The table: two spaces between columns, none at the end of a line, lines end in "\n".
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
