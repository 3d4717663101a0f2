#include <algorithm>

#include "app/explain/explain_text.h"
#include "app/translation/words.h"
#include "app/view/maps/compare.h"
#include "app/view/maps/metrics_cache.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kMovedRowHeight = 22;

std::string signed_text(const Ui& ui, float value) {
  const std::string text = ui.number(value);
  return value > 0 && std::isfinite(value) ? "+" + text : text;
}

void select(Ui& ui, const MovedCell& cell) {
  const auto there = shown_cell(ui, cell.stage, {cell.moved.row, cell.moved.col});
  if (!there) return;
  if (is_per_head(cell.stage)) ui.state.head = cell.head;
  select_cell(ui.state.selection, cell.stage, *there);
}

std::string head_text(const Ui& ui, const MovedCell& cell) {
  return is_per_head(cell.stage) ? head_in_text(ui.document(), cell.head) : std::string();
}

void moved_row(Ui& ui, Rect row, int number, const MovedCell& cell) {
  if (click_area(ui, "moved/" + std::to_string(number), row)) select(ui, cell);
  if (ImGui::IsItemHovered()) fill_rect(ui, row, ui.theme.button, ui.px(4));
  row = {row.x + ui.px(4), row.y, row.w - ui.px(8), row.h};
  const std::string by = signed_text(ui, cell.moved.by);
  draw_text(ui, ui.fonts.mono,
            row.cut_right(std::max(ui.px(58), text_width(ui, ui.fonts.mono, by) + ui.px(4))), by,
            ui.theme.text, TextAlign::kRight);
  const std::string head = head_text(ui, cell);
  draw_text(ui, ui.fonts.small, row.cut_right(text_width(ui, ui.fonts.small, head) + ui.px(2)),
            head, ui.theme.dim, TextAlign::kRight);
  row.cut_right(ui.px(6));
  draw_label(
      ui, row,
      explain::cell_title(ui.workspace.document(), cell.stage, cell.moved.row, cell.moved.col),
      11.5f, ui.theme.text, TextAlign::kLeft);
}

// Why the card is empty: the name of the widget that says so, and its words.
struct Nothing {
  const char* name;
  std::string words;
};

Nothing nothing_moved(const Ui& ui) {
  if (!can_subtract(ui))
    return {"moved/nothing_in_common", tr("A and B have no numbers in common.")};
  if (has_same_words(ui))
    return {"moved/nothing_yet", tr("No number differs yet: change something.")};
  return {"moved/nothing_in_both", tr("No number of the words in both differs.")};
}

// 0 while nothing is compared, and little while nothing has moved.
float moved_card_height(Ui& ui, const Rect&) {
  if (!ui.state.compare.a) return 0;
  const std::size_t rows = most_moved_cells(ui).empty() ? 1 : MetricsCache::kMostMoved;
  return ui.px(44 + kMovedRowHeight * static_cast<float>(rows));
}

void moved_card(Ui& ui, const Rect& rect) {
  if (!ui.state.compare.a) return;
  Rect content = card(ui, rect, tr("Moved most"), tr("B − A, over all stages"));
  const std::vector<MovedCell> cells = most_moved_cells(ui);
  int number = 0;
  for (const MovedCell& cell : cells) {
    ++number;
    moved_row(ui, content.cut_top(ui.px(kMovedRowHeight)), number, cell);
  }
  if (!cells.empty()) return;
  const auto [name, words] = nothing_moved(ui);
  const Rect row = content.cut_top(ui.px(kMovedRowHeight));
  draw_text(ui, fitting_font(ui, words, content.w), row, words, ui.theme.dim);
  ui.name(name, row);
}

}  // namespace

extern constexpr PanelInfo kMovedPanel{.name = "moved",
                                       .region = PanelRegion::kRight,
                                       .draw = moved_card,
                                       .preferred_height = moved_card_height};

}  // namespace lab::view
