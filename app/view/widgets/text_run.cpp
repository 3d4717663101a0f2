#include "app/view/widgets/text_run.h"

#include <algorithm>

#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kBoxGap = 3;
constexpr float kTextPoints = 14, kFormulaPoints = 15;
constexpr float kCapitals = 0.36f;  // half of the height of capitals, in ems: labels stand on it

constexpr std::string_view kSoftHyphen = "\u00AD";

// Zero-width space, word joiner, its former form, and the ends of lines beyond ASCII.
constexpr std::string_view kUnseen[] = {kSoftHyphen, "\u200B", "\u2060", "\uFEFF",
                                        "\u0085",    "\u2028", "\u2029"};

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

bool is_label(const TextRun& run) {
  return run.look == RunLook::kEmphasis || run.look == RunLook::kFormula;
}

figure::TextRequest label_of(const Ui& ui, const TextRun& run, std::string_view piece) {
  if (run.look == RunLook::kFormula)
    return {formula_markup(piece), true, figure::TextFace::kSerifItalic, ui.px(kFormulaPoints)};
  return {"<i>" + escaped(piece) + "</i>", true, figure::TextFace::kSans, ui.px(kTextPoints)};
}

// Formulas lean over what comes behind them.
float slant_of(const Ui& ui, const TextRun& run) {
  return run.look == RunLook::kFormula ? ui.px(1.5f) : 0;
}

}  // namespace

std::string visible_text(std::string_view piece, bool at_break) {
  std::string visible(piece);
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::ranges::all_of(piece, is_ascii)) return visible;
  for (const std::string_view unseen : kUnseen)
    for (std::size_t at = visible.find(unseen); at != visible.npos; at = visible.find(unseen, at))
      visible.erase(at, unseen.size());
  if (at_break && piece.ends_with(kSoftHyphen)) visible += '-';
  return visible;
}

float run_width(const Ui& ui, const TextRun& run, std::string_view piece) {
  if (is_label(run))
    return static_cast<float>(ui.labels.width(label_of(ui, run, piece))) + slant_of(ui, run);
  return text_width(ui, run.font, piece) + (run.look == RunLook::kCode ? 2 * ui.px(kBoxGap) : 0);
}

void draw_run(Ui& ui, const TextRun& run, std::string_view piece, Rect line) {
  if (is_label(run)) {
    const double baseline = line.y + line.h / 2 + kCapitals * ui.px(kTextPoints);
    return ui.labels.draw(ui.canvas(), label_of(ui, run, piece),
                          {line.x, static_cast<float>(baseline)}, pack(run.colour));
  }
  if (run.look == RunLook::kCode) {
    fill_rect(ui, {line.x, line.y + ui.px(1), line.w, line.h - ui.px(2)}, ui.theme.button,
              ui.px(4));
    line.cut_left(ui.px(kBoxGap));
  }
  line.w += 1;  // for what rounding takes
  draw_text(ui, run.font, line, piece, run.colour);
}

}  // namespace lab::view
