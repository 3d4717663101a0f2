#include "app/view/cards/explain_sections.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/explain/explain_text.h"
#include "app/explain/stage_text.h"
#include "app/translation/words.h"
#include "app/view/editor/block_summary.h"
#include "app/view/editor/go_to.h"
#include "app/view/maps/navigation.h"
#include "app/view/maps/sensitivity.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::CellRef;
using attention::Stage;

constexpr float kHistogramHeight = 44;
constexpr std::size_t kPinsListed = 4;  // more would push the arithmetic out of view

void write_heading(Ui& ui, FlowText& text, std::string_view heading, std::string_view note) {
  text.skip(ui.px(6));
  text.put(ui.fonts.bold, heading, ui.theme.text, 0);
  text.put(ui.fonts.small, note, ui.theme.dim, ui.px(8));
  text.new_line();
}

// "head 2 · weights[it, animal]", or "L1H2 · …" in the layer of a trained model.
std::string pin_title(const Ui& ui, const CellRef& pin, Stage stage) {
  std::string title = explain::cell_title(ui.document(), stage, pin.row, pin.col);
  if (!is_per_head(stage)) return title;
  return tr("{} · {}", {head_in_text(ui.document(), pin.head), title});
}

// Returns true when the pin should be removed.
bool write_pin(Ui& ui, FlowText& text, const CellRef& pin, const std::string& id) {
  const Stage stage = attention::stage_from_name(pin.matrix).value_or(Stage::kX);
  const auto& values = *stage_matrix(ui.problem(), ui.trace(), stage, pin.head);
  if (text.put_link(id, ui.fonts.mono, pin_title(ui, pin, stage), ui.theme.text, 0)) go_to(ui, pin);
  if (text.draws() && is_pointed_at(ui)) light_cell(ui, pin);
  text.put(ui.fonts.mono_bold, "= " + ui.number(values(pin.row, pin.col)), ui.theme.text, ui.px(8));
  const bool removed = text.put_link(id + "/remove", ui.fonts.text, "×", ui.theme.dim, ui.px(10));
  text.new_line();
  return removed;
}

attention::MatrixView block_of(const Ui& ui, Stage stage, const CellBlock& box) {
  return stage_matrix(ui.problem(), ui.trace(), stage, ui.state.head)
      ->block(box.row, box.col, box.rows, box.cols);
}

void draw_histogram(Ui& ui, Rect area, const BlockSummary& summary) {
  const auto highest = static_cast<float>(std::ranges::max(summary.histogram));
  const float pitch = std::floor(area.w / BlockSummary::kBars);
  fill_rect(ui, {area.x, area.bottom() - 1, pitch * BlockSummary::kBars, 1}, ui.theme.line);
  for (const auto count : summary.histogram) {
    const float height = std::ceil((area.h - 1) * static_cast<float>(count) / highest);
    const Rect column = area.cut_left(pitch);
    fill_rect(ui, {column.x, column.bottom() - 1 - height, pitch - ui.px(2), height},
              ui.theme.accent);
  }
}

void write_histogram(Ui& ui, FlowText& text, const BlockSummary& summary) {
  text.skip(ui.px(4));
  const Rect area = text.take(ui.px(kHistogramHeight));
  const Rect ends = text.take(ui.px(18));
  if (!text.draws()) return;
  ui.name("block/histogram", area);
  draw_histogram(ui, area, summary);
  draw_text(ui, ui.fonts.mono_small, ends, ui.number(summary.lowest), ui.theme.dim);
  draw_text(ui, ui.fonts.mono_small, ends, ui.number(summary.highest), ui.theme.dim,
            TextAlign::kRight);
}

void write_number(Ui& ui, FlowText& text, const std::string& name, double value) {
  text.put(ui.fonts.mono, name + " =", ui.theme.text, ui.px(12));
  text.put(ui.fonts.mono_bold, ui.number(value, 3), ui.theme.text, ui.px(6));
}

