#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/wording.h"
#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/session/training_actions.h"
#include "app/view/training/curve_chart.h"
#include "app/view/training/training_words.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kCurvesCard = 214;

struct CurveTab {
  CurveKind kind;
  const char* id;
  const char* label;
};
constexpr std::array kCurveTabs{CurveTab{CurveKind::kInduction, "induction", tr_later("induction")},
                                CurveTab{CurveKind::kPrevious, "previous", tr_later("previous")},
                                CurveTab{CurveKind::kFirst, "first", tr_later("first")},
                                CurveTab{CurveKind::kEntropy, "entropy", tr_later("entropy")},
                                CurveTab{CurveKind::kGradient, "gradient", tr_later("gradient")}};

void curve_tabs(Ui& ui, Rect row) {
  for (const auto& [kind, id, label] : kCurveTabs) {
    const std::string text = tr(label);
    const float width = button_width(ui, text);
    if (row.w < width) return;
    const bool chosen = ui.state.training.curves == kind;
    if (button(ui, "curves/" + std::string(id), row.cut_left(width), text,
               chosen ? ButtonLook::kActive : ButtonLook::kQuiet))
      ui.state.training.curves = kind;
    row.cut_left(ui.px(4));
  }
}

// The loss as a share of that of guessing, so that it fits between 0 and 1.
std::vector<float> loss_shares(const std::vector<float>& loss, attention::Index vocabulary) {
  const float guess = std::log(static_cast<float>(std::max<attention::Index>(vocabulary, 2)));
  std::vector<float> shares(loss.size());
  std::ranges::transform(loss, shares.begin(), [guess](float value) { return value / guess; });
  return shares;
}

ModelHead head_at(const ModelDocument& model, std::size_t place) {
  const auto heads = static_cast<std::size_t>(model.network.stack.blocks.front().attention.n_heads);
  return {{attention::network::Sublayer::kSelf, static_cast<attention::Index>(place / heads)},
          static_cast<attention::Index>(place % heads)};
}

// Only the heads that stand out have a colour and a label.
bool stands_out(const std::vector<float>& values, CurveKind kind) {
  if (values.empty() || kind == CurveKind::kGradient || kind == CurveKind::kEntropy) return true;
  return *std::ranges::max_element(values) >= 0.15f;
}

void add_head_lines(Ui& ui, const ModelDocument& model, Chart& chart) {
  const TrainingCurves& data = ui.state.training.data;
  const CurveKind kind = ui.state.training.curves;
  const ModelHead focused = focused_head(ui);
  float high = 1e-6f;
  for (std::size_t i = 0; i < data.heads.size(); ++i) {
    const ModelHead head = head_at(model, i);
    const std::vector<float>& values = values_of(data.heads[i], kind);
    const bool strong = head == focused, shown = strong || stands_out(values, kind);
    const figure::Rgb colour = strong  ? ui.theme.selected
                               : shown ? ui.theme.accent
                                       : ui.theme.disabled;
    chart.lines.push_back({name_of_head(head), shown ? name_of_head(head) : std::string(),
                           data.measured_steps, values, colour, strong});
    for (const float value : values) high = std::max(high, std::isfinite(value) ? value : 0.0f);
  }
  if (kind == CurveKind::kGradient) chart.high = high;
}

// "step 1 240 of 2 180 · 31 steps/s".
std::string progress_text(const Ui& ui, std::uint64_t at, std::uint64_t last) {
  const auto spelt = [](std::uint64_t step) {
    return grouped(static_cast<attention::Index>(step));
  };
  std::string text =
      at == last ? tr("step {}", {spelt(at)}) : tr("step {} of {}", {spelt(at), spelt(last)});
  const double rate = ui.trainer.steps_per_second();
  if (ui.trainer.running() && rate > 0)
    text += " · " + tr("{} steps/s", {explain::format_significant(static_cast<float>(rate), 2)});
  return text;
}

float curves_card_height(Ui& ui, const Rect&) {
  if (shown_training(ui) == nullptr || ui.state.reading.large) return 0;
  return ui.px(kCurvesCard);
}

void curves_card(Ui& ui, const Rect& rect) {
  const ModelDocument& model = *shown_model(ui);
  const TrainingPlace& place = *shown_training(ui);
  TrainingState& state = ui.state.training;
  place.run->update(place.branch, state.data);
  const std::uint64_t last = place.run->last_step(place.branch);
  const std::string title = tr("Training so far");
  const std::string note = progress_text(ui, place.state->step, last);
  const Rect content = card(ui, rect, title, {}, note);
  Rect tabs{rect.x, rect.y + ui.px(6), rect.w, ui.px(22)};
  tabs.cut_left(text_width(ui, ui.fonts.bold, title) + ui.px(28));
  tabs.cut_right(text_width(ui, ui.fonts.mono_small, note) + ui.px(24));
  curve_tabs(ui, tabs);
  Chart chart;
  chart.last = static_cast<int>(std::max<std::uint64_t>(last, 1));
  chart.at = static_cast<int>(place.state->step);
  add_head_lines(ui, model, chart);
  const std::vector<float> loss =
      loss_shares(state.data.known_loss, place.run->task().vocabulary());
  if (state.curves != CurveKind::kGradient)
    chart.lines.push_back({"loss",
                           tr("loss ÷ log {}", {std::to_string(place.run->task().vocabulary())}),
                           state.data.steps, loss, ui.theme.dim, false});
  if (const auto birth = birth_of_induction(state.data)) {
    chart.marked = birth;
    chart.mark = tr("an induction head is born");
  }
  const ChartUse use = curve_chart(ui, content, chart);
  if (use.step) scrub_to(ui, static_cast<std::uint64_t>(*use.step));
  if (!use.held) end_scrub(ui);
  if (use.line && *use.line < state.data.heads.size()) look_at_head(ui, head_at(model, *use.line));
}

}  // namespace

extern constexpr PanelInfo kCurvesPanel{.name = "curves",
                                        .place = PanelPlace::kCentre,
                                        .draw = curves_card,
                                        .wanted = curves_card_height,
                                        .widgets = "curve/ curves/"};

}  // namespace lab::view
