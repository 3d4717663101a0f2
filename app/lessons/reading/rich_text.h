#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/answers/expression.h"

namespace lab::lessons {

/// A stretch of text in one look.
struct TextSpan {
  enum class Look { kPlain, kStrong, kEmphasis, kCode, kFormula };
  Look look = Look::kPlain;
  std::string text;                  ///< UTF-8; "\n" is the end of a line that was meant
  std::optional<Expression> live;    ///< a number to be shown in place of `text` …
  std::optional<int> decimals = {};  ///< … with just so many places; nothing: four at most
  int line = 0;                      ///< of a live number, in the file
};

/// A paragraph, a heading, or what else stands in a block of its own.
struct TextBlock {
  enum class Kind { kParagraph, kHeading, kItem, kCode, kQuote, kFormula };
  Kind kind = Kind::kParagraph;
  int depth = 0;       ///< of an item: how many lists it stands in
  std::string marker;  ///< of an item: "•", "1."; empty where it goes on with another paragraph
  std::vector<TextSpan> spans;
};

using RichText = std::vector<TextBlock>;

/// Reads Markdown: headings, paragraphs, strong and emphasised words, lists, quotes, code, formulas
/// between dollar signs (see formula_text), and numbers that follow the model, written as code that
/// begins with an equals sign: `= weights[1, it, animal]`, or `= d_k to 0` with the number of
/// places. Links are their text. `line` is that of the file on which the text begins. Throws
/// BadInput where such a number cannot be read or is not closed, and for pictures, tables and HTML,
/// which are not shown.
RichText rich_text(std::string_view markdown, int line = 0);

/// A formula in plain characters: "\frac{QK^\top}{\sqrt{d_k}}" is "QKᵀ / √d_k". Understands \sqrt,
/// \frac, \cdot, \times, \top, \sum, \infty, \exp and the like, Greek letters, and ^ and _ where
/// Unicode has the letter. What it does not know stays as it was written.
std::string formula_text(std::string_view latex);

/// The text with the numbers as they are now; "?" stands for one that is not there.
std::string plain_text(const RichText& text, const Snapshot& live);

/// What is shown of a span: its text, or its number as it is now.
std::string span_text(const TextSpan& span, const Snapshot& live);

}  // namespace lab::lessons
