#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/base/wording.h"
#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/editor/command_slider.h"
#include "app/view/editor/fills.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"
#include "app/view/window/window_panels.h"

namespace lab::view {
namespace {

constexpr float kModelRowHeight = 30;
constexpr float kControlHeight = 24;
constexpr int kModelRows = 7;
constexpr float kHeading = 40;
constexpr float kWideControl = 128;

struct SizeRow {
  SizeId size;
  const char* label;
  std::array<int, 8> choices;
};

constexpr std::array kSizes{
    SizeRow{SizeId::kDModel, "d_model", {2, 4, 8, 16, 32, 64, 256, 512}},
    SizeRow{SizeId::kHeads, tr_later("heads h"), {1, 2, 3, 4, 6, 8, 12, 16}},
    SizeRow{SizeId::kDK, tr_later("d_k per head"), {1, 2, 3, 4, 8, 16, 32, 64}},
    SizeRow{SizeId::kDV, tr_later("d_v per head"), {1, 2, 3, 4, 8, 16, 32, 64}},
};

int size_value(const attention::Config& config, SizeId size) {
  switch (size) {
    case SizeId::kDModel:
      return config.d_model;
    case SizeId::kHeads:
      return config.n_heads;
    case SizeId::kDK:
      return config.d_k;
    case SizeId::kDV:
      return config.d_v;
    case SizeId::kKvHeads:
      return kv_head_count(config);
  }
  return 0;
}

// Draws the label of a row; returns the bounds of its control, `width` wide at the right.
Rect control_bounds(Ui& ui, Rect& content, std::string_view label, float width) {
  Rect row = content.cut_top(ui.px(kModelRowHeight));
  Rect bounds = row.cut_right(width);
  draw_text(ui, ui.fonts.text, row, label, ui.theme.text);
  const float spare = row.h - ui.px(kControlHeight);
  return {bounds.x, bounds.y + std::floor(spare / 2), bounds.w, ui.px(kControlHeight)};
}

void size_row(Ui& ui, Rect& content, const SizeRow& row) {
  const int value = size_value(ui.edited().problem.config, row.size);
  const std::string text = std::to_string(value), id = "model/" + std::string(size_name(row.size));
  const float width = value_button_width(ui, {text, "000"}, true);
  const Rect bounds = control_bounds(ui, content, tr(row.label), width);
  if (value_button(ui, id, bounds, text, true)) open_popup(id);
  size_menu(ui, id, bounds, row.size, value, row.choices);
}

void scale_row(Ui& ui, Rect& content) {
  const bool on = ui.edited().problem.config.scale;
  const std::string text = on ? tr("on") : tr("off");
  const float width = value_button_width(ui, {tr("on"), tr("off")}, false);
  const Rect bounds = control_bounds(ui, content, tr("Scale by √d_k"), width);
  if (value_button(ui, "model/scale", bounds, text, false)) ui.queue(intent::Apply{SetScale{!on}});
  tooltip(ui, tr("Divide the scores by √d_k, so that the softmax does not saturate"));
}

// The parts of a mask that the document has.
struct MaskParts {
  bool causal = false;
  bool rules = false;  // padding, or a window
  bool cells = false;  // pairs forbidden or biased individually

  explicit MaskParts(const attention::Problem& problem)
      : causal(problem.config.mask.causal),
        rules(problem.config.mask.key_count > 0 || problem.config.mask.window > 0),
        cells(!problem.allowed.empty() || !problem.bias.empty()) {}
  bool none() const { return !causal && !rules && !cells; }
};

std::string mask_text(const MaskParts& mask) {
  if (mask.causal && mask.rules)
    return mask.cells ? tr("causal, rules + cells") : tr("causal, rules");
  if (mask.causal) return mask.cells ? tr("causal + cells") : tr("causal");
  if (mask.rules) return mask.cells ? tr("rules + cells") : tr("rules");
  return mask.cells ? tr("cells##of a mask") : tr("none##mask");
}

void mask_row(Ui& ui, Rect& content) {
  const MaskParts mask(ui.edited().problem);
  const std::string text = mask_text(mask);
  const float width = std::max<float>(ui.px(kWideControl), value_button_width(ui, text, true));
  const Rect bounds = control_bounds(ui, content, tr("Mask"), width);
  if (value_button(ui, "model/mask", bounds, text, true)) open_popup("model/mask");
  if (!begin_popup(ui, "model/mask", bounds)) return;
  const bool painted = has_painted_mask(ui);
  if (menu_item(ui, "mask/none", tr("none: every token sees all"), {}, mask.none()))
    remove_mask(ui);
  if (menu_item(ui, "mask/causal", tr("causal: only itself and what came before"), {}, mask.causal))
    ui.queue(intent::Apply{SetMask{true}});
  if (menu_item(ui, "mask/cells", tr("cells: as painted in Edit"), {}, painted, painted))
    reset_mask(ui);
  end_popup();
}

// Slider positions 0 … 1 stand for temperatures 0.1 … 10, 1 in the middle.
float slider_of(float temperature) {
  return std::clamp((std::log10(temperature) + 1) / 2, 0.0f, 1.0f);
}
float temperature_of(float slider) {
  const float exact = std::pow(10.0f, 2 * std::clamp(slider, 0.0f, 1.0f) - 1);
  return std::round(exact * 100) / 100;
}

std::string temperature_text(float temperature) {
  const bool small = temperature < 0.1f;
  return small ? explain::format_significant(temperature, 2)
               : explain::format_fixed(temperature, temperature < 100 ? 2 : 0);
}

void temperature_row(Ui& ui, Rect& content) {
  const Rect bounds = control_bounds(ui, content, tr("Temperature"), ui.px(kWideControl));
  const float temperature = ui.edited().problem.config.temperature;
  command_slider(ui, bounds,
                 {.id = "model/temperature",
                  .value = temperature,
                  .position = slider_of(temperature),
                  .text = temperature_text(temperature),
                  .command = [](float value) -> Command { return SetTemperature{value}; },
                  .value_at = temperature_of,
                  .step = "temperature by keys",
                  .typed = &ui.state.temperature_text});
}

float model_card_height(Ui& ui, const Rect&) {
  return ui.px(kHeading + 6) + kModelRows * ui.px(kModelRowHeight);
}

void model_card(Ui& ui, const Rect& rect) {
  Rect content = card(ui, rect, tr("Model"));
  variants_button(ui, {content.x, rect.y + ui.px(7), content.w, ui.px(kControlHeight)});
  for (const SizeRow& row : kSizes) size_row(ui, content, row);
  scale_row(ui, content);
  mask_row(ui, content);
  temperature_row(ui, content);
}

}  // namespace

extern constexpr PanelInfo kModelPanel{.name = "model",
                                       .region = PanelRegion::kLeft,
                                       .of = PanelOf::kByHand,
                                       .draw = model_card,
                                       .preferred_height = model_card_height,
                                       .of_edited = true,
                                       .widgets = "model/ button/"};

}  // namespace lab::view
