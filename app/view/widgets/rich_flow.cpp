#include "app/view/widgets/rich_flow.h"

#include <algorithm>
#include <optional>

#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using Span = lessons::TextSpan::Look;
using Kind = lessons::TextBlock::Kind;

constexpr float kLine = 20, kBetween = 8, kListStep = 18, kBoxGap = 3;
constexpr float kPoints = 14, kFormulaPoints = 15;
constexpr float kCapitals = 0.36f;  // half of the height of capitals, in ems: labels stand on it

std::string escaped(std::string_view text) {
  std::string markup;
  for (const char c : text)
    markup += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return markup;
}

// Of UTF-8: a byte that no character begins with.
bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// A formula in plain characters as Pango markup: what no character stands for is set lower or
// higher, "W_K" and "x^{ij}".
std::string formula_markup(std::string_view text) {
  std::string markup;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool low = text[at] == '_', high = text[at] == '^';
    if ((!low && !high) || at + 1 == text.size()) {
      markup += escaped(text.substr(at, 1));
      continue;
    }
    const bool braced = text[at + 1] == '{';
    const std::size_t start = at + (braced ? 2 : 1);
    std::size_t end = braced ? std::min(text.find('}', start), text.size()) : start + 1;
    while (end < text.size() && is_continuation(text[end])) ++end;
    const std::string tag = low ? "sub>" : "sup>";
    markup.append("<").append(tag).append(escaped(text.substr(start, end - start)));
    markup.append("</").append(tag);
    at = braced ? end : end - 1;
  }
  return markup;
}

}  // namespace

// A stretch of one look, drawn by ImGui in `font`, or as a label where ImGui has no such face.
struct RichFlow::Piece {
  std::string text;
  const ImFont* font = nullptr;
  std::optional<figure::TextRequest> label;
  figure::Rgb colour;
  bool boxed = false;
};

RichFlow::RichFlow(Ui& ui, const Rect& area, const Snapshot& live, bool draws)
    : ui_(ui), area_(area), live_(live), draws_(draws), left_(area.x), y_(area.y) {}

Rect RichFlow::take(float height) {
  const Rect strip{left_, y_, width(), height};
  y_ += height;
  return strip;
}

void RichFlow::text(const lessons::RichText& text, figure::Rgb colour) {
  for (const lessons::TextBlock& one : text) {
    block(one, colour);
    skip(ui_.px(kBetween));
  }
}

void RichFlow::words(std::string_view words, const ImFont* font, figure::Rgb colour) {
  std::vector<Word> pieces;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    if (!word.empty()) pieces.push_back({{std::string(word), font, {}, colour}});
    words.remove_prefix(std::min(words.size(), word.size() + 1));
  }
  paragraph(pieces, text_width(ui_, font, " "));
}

void RichFlow::block(const lessons::TextBlock& block, figure::Rgb colour) {
  const float before = left_;
  const float space = text_width(ui_, ui_.fonts.text, " ");
  switch (block.kind) {
    case Kind::kCode:
      code(block);
      break;
    case Kind::kFormula:
      formula(block, colour);
      break;
    case Kind::kHeading:
      paragraph(words_of(block.spans, colour, true), space);
      break;
    case Kind::kItem: {
      left_ += ui_.px(kListStep) * static_cast<float>(block.depth);
      const Rect marker{left_ - ui_.px(kListStep), y_, ui_.px(kListStep), ui_.px(kLine)};
      if (draws_) draw_text(ui_, ui_.fonts.text, marker, block.marker, ui_.theme.dim);
      paragraph(words_of(block.spans, colour, false), space);
      break;
    }
    case Kind::kQuote: {
      const float top = y_;
      left_ += ui_.px(12);
      paragraph(words_of(block.spans, ui_.theme.dim, false), space);
      if (draws_) fill_rect(ui_, {before, top, ui_.px(3), y_ - top}, ui_.theme.line);
      break;
    }
    case Kind::kParagraph:
      paragraph(words_of(block.spans, colour, false), space);
  }
  left_ = before;
}

void RichFlow::code(const lessons::TextBlock& block) {
  std::string text;
  for (const lessons::TextSpan& span : block.spans) text += lessons::span_text(span, live_);
  while (text.ends_with('\n')) text.pop_back();
  const auto lines = static_cast<float>(std::ranges::count(text, '\n') + 1);
  const Rect box = take(lines * ui_.px(kLine) + ui_.px(10));
  if (!draws_) return;
  fill_rect(ui_, box, ui_.theme.button, ui_.px(6));
  Rect line{box.x + ui_.px(10), box.y + ui_.px(5), box.w - ui_.px(20), ui_.px(kLine)};
  for (std::size_t start = 0; start <= text.size(); line.y += line.h) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    draw_text(ui_, ui_.fonts.mono, line, text.substr(start, end - start), ui_.theme.text);
    start = end + 1;
  }
}

