#include "app/view/cards/thumbnail.h"

#include "app/base/text_direction.h"
#include "app/translation/words.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/maps/heads.h"
#include "app/view/maps/heat_map.h"
#include "app/view/maps/map_ranges.h"
#include "app/view/maps/moves.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;

constexpr float kTitleHeight = 20;
constexpr float kLabelsFrom = 190;  // width from which on rows are labelled

// The text beside the head's name: the metric the heads are ordered by, otherwise its strongest
// pair.
std::string caption(Ui& ui, int head) {
  const HeadOrder order = ui.state.heads.order;
  if (order != HeadOrder::kNumber && order != HeadOrder::kStrongest)
    return metric_text(ui, order, head);
  std::string tokens = strongest_text(ui, head);
  if (order == HeadOrder::kNumber) return tokens;
  return metric_text(ui, order, head) + "  " + tokens;
}

// Why the head does not contribute to the output.
std::string why_silent(const Ui& ui, int head) {
  const attention::HeadMix mix = head_mix(ui, head);
  return mix.mute ? tr("muted") : mix.scale == 0 ? tr("scale 0") : solo_text(ui);
}

void draw_title(Ui& ui, Rect row, const std::string& name, const std::string& caption,
                figure::Rgb ink) {
  draw_text(ui, ui.fonts.bold, row, name, ink);
  row.cut_left(text_width(ui, ui.fonts.bold, name) + ui.px(6));
  if (row.w > ui.px(24)) draw_label(ui, row, caption, 13, ui.theme.dim, TextAlign::kLeft);
}

HeatMap small_map(Ui& ui, const std::string& name, const attention::SharedMatrix& weights,
                  float width) {
  HeatMap map;
  map.name = "thumb/" + name;
  map.matrix = weights;
  map.stage = attention::Stage::kWeights;
  map.colour_bar = false;
  map.values_inside = false;
  map.interactive = false;
  map.label_points = 10.5f;
  map.range = range_of_heads(ui, attention::Stage::kWeights);
  if (width > ui.px(kLabelsFrom))
    map.row_label = [&ui](Index i) { return row_label(ui.document(), i); };
  return map;
}

Rect inside(const Ui& ui, const Rect& rect) {
  return {rect.x + ui.px(9), rect.y + ui.px(4), rect.w - ui.px(16), rect.h - ui.px(11)};
}

bool points_at(const Rect& rect) {
  return rect.contains(ImGui::GetIO().MousePos) && ImGui::IsWindowHovered();
}

void click_head(Ui& ui, int head) {
  if (ImGui::GetIO().KeyCtrl) return pick_second_head(ui, head);
  ui.state.head = head;
  if (!shows_two_heads(ui.state.heads.view)) ui.state.heads.view = HeadView::kFocused;
}

void draw_frame(Ui& ui, const Rect& rect, int head, bool pointed_at) {
  const bool second =
      shows_two_heads(ui.state.heads.view) && std::ranges::count(compared_heads(ui), head) > 0;
  const bool focused = ui.state.head == head;
  if (!focused && !second && !pointed_at) return;
  const figure::Rgb colour = focused ? ui.theme.accent : second ? ui.theme.selected : ui.theme.line;
  frame_rect(ui, rect, colour, ui.px(2), ui.px(7));
}

}  // namespace

void head_thumbnail(Ui& ui, const Rect& rect, int head) {
  const bool pointed_at = points_at(rect) || head_with_focus(ui) == head;
  const bool silent = attention::head_gain(ui.problem(), head) == 0;
  Rect content = inside(ui, rect);
  Rect title = content.cut_top(ui.px(kTitleHeight));
  // Before the thumbnail, so that they get the pointer where they overlap it.
  head_switches(ui, title, head, pointed_at);
  const std::string number = std::to_string(head + 1);
  if (click_area(ui, "head/" + number, rect)) click_head(ui, head);
  if (has_keyboard_focus(ui, "head/" + number))
    tooltip(
        ui,
        tr("Enter focuses it · Ctrl+Enter compares it with the focused one · M mutes · S solo"));
  draw_frame(ui, rect, head, pointed_at);
  draw_title(ui, title, head_title(ui.document(), head),
             silent ? why_silent(ui, head) : caption(ui, head),
             silent ? ui.theme.dim : ui.theme.text);
  content.cut_top(ui.px(2));
  const auto& weights = ui.trace().heads[static_cast<std::size_t>(head)].weights;
  HeatMap map = small_map(ui, number, weights, content.w);
  if (shows_moves(ui)) show_moves_of_heads(ui, map, head);
  heat_map(ui, content, map);
  if (silent) fill_rect(ui, content, ui.theme.card, 0, 0.72f);
}

void combined_thumbnail(Ui& ui, const Rect& rect) {
  const HeadView view = ui.state.heads.view;
  if (click_area(ui, "head/combined", rect)) ui.state.heads.view = HeadView::kFocused;
  tooltip(ui, tr("Shown in the card of the weights; a click ends that"));
  frame_rect(ui, rect, ui.theme.line, std::max(1.0f, ui.px(1)), ui.px(7));
  Rect content = inside(ui, rect);
  const std::string name = view == HeadView::kMean      ? tr("Mean")
                           : view == HeadView::kMaximum ? tr("Maximum")
                                                        : tr("Difference");
  const std::string heads = head_number(ui.document(), ui.state.head) + " − " +
                            head_number(ui.document(), second_head(ui));
  draw_title(ui, content.cut_top(ui.px(kTitleHeight)), name,
             view == HeadView::kDifference ? heads
             : all_are_active(ui)          ? tr("all heads")
                                           : active_heads_text(ui),
             ui.theme.text);
  content.cut_top(ui.px(2));
  HeatMap map = small_map(ui, "combined", viewed_weights(ui, view), content.w);
  map.difference = view == HeadView::kDifference;
  map.range = heads_together_range(ui, map.matrix, map.difference);
  heat_map(ui, content, map);
}

}  // namespace lab::view
