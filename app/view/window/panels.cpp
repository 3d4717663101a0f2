#include "app/view/window/window_panels.h"

#include <array>

#include "app/view/focus/focus_ring.h"
#include "app/view/maps/compare.h"

namespace lab::view {

// Each is defined in the file of its panel.
extern const PanelInfo kTopBarPanel, kSentencePanel, kTabsPanel, kModelPanel, kNetworkPanel,
    kEditPanel, kTokensPanel, kComparePanel, kHeadsPanel, kLayersPanel, kStagesPanel, kOfferPanel,
    kLessonPanel, kMovedPanel, kNextTokenPanel, kExplainPanel, kRowPanel, kHeadPanel, kExplorePanel,
    kEditsPanel, kStatusPanel, kSensitivityBarPanel, kContributorsPanel, kModelContributorsPanel,
    kTrainingPanel, kCurvesPanel, kPositionLossPanel, kBecamePanel, kGlancePanel, kSolvePanel;

std::span<const PanelInfo* const> all_panels() {
  static constexpr std::array kPanels{
      &kTopBarPanel,       &kSentencePanel,       &kTabsPanel,
      &kModelPanel,        &kTrainingPanel,       &kNetworkPanel,
      &kEditsPanel,        &kEditPanel,           &kTokensPanel,
      &kComparePanel,      &kSensitivityBarPanel, &kHeadsPanel,
      &kCurvesPanel,       &kLayersPanel,         &kStagesPanel,
      &kOfferPanel,        &kLessonPanel,         &kMovedPanel,
      &kContributorsPanel, &kNextTokenPanel,      &kModelContributorsPanel,
      &kPositionLossPanel, &kBecamePanel,         &kGlancePanel,
      &kSolvePanel,        &kExplainPanel,        &kRowPanel,
      &kHeadPanel,         &kExplorePanel,        &kStatusPanel,
  };
  return kPanels;
}

void draw_panel(Ui& ui, const PanelInfo& panel, const Rect& rect) {
  keep_within_shown(ui);
  begin_panel(ui, panel.name);
  ui.name("panel/" + std::string(panel.name), rect);
  panel.draw(ui, rect);
}

void draw_panel(Ui& ui, std::string_view name, const Rect& rect) {
  draw_panel(ui, *ui.panels[static_cast<std::size_t>(panel_index(ui, name))], rect);
}

}  // namespace lab::view
