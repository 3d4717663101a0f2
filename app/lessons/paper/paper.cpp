#include "app/lessons/paper/paper.h"

#include <algorithm>
#include <numeric>

#include "app/figure/text/figure_text.h"
#include "app/translation/words.h"

namespace lab::lessons {
namespace {

constexpr double kWidth = 595, kHeight = 842;  // A4 in points
constexpr double kMargin = 48, kInside = kWidth - 2 * kMargin;
constexpr double kLine = 1.4, kSmallest = 5;
constexpr double kGap = 22;        // between tables
constexpr double kToWriteOn = 24;  // for a line of handwriting
constexpr double kLeastOnLastPage = 0.4, kLeastOnOtherPages = 0.8;
constexpr figure::Rgb kInk{20, 22, 26}, kDim{110, 114, 122}, kRule{170, 174, 182}, kKey{0, 90, 170};

constexpr std::size_t kWrapped = 3000;  // bytes of a paragraph that are wrapped at a time

// Splits at line breaks, and splits lines that are too long for wrapped() at a space.
std::vector<std::string> paragraphs_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start <= text.size();) {
    std::size_t end = std::min(text.find('\n', start), text.size());
    if (end - start > kWrapped) {
      const std::size_t blank = text.rfind(' ', start + kWrapped);
      if (blank != text.npos && blank > start) end = blank;
    }
    lines.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

// Cells have room for handwriting, in multiples of the font, where there is something to fill in.
constexpr double kWidthToFill = 3.2, kWidthToRead = 2.5, kHeightToFill = 2, kHeightToRead = 1.6;

// True when more than a few cells are to be filled in; in the answer key these are marked.
bool has_cells_to_fill(const PaperTable& table) {
  constexpr double kMoreThanAFew = 0.1;
  double cells = 0, marked = 0;
  for (const std::vector<bool>& row : table.marked) {
    cells += static_cast<double>(row.size());
    marked += static_cast<double>(std::ranges::count(row, true));
  }
  return marked > kMoreThanAFew * cells;
}

figure::shape::Text formula_of(const PaperTable& table, double font, double x, double baseline) {
  return {x,
          baseline,
          table.formula,
          font,
          kDim,
          figure::shape::Align::kLeft,
          figure::shape::Face::kSerifItalic,
          0,
          true};
}

}  // namespace

// Dimensions of a table in points.
struct Paper::TableSize {
  double font = 0, labels = 0, row = 0;
  std::vector<double> columns;             // their widths
  double width = 0, height = 0, head = 0;  // head: title and column labels
};

// A row of tables side by side.
struct Paper::TableRow {
  std::size_t end = 0;  // index after its last table
  double height = 0;
};

Paper::Paper(const std::string& title, bool key, double print)
    : ruler_(std::string(figure::kFigureFamily)),
      title_(title),
      text_(10.5 * print),
      heading_(13 * print),
      table_text_(9.5 * print) {
  constexpr double kTitle = 17;
  new_page();
  put(key ? tr("{} — answers", {title}) : title, 0, kInk, figure::shape::Face::kSansBold, kTitle);
  y_ += 6;
  if (key) return;
  const std::string name = tr("Name##of a student");
  const double beside = ruler_.width(name, figure::shape::Face::kSans, text_) + text_ / 2;
  add(figure::shape::Text{kMargin, y_ + text_, name, text_, kDim});
  add(figure::shape::Fill{kMargin + beside, y_ + text_ + 2, 260, 0.6, kRule});
  y_ += 2.6 * text_;
}

void Paper::new_page() {
  if (!pages_.empty()) least_filled_ = std::min(least_filled_, filled());
  figure::Figure page;
  page.width = kWidth;
  page.height = kHeight;
  page.title = title_;
  pages_.push_back(std::move(page));
  y_ = kMargin;
}

void Paper::ensure_room(double height) {
  if (y_ + height > kHeight - kMargin && y_ > kMargin) new_page();
}

void Paper::ensure_room(double whole, double first) {
  ensure_room(filled() < kLeastOnOtherPages ? first : whole);
}

std::vector<std::string> Paper::lines_of(const std::string& text, double indent,
                                         figure::shape::Face face, double size) const {
  constexpr std::size_t kMostLines = 1000;
  std::vector<std::string> lines;
  for (const std::string& paragraph : paragraphs_of(text))
    for (std::string& line :
         figure::wrapped(ruler_, paragraph, face, size, kInside - indent, kMostLines))
      lines.push_back(std::move(line));
  return lines;
}

void Paper::put(const std::string& text, double indent, figure::Rgb colour,
                figure::shape::Face face, double size) {
  for (const std::string& line : lines_of(text, indent, face, size)) {
    ensure_room(kLine * size);
    add(figure::shape::Text{kMargin + indent, y_ + size, line, size, colour,
                            figure::shape::Align::kLeft, face});
    y_ += kLine * size;
  }
}

double Paper::height_of(const std::string& text, double indent) const {
  const auto lines = lines_of(text, indent, figure::shape::Face::kSans, text_).size();
  return text_ * (kLine * static_cast<double>(lines) + 0.4);
}

void Paper::heading(const std::string& text) {
  ensure_room(5 * heading_);  // keeps at least some text below it on the same page
  y_ += heading_ * 0.7;
  put(text, 0, kInk, figure::shape::Face::kSansBold, heading_);
  y_ += heading_ * 0.25;
}

void Paper::text(const std::string& text, double indent) {
  put(text, indent, kInk, figure::shape::Face::kSans, text_);
  y_ += text_ * 0.4;
}

void Paper::code(const std::string& text, double indent) {
  put(text, indent, kInk, figure::shape::Face::kMono, text_);
  y_ += text_ * 0.4;
}

void Paper::answer(const std::string& text, double indent) {
  put(text, indent, kKey, figure::shape::Face::kSansBold, text_);
  y_ += text_ * 0.4;
}

void Paper::lines(int count, double indent) {
  ensure_room(kToWriteOn * count);
  for (int i = 0; i < count; ++i) {
    y_ += kToWriteOn;
    add(figure::shape::Fill{kMargin + indent, y_ - 6, kInside - indent, 0.6, kRule});
  }
  y_ += text_ * 0.4;
}

Paper::TableSize Paper::size_of(const PaperTable& table, double font, bool to_fill) const {
  TableSize size;
  size.font = font;
  const auto width = [&](const std::string& text) {
    return ruler_.width(text, figure::shape::Face::kSans, font);
  };
  for (const std::string& label : table.row_labels)
    size.labels = std::max(size.labels, width(label) + font * 0.6);
  for (std::size_t j = 0; j < table.column_labels.size(); ++j) {
    double& column = size.columns.emplace_back(font * (to_fill ? kWidthToFill : kWidthToRead));
    column = std::max(column, width(table.column_labels[j]) + font * 0.7);
    for (const auto& row : table.cells) column = std::max(column, width(row[j]) + font * 0.9);
  }
  size.row = font * (to_fill ? kHeightToFill : kHeightToRead);
  size.head = font * (table.title.empty() ? 1.6 : 3.4);
  const auto rows = static_cast<double>(table.cells.size());
  double named = ruler_.width(table.title, figure::shape::Face::kSansBold, font * 1.05);
  if (!table.formula.empty()) named += font + ruler_.width(formula_of(table, font, 0, 0));
  size.width = std::max(std::accumulate(size.columns.begin(), size.columns.end(), size.labels),
                        named + font);
  size.height = size.head + rows * size.row + font;
  return size;
}

void Paper::draw(const PaperTable& table, const TableSize& size, double x, double y) {
  using figure::shape::Align;
  const double font = size.font;
  double top = y;
  if (!table.title.empty()) {
    add(figure::shape::Text{x, top + font, table.title, font * 1.05, kInk, Align::kLeft,
                            figure::shape::Face::kSansBold});
    if (!table.formula.empty())
      add(formula_of(
          table, font,
          x + ruler_.width(table.title, figure::shape::Face::kSansBold, font * 1.05) + font,
          top + font));
    top += font * 1.9;
  }
  const double left = x + size.labels;
  double column = left;
  for (std::size_t j = 0; j < size.columns.size(); column += size.columns[j++])
    add(figure::shape::Text{column + size.columns[j] / 2, top + font * 0.95, table.column_labels[j],
                            font, kDim, Align::kCentre});
  top = y + size.head;
  for (std::size_t i = 0; i < table.cells.size(); ++i, top += size.row) {
    const double baseline = top + size.row / 2 + font * 0.36;
    add(figure::shape::Text{left - font * 0.5, baseline, table.row_labels[i], font, kDim,
                            Align::kRight});
    double cell = left;
    for (std::size_t j = 0; j < size.columns.size(); cell += size.columns[j++]) {
      const bool marked = !table.marked.empty() && table.marked[i][j];
      add(figure::shape::Frame{cell, top, size.columns[j], size.row, kRule, 0.5});
      if (!table.cells[i][j].empty())
        add(figure::shape::Text{
            cell + size.columns[j] / 2, baseline, table.cells[i][j], font, marked ? kKey : kInk,
            Align::kCentre, marked ? figure::shape::Face::kSansBold : figure::shape::Face::kSans});
    }
  }
}

// Uses the largest font with which all tables fit; empty if one is too large for a page in any
// font.
std::vector<Paper::TableSize> Paper::sizes_of(const std::vector<PaperTable>& tables) const {
  std::vector<TableSize> sizes;
  const bool to_fill = std::ranges::any_of(tables, has_cells_to_fill);  // rows alike, side by side
  for (const PaperTable& table : tables) {
    TableSize size = size_of(table, table_text_, to_fill);
    for (double font = table_text_; size.width > kInside && font > kSmallest; font -= 0.5)
      size = size_of(table, font - 0.5, to_fill);
    if (size.width > kInside || size.height > kHeight - 2 * kMargin) return {};
    sizes.push_back(size);
  }
  return sizes;
}

// Fills each row with as many tables as fit.
std::vector<Paper::TableRow> Paper::rows_of(const std::vector<TableSize>& sizes) {
  std::vector<TableRow> rows;
  for (std::size_t end = 0; end < sizes.size();) {
    double width = 0, height = 0;
    const std::size_t start = end;
    while (end < sizes.size() && (end == start || width + sizes[end].width <= kInside)) {
      width += sizes[end].width + kGap;
      height = std::max(height, sizes[end++].height);
    }
    rows.push_back({end, height});
  }
  return rows;
}

bool Paper::tables(const std::vector<PaperTable>& tables, double after) {
  const std::vector<TableSize> sizes = sizes_of(tables);
  std::size_t i = 0;
  for (const auto& [end, height] : rows_of(sizes)) {
    ensure_room(height + (end == sizes.size() ? after : 0));
    for (double x = kMargin; i < end; x += sizes[i++].width + kGap)
      draw(tables[i], sizes[i], x, y_);
    y_ += height + 0.6 * text_;
  }
  return sizes.size() == tables.size();
}

double Paper::height_of(const std::vector<PaperTable>& tables) const {
  double height = 0;
  for (const TableRow& row : rows_of(sizes_of(tables))) height += row.height + 0.6 * text_;
  return height;
}

double Paper::height_of_first(const std::vector<PaperTable>& tables, double after) const {
  const std::vector<TableRow> rows = rows_of(sizes_of(tables));
  if (rows.empty()) return after;
  return rows.front().height + 0.6 * text_ + (rows.size() == 1 ? after : 0);
}

double Paper::height_of_heading() const { return heading_ * (0.7 + kLine + 0.25); }

double Paper::height_of_lines(int count) const { return kToWriteOn * count + 0.4 * text_; }

double Paper::filled() const { return (y_ - kMargin) / (kHeight - 2 * kMargin); }

double Paper::flaw() const {
  const double others = std::max(0.0, kLeastOnOtherPages - least_filled_);
  return others + (pages_.size() > 1 ? std::max(0.0, kLeastOnLastPage - filled()) : 0);
}

std::vector<figure::Figure> Paper::take() {
  const std::string count = std::to_string(pages_.size());
  for (std::size_t i = 0; i < pages_.size(); ++i)
    pages_[i].shapes.emplace_back(figure::shape::Text{kWidth - kMargin, kHeight - kMargin / 2,
                                                      std::to_string(i + 1) + " / " + count, 8,
                                                      kDim, figure::shape::Align::kRight});
  return std::move(pages_);
}

std::vector<figure::Figure> well_filled(const std::function<Paper(double print)>& write) {
  Paper best = write(1);
  for (const double print :
       {0.98, 0.96, 0.94, 0.92, 1.02, 1.04, 0.9, 0.88, 0.86, 1.06, 1.08, 1.12}) {
    if (best.flaw() == 0) break;
    Paper other = write(print);
    if (other.flaw() < best.flaw()) best = std::move(other);
  }
  return best.take();
}

}  // namespace lab::lessons