void RichFlow::formula(const lessons::TextBlock& block, figure::Rgb colour) {
  left_ += ui_.px(kListStep);
  paragraph(words_of(block.spans, colour, false), text_width(ui_, ui_.fonts.text, " "));
}

// The looks of a span; its text is cut into words later.
RichFlow::Piece RichFlow::piece_of(const lessons::TextSpan& span, figure::Rgb colour,
                                   bool heading) const {
  Piece piece{{}, heading ? ui_.fonts.bold : ui_.fonts.text, {}, colour};
  if (span.look == Span::kStrong) piece.font = ui_.fonts.bold;
  if (span.look == Span::kEmphasis)
    piece.label = figure::TextRequest{{}, true, figure::TextFace::kSans, ui_.px(kPoints)};
  if (span.look == Span::kFormula)
    piece.label =
        figure::TextRequest{{}, true, figure::TextFace::kSerifItalic, ui_.px(kFormulaPoints)};
  if (span.look == Span::kCode) piece.font = ui_.fonts.mono;
  if (span.live) piece.font = ui_.fonts.mono_bold;
  piece.boxed = span.look == Span::kCode;
  return piece;
}

std::vector<RichFlow::Word> RichFlow::words_of(const std::vector<lessons::TextSpan>& spans,
                                               figure::Rgb colour, bool heading) const {
  std::vector<Word> words(1);
  for (const lessons::TextSpan& span : spans) {
    Piece piece = piece_of(span, colour, heading);
    const std::string text = lessons::span_text(span, live_);
    const std::string_view breaks = piece.boxed || span.live ? "" : " \n";
    for (std::size_t start = 0; start <= text.size();) {
      const std::size_t end = std::min(text.find_first_of(breaks, start), text.size());
      piece.text = text.substr(start, end - start);
      if (piece.label)
        piece.label->text = span.look == Span::kFormula ? formula_markup(piece.text)
                                                        : "<i>" + escaped(piece.text) + "</i>";
      if (!piece.text.empty()) words.back().push_back(piece);
      if (end < text.size()) words.emplace_back();
      if (end < text.size() && text[end] == '\n') words.back().push_back(line_break());
      start = end + 1;
    }
  }
  std::erase_if(words, [](const Word& word) { return word.empty(); });
  return words;
}

RichFlow::Piece RichFlow::line_break() { return {"\n", nullptr, {}, {}}; }

float RichFlow::width_of(const Piece& piece) const {
  if (piece.label)
    return static_cast<float>(ui_.labels.metrics(*piece.label).advance) + slant_of(piece);
  return text_width(ui_, piece.font, piece.text) + (piece.boxed ? 2 * ui_.px(kBoxGap) : 0);
}

// Formulas lean over what comes behind them.
float RichFlow::slant_of(const Piece& piece) const {
  return piece.label->face == figure::TextFace::kSerifItalic ? ui_.px(1.5f) : 0;
}

float RichFlow::width_of(const Word& word) const {
  float width = 0;
  for (const Piece& piece : word) width += width_of(piece);
  return width;
}

void RichFlow::draw(const Piece& piece, float x, float width) const {
  Rect rect{x, y_, width + 1, ui_.px(kLine)};
  if (piece.label) {
    const double baseline = rect.y + rect.h / 2 + kCapitals * ui_.px(kPoints);
    return ui_.labels.draw(ui_.canvas(), *piece.label, {x, static_cast<float>(baseline)},
                           pack(piece.colour));
  }
  if (piece.boxed) {
    fill_rect(ui_, {x, rect.y + ui_.px(1), width, rect.h - ui_.px(2)}, ui_.theme.button, ui_.px(4));
    rect.cut_left(ui_.px(kBoxGap));
  }
  draw_text(ui_, piece.font, rect, piece.text, piece.colour);
}

// Words that are longer than a line stand on one of their own, cut off at its end.
void RichFlow::paragraph(const std::vector<Word>& words, float space) {
  const float line = ui_.px(kLine);
  float x = left_;
  for (const Word& word : words) {
    const bool breaks = word.front().font == nullptr && !word.front().label;
    const float width = breaks ? 0 : width_of(word);
    if (breaks || (x > left_ && x + width > area_.right())) {
      x = left_;
      y_ += line;
    }
    for (const Piece& piece : word) {
      if (breaks && &piece == &word.front()) continue;
      const float piece_width = std::min(width_of(piece), area_.right() - x);
      if (draws_) draw(piece, x, piece_width);
      x += piece_width;
    }
    x += space;
  }
  y_ += line;
}

}  // namespace lab::view
