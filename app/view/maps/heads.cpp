#include "app/view/maps/heads.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/base/machine_numbers.h"
#include "app/base/text_direction.h"
#include "app/translation/words.h"
#include "app/view/maps/metrics_cache.h"

namespace lab::view {
namespace {

// Keeps the heads that are compared; the first is the focused one.
void compare_these(Ui& ui, const std::vector<int>& heads) {
  HeadsState& state = ui.state.heads;
  state.further.clear();
  state.view = heads.size() < 2 ? HeadView::kFocused : HeadView::kBeside;
  if (heads.size() < 2) return;
  state.second = heads[1];
  state.further.assign(heads.begin() + 2, heads.end());
}

void toggle_beside(Ui& ui, int head) {
  std::vector<int> heads = compared_heads(ui);
  if (std::erase(heads, head) == 0) heads.push_back(head);
  compare_these(ui, heads);
}

}  // namespace

const attention::SharedMatrix& weights_of(const Ui& ui, int head) {
  return ui.trace().heads[static_cast<std::size_t>(head)].weights;
}

Measured measured(Ui& ui) {
  if (!ends_with_padding(ui.document())) return {ui.problem(), ui.trace()};
  const MeasuredLayer& layer = ui.metrics.measured(ui.document(), ui.trace());
  return {layer.problem, layer.trace};
}

std::string order_text(HeadOrder order) {
  switch (order) {
    case HeadOrder::kNumber:
      return tr("by number");
    case HeadOrder::kEntropy:
      return tr("by entropy");
    case HeadOrder::kStrongest:
      return tr("by strongest pair");
    case HeadOrder::kDiagonal:
      return tr("by diagonal");
    case HeadOrder::kPrevious:
      return tr("by previous token");
    case HeadOrder::kFirst:
      return tr("by first token");
    case HeadOrder::kShift:
      return tr("by output moved");
  }
  return {};
}

std::string metric_text(Ui& ui, HeadOrder order, int head) {
  const auto [problem, trace] = measured(ui);
  const double value = ui.metrics.metric(order, problem, trace, head);
  std::string number = ui.number(value);
  if (order == HeadOrder::kEntropy) return tr("{} nats", {number});
  if (order == HeadOrder::kShift) return "‖Δ‖ " + number;
  return number;
}

std::string strongest_text(Ui& ui, int head) {
  const auto& pair = ui.metrics.strongest(measured(ui).trace, head);
  if (pair.weight == 0) return tr("none##pair of tokens");
  return pair_text(row_label(ui.document(), pair.row), key_label(ui.document(), pair.col));
}

std::vector<int> ordered_heads(Ui& ui) {
  std::vector<int> heads(static_cast<std::size_t>(ui.problem().config.n_heads));
  std::iota(heads.begin(), heads.end(), 0);
  const HeadOrder order = ui.state.heads.order;
  if (order == HeadOrder::kNumber) return heads;
  const Measured layer = measured(ui);
  std::ranges::stable_sort(heads, std::greater(), [&](int head) {
    const double value = ui.metrics.metric(order, layer.problem, layer.trace, head);
    return std::isnan(value) ? -HUGE_VAL : value;
  });
  return heads;
}

std::string active_head_numbers(const Ui& ui) {
  const std::vector<attention::Index> active = attention::active_heads(ui.problem());
  std::string text;
  for (std::size_t i = 0; i < active.size();) {
    std::size_t last = i;
    while (last + 1 < active.size() && active[last + 1] == active[last] + 1) ++last;
    text += (text.empty() ? "" : ", ") + head_number(ui.document(), active[i]);
    if (last > i) text += (last > i + 1 ? "–" : ", ") + head_number(ui.document(), active[last]);
    i = last + 1;
  }
  return text;
}

std::string active_heads_text(const Ui& ui) {
  if (!ui.document().head_names.empty()) return active_head_numbers(ui);
  const bool one = attention::active_heads(ui.problem()).size() == 1;
  return one ? tr("head {}", {active_head_numbers(ui)}) : tr("heads {}", {active_head_numbers(ui)});
}

std::string own_head_note(Ui& ui, const std::string& card, const Rect& place) {
  const HeadView view = ui.state.heads.view;
  if (view != HeadView::kMean && view != HeadView::kMaximum) return {};
  ui.name("own_head/" + card, place);
  return head_in_text(ui.document(), ui.state.head);
}

bool all_are_active(const Ui& ui) {
  return std::ssize(attention::active_heads(ui.problem())) == ui.problem().config.n_heads;
}

std::optional<int> head_with_focus(const Ui& ui) {
  constexpr std::string_view kStart = "head/";
  const auto& on = ui.state.keyboard_focus.on;
  if (!on || !on->name.starts_with(kStart)) return std::nullopt;
  std::string_view rest = std::string_view(on->name).substr(kStart.size());
  const int number = take_number<int>(rest).value_or(0);
  const bool there = number >= 1 && number <= ui.problem().config.n_heads;
  return there ? std::optional(number - 1) : std::nullopt;
}

int head_of_keys(const Ui& ui) { return head_with_focus(ui).value_or(ui.state.head); }

attention::HeadMix head_mix(const Ui& ui, int head) {
  const auto& mix = ui.problem().head_mix;
  return mix.empty() ? attention::HeadMix{} : mix[static_cast<std::size_t>(head)];
}

void toggle_mute(Ui& ui, int head) {
  if (ui.kept) return;
  ui.queue(intent::Apply{SetHeadMix{.head = head, .mute = !head_mix(ui, head).mute}});
}

void toggle_solo(Ui& ui, int head) {
  if (ui.kept) return;
  const attention::HeadMix mix = head_mix(ui, head);
  SetHeadMix command{.head = head, .solo = !mix.solo};
  if (!mix.solo && mix.mute) command.mute = false;  // otherwise nothing would be left
  ui.queue(intent::Apply{command});
}

std::string solo_text(const Ui& ui) {
  std::vector<int> solo;
  for (int head = 0; head < ui.problem().config.n_heads; ++head)
    if (head_mix(ui, head).solo) solo.push_back(head);
  return solo.size() == 1 ? tr("{} is solo", {head_in_text(ui.document(), solo.front())})
                          : tr("others are solo");
}

int second_head(const Ui& ui) {
  const int heads = ui.problem().config.n_heads, second = ui.state.heads.second;
  if (second >= 0 && second < heads && second != ui.state.head) return second;
  return (ui.state.head + 1) % heads;
}

std::vector<int> compared_heads(const Ui& ui) {
  std::vector<int> heads{ui.state.head};
  const auto add = [&](int head) {
    if (head >= 0 && head < ui.problem().config.n_heads && std::ranges::count(heads, head) == 0)
      heads.push_back(head);
  };
  add(second_head(ui));
  for (const int head : ui.state.heads.further) add(head);
  return heads;
}

void pick_second_head(Ui& ui, int head) {
  HeadsState& heads = ui.state.heads;
  if (head == ui.state.head) return;
  if (heads.view == HeadView::kBeside) return toggle_beside(ui, head);
  heads.second = head;
  heads.further.clear();
  if (!shows_two_heads(heads.view)) heads.view = HeadView::kDifference;
}

void compare_one_more(Ui& ui) {
  if (!shows_two_heads(ui.state.heads.view)) {
    ui.state.heads.further.clear();
    ui.state.heads.view = ui.problem().config.n_heads > 1 ? HeadView::kBeside : HeadView::kFocused;
    return;
  }
  std::vector<int> heads = compared_heads(ui);
  for (int head = 0; head < ui.problem().config.n_heads; ++head) {
    if (std::ranges::count(heads, head) > 0) continue;
    heads.push_back(head);
    break;
  }
  compare_these(ui, heads);
}

void compare_one_fewer(Ui& ui) {
  if (!shows_two_heads(ui.state.heads.view)) return;
  std::vector<int> heads = compared_heads(ui);
  heads.pop_back();
  compare_these(ui, heads);
}

void compare_all_heads(Ui& ui) {
  std::vector<int> heads{ui.state.head};
  for (int head = 0; head < ui.problem().config.n_heads; ++head)
    if (head != ui.state.head) heads.push_back(head);
  compare_these(ui, heads);
}

bool shows_two_heads(HeadView view) {
  return view == HeadView::kDifference || view == HeadView::kBeside || view == HeadView::kOverlaid;
}

const attention::SharedMatrix& viewed_weights(Ui& ui, HeadView view) {
  const attention::SharedMatrix& focused = weights_of(ui, ui.state.head);
  const auto active = attention::active_heads(ui.problem());
  if (view == HeadView::kMean) return ui.metrics.mean(ui.trace(), active);
  if (view == HeadView::kMaximum) return ui.metrics.maximum(ui.trace(), active);
  if (view == HeadView::kDifference)
    return ui.metrics.difference(weights_of(ui, second_head(ui)), focused);
  return focused;
}

}  // namespace lab::view
