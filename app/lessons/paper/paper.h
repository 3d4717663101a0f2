#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/document/commands/command.h"
#include "app/figure/figure.h"
#include "app/figure/text/figure_text.h"

namespace lab::lessons {

/// A matrix on paper. Empty cells are boxes to write in.
struct PaperTable {
  std::string title;    ///< "scores, head 1"
  std::string formula;  ///< Pango markup; may be empty
  std::vector<std::string> row_labels, column_labels;
  std::vector<std::vector<std::string>> cells;  ///< row by row
  std::vector<std::vector<bool>> marked;        ///< cells to highlight in the answer key
  std::optional<StageCell> origin;              ///< for a stage: its cell (0, 0)
};

/// Lays out black-on-white A4 pages from top to bottom, with 10.5-point text.
class Paper {
 public:
  /// Writes `title` on the first page, and a line for the student's name below it unless this is
  /// the answer key. All print but the title is `print` times as large.
  Paper(const std::string& title, bool key, double print = 1);

  /// Begins a new page unless at least `height` points are left on this one.
  void ensure_room(double height);
  /// The same for what may be split: begins a new page unless `whole` points are left, or, where
  /// that would leave too much of this one empty, the `first` of them, which stay together.
  void ensure_room(double whole, double first);
  /// A heading; never left alone at the end of a page.
  void heading(const std::string& text);
  /// A paragraph, wrapped to the page; line breaks in `text` are kept. `indent` is in points.
  void text(const std::string& text, double indent = 0);
  /// A line of monospaced text as it is; wrapped only if it is too long for the page.
  void code(const std::string& text, double indent = 0);
  /// A paragraph in the answer key's colour.
  void answer(const std::string& text, double indent = 0);
  /// Empty lines to write on.
  void lines(int count, double indent = 0);
  /// Tables, side by side where there is room; a page may end between rows of them. The last row
  /// stays with the `after` points that follow. Draws nothing and returns false if a table is too
  /// large for a page even in small print.
  bool tables(const std::vector<PaperTable>& tables, double after = 0);
  /// The height of text() in points.
  double height_of(const std::string& text, double indent) const;
  /// The height of tables() in points; 0 if it draws nothing.
  double height_of(const std::vector<PaperTable>& tables) const;
  /// The height of the tables before which no page may end, with `after` points if they are all.
  double height_of_first(const std::vector<PaperTable>& tables, double after) const;

  /// The height of heading() in points, if its text is short.
  double height_of_heading() const;
  /// The height of lines() in points.
  double height_of_lines(int count) const;
  /// How much is missing, in shares of a page, until all pages are filled well enough: 0 if the
  /// last of several is 40 % full and the emptiest of the others 80 %.
  double flaw() const;

  /// Adds the page numbers and returns the pages.
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
  double filled() const;  // the share of the page above y_
  TableSize size_of(const PaperTable& table, double font, bool to_fill) const;
  std::vector<TableSize> sizes_of(const std::vector<PaperTable>& tables) const;
  static std::vector<TableRow> rows_of(const std::vector<TableSize>& sizes);
  void draw(const PaperTable& table, const TableSize& size, double x, double y);

  figure::TextRuler ruler_;
  std::vector<figure::Figure> pages_;
  std::string title_;
  double text_, heading_, table_text_;  // sizes of print, in points
  double y_ = 0;                        // top of the next item, in points
  double least_filled_ = 1;             // of the pages before this one
};

/// The pages that `write` lays out, in slightly smaller or larger print if that fills them better
/// (see Paper::flaw). `write` is called once for each size that is tried.
std::vector<figure::Figure> well_filled(const std::function<Paper(double print)>& write);

}  // namespace lab::lessons
