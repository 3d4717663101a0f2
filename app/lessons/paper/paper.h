#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/document/commands/command.h"
#include "app/figure/figure.h"
#include "app/figure/text/figure_text.h"

namespace lab::lessons {

/// A matrix on paper. A cell without text is a box to write in.
struct PaperTable {
  std::string title;    ///< "scores, head 1"
  std::string formula;  ///< Pango markup; may be empty
  std::vector<std::string> row_labels, column_labels;
  std::vector<std::vector<std::string>> cells;  ///< row by row
  std::vector<std::vector<bool>> marked;        ///< cells of the answer key, in colour
  std::optional<StageCell> origin;              ///< of a stage: its cell (0, 0)
};

/// A4 pages that are filled from top to bottom, black on white, with 12-point text.
class Paper {
 public:
  /// `title` stands on the first page, and a line for the student's name below it unless `key`,
  /// which says that this is the answer key.
  Paper(const std::string& title, bool key);

  /// Begins a new page unless that much height is left, in points.
  void need(double height);
  /// A heading.
  void heading(const std::string& text);
  /// A paragraph, its lines broken to fit; a line end in it begins a new line.
  void text(const std::string& text, double indent = 0);
  /// A line in numerals of one width, as it stands; what is too long for the page is broken.
  void code(const std::string& text, double indent = 0);
  /// A paragraph in the colour of the answer key.
  void answer(const std::string& text, double indent = 0);
  /// Lines to write on.
  void lines(int count, double indent = 0);
  /// Tables side by side as far as there is room. Returns false, and draws none, when one is wider
  /// than a page even in small print.
  bool tables(const std::vector<PaperTable>& tables);
  /// The height that text() takes, in points.
  double height_of(const std::string& text, double indent) const;
  /// The height that tables() takes, in points; 0 when it draws none.
  double height_of(const std::vector<PaperTable>& tables) const;

  /// The pages with their numbers.
  std::vector<figure::Figure> take();

 private:
  struct TableSize;
  struct TableRow;

  std::vector<std::string> lines_of(const std::string& text, double indent,
                                    figure::shape::Face face, double size) const;
  void put(const std::string& text, double indent, figure::Rgb colour, figure::shape::Face face,
           double size);
  template <typename OneShape>
  void add(OneShape shape) {
    pages_.back().shapes.emplace_back(std::move(shape));
  }
  void new_page();
  TableSize size_of(const PaperTable& table, double font) const;
  std::vector<TableSize> sizes_of(const std::vector<PaperTable>& tables) const;
  static std::vector<TableRow> rows_of(const std::vector<TableSize>& sizes);
  void draw(const PaperTable& table, const TableSize& size, double x, double y);

  figure::TextRuler ruler_;
  std::vector<figure::Figure> pages_;
  std::string title_;
  double y_ = 0;  // where the next thing begins
};

}  // namespace lab::lessons
