#include "app/view/maps/heads.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>

#include "app/base/machine_numbers.h"
#include "app/base/text_direction.h"
#include "app/base/wording.h"
#include "app/translation/words.h"
#include "app/view/maps/metrics_cache.h"

namespace lab::view {
namespace {

using attention::HeadMix;

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

// Numbers of a widget's name, such as 9 and 3 of "9/3/mute".
std::vector<int> leading_numbers(std::string_view text) {
  std::vector<int> numbers;
  while (const auto number = take_number<int>(text)) {
    numbers.push_back(*number);
    if (!text.starts_with('/')) break;
    text.remove_prefix(1);
  }
  return numbers;
}

// Those of the heads that can be edited: none while a kept state is shown. What is shown may be
// older than what is edited, and have more heads.
std::vector<HeadRef> editable_heads(const Ui& ui, std::vector<HeadRef> heads) {
  std::erase_if(heads, [&](const HeadRef& head) { return !has_head(ui.edited(), head); });
  return ui.state.compare.shown() ? std::vector<HeadRef>() : heads;
}

// Those whose mix in the document as last edited has that. Precondition: they can be edited.
template <typename Has>
std::vector<HeadRef> heads_with(const Ui& ui, std::vector<HeadRef> heads, const Has& has) {
  std::erase_if(heads, [&](const HeadRef& head) { return !has(head_mix(ui.edited(), head)); });
  return heads;
}

// Gives each head the mix that command(its mix) says, in one step, which is called label(names). A
// single head of a layer made by hand has the name of its command.
template <typename MakeCommand, typename Label>
void set_mixes(Ui& ui, const std::vector<HeadRef>& heads, const MakeCommand& make_command,
               const Label& label) {
  const auto names = names_for_label(ui, heads);
  const bool named = heads.size() > 1 || ui.edited().layer.model;
  for (const HeadRef& head : heads) {
    SetHeadMix command = make_command(head_mix(ui.edited(), head));
    command.head = static_cast<int>(head.head);
    StepLabel text = {};
    if (named) text = [label, names] { return label(names()); };
    ui.queue(intent::Apply{command, {}, head.at, text, heads.size() > 1 ? key_of_step(ui) : ""});
  }
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

std::string own_head_note(Ui& ui, const std::string& card, const Rect& bounds) {
  const HeadView view = ui.state.heads.view;
  if (view != HeadView::kMean && view != HeadView::kMaximum) return {};
  ui.name("own_head/" + card, bounds);
  return head_in_text(ui.document(), ui.state.head);
}

bool all_are_active(const Ui& ui) {
  return std::ssize(attention::active_heads(ui.problem())) == ui.problem().config.n_heads;
}

HeadRef focused_head(const Ui& ui) { return {ui.document().layer.at, ui.state.head}; }

std::vector<HeadRef> chosen_heads(const Ui& ui) {
  std::vector<HeadRef> heads = ui.state.heads.chosen;
  std::erase_if(heads, [&](const HeadRef& head) { return !has_head(ui.document(), head); });
  const HeadRef focused = focused_head(ui);
  if (std::ranges::find(heads, focused) == heads.end()) heads.insert(heads.begin(), focused);
  return heads;
}

void toggle_chosen(Ui& ui, const HeadRef& head) {
  auto& chosen = ui.state.heads.chosen;
  if (std::erase(chosen, head) == 0) chosen.push_back(head);
}

bool is_chosen(const Ui& ui, const HeadRef& head) {
  return std::ranges::count(ui.state.heads.chosen, head) > 0;
}

std::optional<HeadRef> head_with_focus(const Ui& ui) {
  const auto& on = ui.state.keyboard_focus.on;
  if (!on) return std::nullopt;
  const std::string_view name = on->name;
  const attention::network::LayerId at = ui.document().layer.at;
  if (name.starts_with("tile/")) {
    const auto numbers = leading_numbers(name.substr(5));
    if (numbers.size() == 2) return HeadRef{{at.sublayer, numbers[0]}, numbers[1]};
  } else if (name.starts_with("head/")) {
    const auto numbers = leading_numbers(name.substr(5));
    const bool there =
        !numbers.empty() && numbers[0] >= 1 && numbers[0] <= ui.problem().config.n_heads;
    if (there) return HeadRef{at, numbers[0] - 1};
  }
  return std::nullopt;
}

std::vector<HeadRef> heads_of_keys(const Ui& ui) {
  if (const auto head = head_with_focus(ui)) return {*head};
  return chosen_heads(ui);
}

std::function<std::string()> names_for_label(const Ui& ui, const std::vector<HeadRef>& heads) {
  const auto document = std::make_shared<const Document>(ui.edited());
  return [document, heads] { return heads_in_text(*document, heads); };
}

void toggle_mutes(Ui& ui, const std::vector<HeadRef>& chosen) {
  const std::vector<HeadRef> heads = editable_heads(ui, chosen);
  const auto is_muted = [](const HeadMix& mix) { return mix.mute; };
  const bool all = heads_with(ui, heads, is_muted).size() == heads.size();
  const auto changed = heads_with(ui, heads, [&](const HeadMix& mix) { return mix.mute == all; });
  set_mixes(
      ui, changed, [&](const HeadMix&) { return SetHeadMix{.mute = !all}; },
      [all](const std::string& names) {
        return all ? tr("Unmute {}", {names}) : tr("Mute {}", {names});
      });
}

void toggle_solos(Ui& ui, const std::vector<HeadRef>& chosen) {
  const std::vector<HeadRef> heads = editable_heads(ui, chosen);
  const auto is_solo = [](const HeadMix& mix) { return mix.solo; };
  const bool all = heads_with(ui, heads, is_solo).size() == heads.size();
  const auto changed = heads_with(ui, heads, [&](const HeadMix& mix) { return mix.solo == all; });
  const auto command = [&](const HeadMix& mix) {
    SetHeadMix solo{.solo = !all};
    if (!all && mix.mute) solo.mute = false;  // otherwise nothing would be left
    return solo;
  };
  set_mixes(ui, changed, command, [all](const std::string& names) {
    return all ? tr("End solo of {}", {names}) : tr("Solo {}", {names});
  });
}

void set_gains(Ui& ui, const std::vector<HeadRef>& heads, float gain) {
  const auto changed = heads_with(ui, editable_heads(ui, heads),
                                  [&](const HeadMix& mix) { return mix.scale != gain; });
  set_mixes(
      ui, changed, [&](const HeadMix&) { return SetHeadMix{.scale = gain}; },
      [gain](const std::string& names) { return names + " × " + shortest(gain); });
}

bool is_marked(const Ui& ui, const HeadRef& head) {
  const auto& marked = ui.state.heads.marked;
  return std::ranges::find(marked, head) != marked.end();
}

void toggle_marks(Ui& ui, const std::vector<HeadRef>& heads) {
  const bool all =
      std::ranges::all_of(heads, [&](const HeadRef& head) { return is_marked(ui, head); });
  auto& marked = ui.state.heads.marked;
  for (const HeadRef& head : heads) std::erase(marked, head);
  if (!all) marked.insert(marked.end(), heads.begin(), heads.end());
}

// No earlier step can have it: the state is another one after each.
std::string key_of_step(const Ui& ui) {
  return "after " + std::to_string(ui.workspace.history().state_id());
}

std::string widget_of_head(const Ui& ui, const HeadRef& head) {
  return ui.document().layer.model
             ? "tile/" + std::to_string(head.at.layer) + "/" + std::to_string(head.head)
             : "head/" + std::to_string(head.head + 1);
}

std::string solo_text(const Ui& ui) {
  std::vector<int> solo;
  for (int head = 0; head < ui.problem().config.n_heads; ++head)
    if (head_mix(ui.document(), {ui.document().layer.at, head}).solo) solo.push_back(head);
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
