#include "app/view/state/panel.h"

#include <algorithm>
#include <stdexcept>

#include "app/document/training/training_document.h"
#include "app/view/state/ui.h"

namespace lab::view {
namespace {

// True when `text` begins with one of the words in `starts`.
bool begins_with_one(std::string_view text, std::string_view starts) {
  while (!starts.empty()) {
    const std::size_t end = std::min(starts.find(' '), starts.size());
    if (end > 0 && text.starts_with(starts.substr(0, end))) return true;
    starts.remove_prefix(std::min(end + 1, starts.size()));
  }
  return false;
}

bool is_about(PanelOf of, const ModelDocument* model) {
  switch (of) {
    case PanelOf::kAny:
      return true;
    case PanelOf::kByHand:
      return model == nullptr;
    case PanelOf::kModel:
      return model != nullptr;
    case PanelOf::kTraining:
      return model != nullptr && training_of(*model) != nullptr;
  }
  return true;
}

}  // namespace

int panel_index(const Ui& ui, std::string_view name) {
  const auto found = std::ranges::find(ui.panels, name, &PanelInfo::name);
  if (found == ui.panels.end()) throw std::out_of_range("no panel " + std::string(name));
  return static_cast<int>(found - ui.panels.begin());
}

bool is_hidden(const ViewState& state, std::string_view panel) {
  return state.lesson.view.hidden.contains(panel);
}

float preferred_height(Ui& ui, const PanelInfo& panel, const Rect& column) {
  const Document& document = panel.of_edited ? ui.edited() : ui.document();
  if (is_hidden(ui.state, panel.name) || !is_about(panel.of, document.layer.model.get())) return 0;
  return panel.preferred_height != nullptr ? panel.preferred_height(ui, column)
                                           : ui.px(panel.height.least);
}

bool is_region_empty(Ui& ui, PanelRegion region, const Rect& column) {
  return std::ranges::none_of(ui.panels, [&](const PanelInfo* panel) {
    return panel->region == region && preferred_height(ui, *panel, column) > 0;
  });
}

PanelRegion region_of_widget(const Ui& ui, std::string_view widget) {
  for (const PanelInfo* panel : ui.panels) {
    const std::string name(panel->name);
    if (widget == "panel/" + name || begins_with_one(widget, panel->widgets)) return panel->region;
  }
  return PanelRegion::kRight;
}

}  // namespace lab::view
