#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/training_lines.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kBecameRow = 26, kBecameHeading = 44;
constexpr int kBefore = 100;  // steps
constexpr std::size_t kBecameRows = 3;

// A number that changed: of a head, or of the whole network.
struct Became {
  std::string label;
  HeadRef head;
  bool of_head = false;
  float before = 0, now = 0;

  float by() const { return std::abs(now - before); }
};

struct Measure {
  const char* name;
  std::vector<float> HeadCurves::*values;
};
constexpr std::array kMeasures{Measure{tr_later("induction"), &HeadCurves::induction},
                               Measure{tr_later("previous token"), &HeadCurves::previous},
                               Measure{tr_later("first token"), &HeadCurves::first},
                               Measure{tr_later("itself"), &HeadCurves::self}};

float value_at(const std::vector<float>& values, int index) {
  return index < 0 || static_cast<std::size_t>(index) >= values.size()
             ? 0
             : values[static_cast<std::size_t>(index)];
}

// The largest changes of heads, of each head one, and that of the loss.
std::vector<Became> what_became(Ui& ui) {
  const TrainingCurves& data = ui.state.training.data;
  const auto step = shown_training(ui)->state->step;
  const std::uint64_t earlier = step > kBefore ? step - kBefore : 0;
  const int now = index_at(data.measured_steps, step),
            before = std::max(0, index_at(data.measured_steps, earlier));
  std::vector<Became> all;
  if (now < 0) return all;
  const auto heads = shown_model(ui)->network.stack.blocks.front().attention.n_heads;
  for (std::size_t i = 0; i < data.heads.size(); ++i) {
    const auto head_index = static_cast<attention::Index>(i);
    const HeadRef head{{attention::network::Sublayer::kSelf, head_index / heads},
                       head_index % heads};
    Became most;
    for (const Measure& measure : kMeasures) {
      const std::vector<float>& values = data.heads[i].*measure.values;
      const Became one{name_of_head(head) + " " + tr(measure.name), head, true,
                       value_at(values, before), value_at(values, now)};
      if (one.by() > most.by()) most = one;
    }
    if (most.by() >= 0.01f) all.push_back(most);
  }
  std::ranges::stable_sort(all, std::greater<>(), &Became::by);
  all.resize(std::min(all.size(), kBecameRows - 1));
  const int loss_now = index_at(data.steps, step),
            loss_before = std::max(0, index_at(data.steps, earlier));
  if (loss_now >= 0)
    all.push_back({tr("Known loss of the batch"),
                   {},
                   false,
                   value_at(data.known_loss, loss_before),
                   value_at(data.known_loss, loss_now)});
  return all;
}

float became_height(Ui& ui, const Rect&) {
  return ui.px(kBecameHeading) + static_cast<float>(kBecameRows) * ui.px(kBecameRow);
}

void became_row(Ui& ui, const Rect& row, const Became& one, std::size_t number) {
  const bool clicked = one.of_head && click_area(ui, "became/" + std::to_string(number), row);
  if (clicked) go_to_head(ui, one.head);
  const bool pointed = one.of_head && is_pointed_at(ui);
  labelled_value(ui, row, one.label, ui.number(one.before) + " → " + ui.number(one.now),
                 pointed ? ui.theme.accent : ui.theme.text);
}

// Since when: the last hundred steps, or all that there are.
std::string became_note(const Ui& ui) {
  const auto steps = std::min<std::uint64_t>(shown_training(ui)->state->step, kBefore);
  return steps == 0
             ? std::string()
             : tr_count("in the last step", "in the last {} steps", static_cast<long>(steps));
}

void became_card(Ui& ui, const Rect& rect) {
  Rect content = card(ui, rect, tr("What moved most"), {}, became_note(ui));
  const std::vector<Became> all = what_became(ui);
  for (std::size_t i = 0; i < all.size(); ++i)
    became_row(ui, content.cut_top(ui.px(kBecameRow)), all[i], i);
}

}  // namespace

extern constexpr PanelInfo kBecamePanel{.name = "became",
                                        .region = PanelRegion::kRight,
                                        .of = PanelOf::kTraining,
                                        .draw = became_card,
                                        .preferred_height = became_height,
                                        .widgets = "became/"};

}  // namespace lab::view