std::string count_text(const BlockSummary& summary) {
  const auto left_out = summary.count - summary.finite;
  if (left_out == 0) return tr_count("{} cell", "{} cells", summary.count);
  return tr_count("{} cell, {} not finite", "{} cells, {} not finite", summary.count,
                  {std::to_string(left_out)});
}

}  // namespace

void write_pins(Ui& ui, FlowText& text) {
  auto& pins = ui.state.inspection.pins;
  if (pins.empty()) return;
  write_heading(ui, text, tr("Pinned"), tr("Esc unpins all"));
  std::optional<CellRef> unpinned;
  bool& all = ui.state.inspection.all_pins;
  const bool folds = pins.size() > kPinsListed + 1;
  const std::size_t listed = folds && !all ? kPinsListed : pins.size();
  for (std::size_t i = 0; i < listed; ++i)
    if (write_pin(ui, text, pins[i], "pin/" + std::to_string(i))) unpinned = pins[i];
  if (folds) {
    const std::string words =
        all ? tr("show fewer") : tr("{} more", {std::to_string(pins.size() - listed)});
    if (text.put_link("pins/more", ui.fonts.text, words, ui.theme.accent, 0)) all = !all;
    text.new_line();
  }
  if (unpinned) toggle_pin(ui, *unpinned);
}

void sensitivity_link(Ui& ui, Rect& row, float title) {
  const std::array<std::pair<ImFont*, std::string>, 2> texts{
      {{ui.fonts.small, tr("What moves this?")}, {ui.fonts.title, "∂"}}};
  for (const auto& [font, text] : texts) {
    const float width = std::max(ui.px(20), std::ceil(text_width(ui, font, text)));
    if (title + width + ui.px(14) > row.w) continue;
    const Rect bounds = row.cut_right(width);
    if (click_area(ui, "explain/moves", bounds)) ask_about_selected(ui);
    const bool pointed = is_pointed_at(ui);
    tooltip(ui, tr("The maps show how much each number moves this one   W"));
    draw_text(ui, font, bounds, text, pointed ? ui.theme.text : ui.theme.accent, TextAlign::kRight);
    return;
  }
}

void write_by_hand(Ui& ui, Rect& content, const std::string& words, bool draws) {
  if (words.empty()) return;
  FlowText text(ui, content, 0, draws);
  const TextRun run{words, ui.fonts.bold, ui.theme.selected};
  text.words({&run, 1}, text_width(ui, ui.fonts.bold, " "));
  text.new_line();
  if (draws) ui.name("explain/by_hand", {content.x, content.y, content.w, text.y() - content.y});
  content.cut_top(text.y() - content.y + ui.px(2));
}

void write_sensitivity(Ui& ui, FlowText& text, const Rect& area, const std::string& words) {
  if (words.empty()) return;
  const float top = text.y();
  const TextRun run{words, ui.fonts.bold, ui.theme.accent};
  text.words({&run, 1}, text_width(ui, ui.fonts.bold, " "));
  text.new_line();
  if (text.draws()) ui.name("explain/moved_by", {area.x, top, area.w, text.y() - top});
}

void write_block(Ui& ui, FlowText& text) {
  if (!ui.state.inspection.block) return;
  const auto& [stage, from, to] = *ui.state.inspection.block;
  const CellBlock box = block_between(from, to);
  const BlockSummary summary = summarise(block_of(ui, stage, box));
  write_heading(ui, text, tr("Block"),
                tr("{} {}, {}", {explain::stage_title(stage),
                                 explain::shape_text({box.rows, box.cols}), count_text(summary)}));
  if (summary.finite == 0) return;
  write_number(ui, text, tr("mean"), summary.mean);
  write_number(ui, text, tr("deviation"), summary.deviation);
  text.new_line();
  write_number(ui, text, tr("min"), summary.lowest);
  write_number(ui, text, tr("max"), summary.highest);
  text.new_line();
  write_histogram(ui, text, summary);
  text.skip(ui.px(6));
}

}  // namespace lab::view
