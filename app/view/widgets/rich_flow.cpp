#include "app/view/widgets/rich_flow.h"

#include <algorithm>

#include "app/view/widgets/flow_text.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using Span = lessons::TextSpan::Look;
using Kind = lessons::TextBlock::Kind;

constexpr float kLine = 20, kBetween = 8, kListStep = 18;

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
  const float space = text_width(ui_, ui_.fonts.text, " ");
  switch (block.kind) {
    case Kind::kCode:
      code(block);
      break;
    case Kind::kFormula:
      formula(block, colour);
      break;
    case Kind::kHeading:
      paragraph(runs_of(block.spans, colour, true), space);
      break;
    case Kind::kItem: {
      left_ += ui_.px(kListStep) * static_cast<float>(block.depth);
      const Rect marker{left_ - ui_.px(kListStep), y_, ui_.px(kListStep), ui_.px(kLine)};
      if (draws_) draw_text(ui_, ui_.fonts.text, marker, block.marker, ui_.theme.dim);
      paragraph(runs_of(block.spans, colour, false), space);
      break;
    }
    case Kind::kQuote: {
      const float top = y_;
      left_ += ui_.px(12);
      paragraph(runs_of(block.spans, ui_.theme.dim, false), space);
      if (draws_) fill_rect(ui_, {before, top, ui_.px(3), y_ - top}, ui_.theme.line);
      break;
    }
    case Kind::kParagraph:
      paragraph(runs_of(block.spans, colour, false), space);
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
  paragraph(runs_of(block.spans, colour, false), text_width(ui_, ui_.fonts.text, " "));
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
    runs.push_back(std::move(run));
  }
  return runs;
}

void RichFlow::paragraph(std::span<const TextRun> runs, float space) {
  FlowText lines(ui_, {left_, y_, width(), 0}, 0, draws_);
  lines.words(runs, space);
  lines.new_line();
  y_ = lines.y();
}

}  // namespace lab::view
