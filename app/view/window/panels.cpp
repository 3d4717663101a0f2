#include "app/view/window/panels.h"

#include <array>

#include "app/view/focus/focus_ring.h"

namespace lab::view {

// Each stands in the file of its panel.
extern const PanelInfo top_bar_panel, sentence_panel, tabs_panel, model_panel, edit_panel,
    tokens_panel, compare_panel, heads_panel, stages_panel, offer_panel, lesson_panel, moved_panel,
    explain_panel, row_panel, head_panel, status_panel;

std::span<const PanelInfo* const> all_panels() {
  static constexpr std::array kPanels{
      &top_bar_panel, &sentence_panel, &tabs_panel,   &model_panel,  &edit_panel,   &tokens_panel,
      &compare_panel, &heads_panel,    &stages_panel, &offer_panel,  &lesson_panel, &moved_panel,
      &explain_panel, &row_panel,      &head_panel,   &status_panel,
  };
  return kPanels;
}

void draw_panel(Ui& ui, const PanelInfo& panel, const Rect& rect) {
  begin_part(ui, panel.name);
  ui.name("panel/" + std::string(panel.name), rect);
  panel.draw(ui, rect);
}

void draw_panel(Ui& ui, std::string_view name, const Rect& rect) {
  draw_panel(ui, *ui.panels[static_cast<std::size_t>(panel_index(ui, name))], rect);
}

}  // namespace lab::view
