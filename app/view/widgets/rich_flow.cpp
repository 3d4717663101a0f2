#include "app/view/widgets/rich_flow.h"

#include <algorithm>
#include <cmath>

#include "app/figure/text/line_breaks.h"
#include "app/view/widgets/flow_text.h"
#include "app/view/widgets/paragraph.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using Span = lessons::TextSpan::Look;
using Type = lessons::TextBlock::Type;

constexpr float kLine = 20, kBetween = 8, kListStep = 18;

// The lines of a block of code; those wider than `width` are broken between letters.
std::vector<std::string> code_lines(const Ui& ui, std::string_view text, float width) {
  std::vector<std::string> lines;
  figure::LineBreaks breaks = figure::line_breaks(text);
  breaks.words.clear();  // columns of code are not reflowed
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t stop = std::min(text.find('\n', start), text.size());
    for (std::size_t from = start; from < stop || from == start;) {
      const auto fits = [&](std::size_t end) {
        return text_width(ui, ui.fonts.mono, text.substr(from, end - from)) <= width;
      };
      const std::size_t end = fits(stop) ? stop : figure::line_end(breaks, from, stop, fits);
      lines.emplace_back(text.substr(from, end - from));
      from = std::max(end, from + 1);
    }
    start = stop + 1;
  }
  return lines;
}

}  // namespace

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
  const TextRun run{std::string(words), font, colour};
  paragraph({&run, 1}, text_width(ui_, font, " "));
}

void RichFlow::block(const lessons::TextBlock& block, figure::Rgb colour) {
  const float before = left_;
  switch (block.type) {
    case Type::kCode:
      code(block);
      break;
    case Type::kFormula:
      formula(block, colour);
      break;
    case Type::kTable:
      table(block, colour);
      break;
    case Type::kHeading:
      paragraph_of(block.spans, colour, true);
      break;
    case Type::kItem: {
      left_ += ui_.px(kListStep) * static_cast<float>(block.depth);
      const Rect marker{left_ - ui_.px(kListStep), y_, ui_.px(kListStep), ui_.px(kLine)};
      if (draws_) draw_text(ui_, ui_.fonts.text, marker, block.marker, ui_.theme.dim);
      paragraph_of(block.spans, colour, false);
      break;
    }
    case Type::kQuote: {
      const float top = y_;
      left_ += ui_.px(12);
      paragraph_of(block.spans, ui_.theme.dim, false);
      if (draws_) fill_rect(ui_, {before, top, ui_.px(3), y_ - top}, ui_.theme.line);
      break;
    }
    case Type::kParagraph:
      paragraph_of(block.spans, colour, false);
  }
  left_ = before;
}

void RichFlow::code(const lessons::TextBlock& block) {
  std::string text;
  for (const lessons::TextSpan& span : block.spans) text += lessons::span_text(span, live_);
  while (text.ends_with('\n')) text.pop_back();
  const std::vector<std::string> lines = code_lines(ui_, text, width() - ui_.px(20));
  const Rect box = take(static_cast<float>(lines.size()) * ui_.px(kLine) + ui_.px(10));
  if (!draws_) return;
  fill_rect(ui_, box, ui_.theme.button, ui_.px(6));
  Rect line{box.x + ui_.px(10), box.y + ui_.px(5), box.w - ui_.px(20) + 1, ui_.px(kLine)};
  for (const std::string& words : lines) {
    draw_text(ui_, ui_.fonts.mono, line, words, ui_.theme.text);
    line.y += line.h;
  }
}

void RichFlow::formula(const lessons::TextBlock& block, figure::Rgb colour) {
  left_ += ui_.px(kListStep);
  paragraph_of(block.spans, colour, false);
}

void RichFlow::paragraph_of(const std::vector<lessons::TextSpan>& spans, figure::Rgb colour,
                            bool heading) {
  const std::vector<TextRun> runs = runs_of(spans, colour, heading);
  const float top = y_, line = ui_.px(kLine);
  const TextLines& lines = paragraph(runs, text_width(ui_, ui_.fonts.text, " "));
  if (!draws_) return;
  for (const TextLines::Piece& piece : lines.pieces) {
    const lessons::TextSpan& span = spans[piece.run];
    const float y = top + static_cast<float>(piece.line) * line;
    if (!span.target.empty()) note_link(span, {piece.x, y, piece.width, line});
  }
}

float RichFlow::width_of(const std::vector<lessons::TextSpan>& spans, bool heading) const {
  constexpr float kNoLimit = 1e6f;
  const std::vector<TextRun> runs = runs_of(spans, {}, heading);
  const float space = text_width(ui_, ui_.fonts.text, " ");
  return std::ceil(laid_out(ui_, runs, space, {0, 0, 0, kNoLimit}).end) + 1;
}

// Joins the words of a link on one line into one rectangle.
void RichFlow::note_link(const lessons::TextSpan& span, const Rect& rect) {
  if (links_.empty() || links_.back().span != &span) links_.push_back({&span, {}});
  std::vector<Rect>& parts = links_.back().parts;
  if (!parts.empty() && parts.back().y == rect.y) {
    parts.back().w = rect.right() - parts.back().x;
  } else {
    parts.push_back(rect);
  }
}

std::vector<TextRun> RichFlow::runs_of(const std::vector<lessons::TextSpan>& spans,
                                       figure::Rgb colour, bool heading) const {
  std::vector<TextRun> runs;
  for (const lessons::TextSpan& span : spans) {
    TextRun run{lessons::span_text(span, live_), heading ? ui_.fonts.bold : ui_.fonts.text, colour};
    if (span.look == Span::kStrong) run.font = ui_.fonts.bold;
    if (span.look == Span::kEmphasis) run.look = RunLook::kEmphasis;
    if (span.look == Span::kFormula) run.look = RunLook::kFormula;
    if (span.look == Span::kCode) run.look = RunLook::kCode, run.font = ui_.fonts.mono;
    if (span.live) run.look = RunLook::kNumber, run.font = ui_.fonts.mono_bold;
    if (!span.target.empty() && marks_ && marks_(span.target)) run.colour = ui_.theme.accent;
    runs.push_back(std::move(run));
  }
  return runs;
}

const TextLines& RichFlow::paragraph(std::span<const TextRun> runs, float space) {
  FlowText flow(ui_, {left_, y_, width(), 0}, 0, draws_);
  const TextLines& lines = flow.words(runs, space);
  flow.new_line();
  y_ = flow.y();
  return lines;
}

}  // namespace lab::view
