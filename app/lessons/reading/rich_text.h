#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/answers/expression.h"

namespace lab::lessons {

/// A run of text in one style.
struct TextSpan {
  /// The style of the text.
  enum class Look { kPlain, kStrong, kEmphasis, kCode, kFormula };
  Look look = Look::kPlain;
  std::string text;                  ///< UTF-8; "\n" is a hard line break
  std::optional<Expression> live;    ///< a live number, shown instead of `text`
  std::optional<int> decimals = {};  ///< its number of decimals; unset: at most four
  int line = 0;                      ///< line of a live number in the file
  std::string target = {};           ///< target of a link in a page: "files.md#after-a-crash"
  bool separates = false;  ///< ", " between two live numbers: "; " where these have a decimal comma
  std::string label = {};  ///< a text of the window by its key; shown instead of `text`, translated
};

/// The cells of one table row; each cell is a list of spans.
using TextRow = std::vector<std::vector<TextSpan>>;

/// A paragraph, a heading or another block of text.
struct TextBlock {
  /// What the block is.
  enum class Type { kParagraph, kHeading, kItem, kCode, kQuote, kFormula, kTable };
  Type type = Type::kParagraph;
  int depth = 0;       ///< nesting depth of a list item
  std::string marker;  ///< of an item: "•" or "1."; empty for its further paragraphs
  std::vector<TextSpan> spans;
  int level = 0;                   ///< level of a heading, 1 to 6
  std::vector<TextRow> rows = {};  ///< rows of a table; the first is its header
};

/// Formatted text, block by block.
using RichText = std::vector<TextBlock>;

/// Reads Markdown: headings, paragraphs, strong and emphasised text, lists, quotes, code, formulas
/// between dollar signs (see formula_text), and live numbers, which are written as code that starts
/// with an equals sign: `= weights[1, it, animal]`, or `= d_k to 0` with the number of decimals.
/// Code that starts with "ui: " names a text of the window, as in `ui: Mask`.
/// Links become plain text. `line` is the line of the file where the text starts. Throws BadInput
/// if a live number is invalid or not closed, and for images, tables and HTML, which are not
/// supported.
RichText rich_text(std::string_view markdown, int line = 0);

/// Reads Markdown that is not a lesson, such as a page of the guide. Supports tables and keeps the
/// targets of links; code that starts with an equals sign is plain code. Throws BadInput for images
/// and HTML, which are not supported.
RichText page_text(std::string_view markdown);

/// Converts a LaTeX formula to plain characters: "\frac{QK^\top}{\sqrt{d_k}}" becomes "QKᵀ / √d_k".
/// Supports \sqrt, \frac, \cdot, \times, \top, \sum, \infty, \exp and the like, Greek letters, and
/// ^ and _ for characters that Unicode has. Anything else stays as written.
std::string formula_text(std::string_view latex);

/// The text with the current live numbers; "?" replaces numbers that do not exist.
std::string plain_text(const RichText& text, const Snapshot& live);

/// The text of a span, the current value of its live number, or the text of the window that it
/// names in the language of the process.
std::string span_text(const TextSpan& span, const Snapshot& live);

}  // namespace lab::lessons
