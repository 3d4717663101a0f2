#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/model/token_name.h"
#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/training_lines.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kLossCard = 168, kLossWords = 22, kLossLabels = 16;

// The loss at each position of the batch of the step that is shown, or the last one before it that
// was measured; empty before the first step.
const std::vector<float>& losses_shown(Ui& ui) {
  static const std::vector<float> kNone;
  const TrainingCurves& data = ui.state.training.data;
  const auto step = shown_training(ui)->state->step;
  const int at = index_at(data.measured_steps, step);
  if (at < 0 || static_cast<std::size_t>(at) >= data.position_loss.size()) return kNone;
  return data.position_loss[static_cast<std::size_t>(at)];
}

// What the text that is shown asks at each of its positions.
attention::training::Example asked(const ModelDocument& model) {
  return training_of(model)->run->task().solved(tokens_of(model).ids);
}

void loss_bar(Ui& ui, const Rect& bounds, float share, bool known, bool selected) {
  const float height = std::max(ui.px(1), bounds.h * share);
  const Rect bar{bounds.x, bounds.bottom() - height, bounds.w, height};
  const figure::Rgb colour = selected ? ui.theme.selected : ui.theme.accent;
  fill_rect(ui, bar, colour, 0, selected || known ? 1.0f : 0.45f);
}

void loss_bars(Ui& ui, const Rect& area, const std::vector<float>& losses) {
  const ModelDocument& model = *shown_model(ui);
  const attention::training::Example example = asked(model);
  const auto ids = tokens_of(model).ids;
  const float most = std::log(static_cast<float>(training_of(model)->run->task().vocabulary()));
  const float pitch = area.w / static_cast<float>(losses.size());
  Rect bars = area;
  const Rect labels = bars.cut_bottom(ui.px(kLossLabels));
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const Rect bounds{bars.x + pitch * static_cast<float>(i), bars.y,
                      std::max(1.0f, pitch - ui.px(3)), bars.h};
    const bool selected = ui.state.selection.query == static_cast<attention::Index>(i);
    if (i < ids.size() && click_area(ui, "loss/" + std::to_string(i), bounds))
      ui.state.selection.query = static_cast<attention::Index>(i);
    if (is_pointed_at(ui) && std::isfinite(losses[i]))
      tooltip(ui, tr("Mean loss at position {}: {}", {std::to_string(i), ui.number(losses[i])}));
    if (std::isfinite(losses[i]))
      loss_bar(ui, bounds, std::min(1.0f, losses[i] / (1.1f * most)),
               i < example.known.size() && example.known[i] != 0, selected);
    if (i >= ids.size() || pitch < ui.px(9)) continue;
    const std::array label{token_label(*model.source, ids[i])};  // or none where it is a long word
    draw_fitting(ui, ui.fonts.mono_tiny, {bounds.x, labels.y, bounds.w, labels.h}, label,
                 selected ? ui.theme.selected : ui.theme.dim, TextAlign::kCentre);
  }
}

float position_loss_height(Ui& ui, const Rect&) { return ui.px(kLossCard); }

void position_loss_card(Ui& ui, const Rect& rect) {
  Rect content = card(ui, rect, tr("Loss by position"));
  const Rect words = content.cut_bottom(ui.px(kLossWords));
  const std::vector<float>& losses = losses_shown(ui);
  if (losses.empty())
    return draw_text(ui, ui.fonts.text, content.cut_top(ui.px(kLossWords)),
                     tr("Nothing was learned yet."), ui.theme.dim);
  loss_bars(ui, content, losses);
  draw_text(ui, ui.fonts.small, words, tr("Mean of the batch; strong: can be known here"),
            ui.theme.dim);
}

}  // namespace

extern constexpr PanelInfo kPositionLossPanel{.name = "position_loss",
                                              .region = PanelRegion::kRight,
                                              .of = PanelOf::kTraining,
                                              .draw = position_loss_card,
                                              .preferred_height = position_loss_height,
                                              .widgets = "loss/"};

}  // namespace lab::view
