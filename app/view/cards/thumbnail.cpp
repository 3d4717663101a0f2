#include "app/view/cards/thumbnail.h"

#include <algorithm>

#include "app/base/text_direction.h"
#include "app/translation/words.h"
#include "app/view/cards/head_menu.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/maps/heads.h"
#include "app/view/maps/heat_map.h"
#include "app/view/maps/map_ranges.h"
#include "app/view/maps/sensitivity.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;

constexpr float kTitleHeight = 20;
constexpr float kSide = 18, kSwitchGap = 3;  // of a switch
constexpr float kLabelsFrom = 190;           // width from which on rows are labelled

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
std::string why_silent(const Ui& ui, const HeadRef& head) {
  const attention::HeadMix mix = head_mix(ui.document(), head);
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

struct HeadSwitch {
  const char* name;
  const char* letter;
  const char* help;
  bool attention::HeadMix::*on;
  void (*toggle)(Ui& ui, const std::vector<HeadRef>& heads);
};

constexpr HeadSwitch kSolo{"solo", "S", tr_later("Solo: only this head goes into the output   S"),
                           &attention::HeadMix::solo, toggle_solos};
constexpr HeadSwitch kMute{"mute", "M",
                           tr_later("Mute: nothing of this head goes into the output   M"),
                           &attention::HeadMix::mute, toggle_mutes};

// Cut off the title when it is visible; can be clicked and found by name even when it is not.
void head_switch(Ui& ui, Rect& title, Rect& strip, const HeadRef& head, const HeadSwitch& record,
                 bool pointed_at) {
  const Rect cut = strip.cut_right(ui.px(kSide));
  const Rect bounds{cut.x, title.y + ui.px(1), ui.px(kSide), ui.px(kSide)};
  strip.cut_right(ui.px(kSwitchGap));
  const std::string id = widget_of_head(ui, head) + "/" + record.name;
  if (click_area(ui, id, bounds)) record.toggle(ui, {head});
  tooltip(ui, tr(record.help));
  const bool on = head_mix(ui.document(), head).*record.on;
  if (!on && !pointed_at) return;
  title.w = strip.right() - title.x;
  const figure::Rgb quiet = ImGui::IsItemHovered() ? ui.theme.button_hover : ui.theme.button;
  fill_rect(ui, bounds, on ? ui.theme.accent : quiet, ui.px(4));
  draw_text(ui, ui.fonts.small, bounds, record.letter, on ? ui.theme.on_accent : ui.theme.dim,
            TextAlign::kCentre);
}

// The mute and solo switches, in a strip cut off the right end of a thumbnail's title. They are
// visible while `pointed_at`, and while they are on.
void head_switches(Ui& ui, Rect& title, const HeadRef& head, bool pointed_at) {
  Rect strip = title;
  head_switch(ui, title, strip, head, kSolo, pointed_at);
  head_switch(ui, title, strip, head, kMute, pointed_at);
}

void click_head(Ui& ui, const HeadRef& head) {
  if (ImGui::GetIO().KeyShift) return toggle_chosen(ui, head);
  if (ImGui::GetIO().KeyCtrl) return pick_second_head(ui, static_cast<int>(head.head));
  ui.state.heads.chosen.clear();
  ui.state.head = static_cast<int>(head.head);
  if (!shows_two_heads(ui.state.heads.view)) ui.state.heads.view = HeadView::kFocused;
}

void draw_frame(Ui& ui, const Rect& rect, const HeadRef& head, bool pointed_at) {
  const bool second = shows_two_heads(ui.state.heads.view) &&
                      std::ranges::count(compared_heads(ui), static_cast<int>(head.head)) > 0;
  const bool focused = focused_head(ui) == head, chosen = second || is_chosen(ui, head);
  if (!focused && !chosen && !pointed_at) return;
  const figure::Rgb colour = focused ? ui.theme.accent : chosen ? ui.theme.selected : ui.theme.line;
  frame_rect(ui, rect, colour, ui.px(2), ui.px(7));
}

void draw_weights(Ui& ui, const Rect& rect, const HeadRef& head) {
  const int number = static_cast<int>(head.head);
  HeatMap map = small_map(ui, std::to_string(number + 1), weights_of(ui, number), rect.w);
  if (shows_sensitivity(ui)) show_sensitivity_of_heads(ui, map, number);
  heat_map(ui, rect, map);
}

}  // namespace

void head_thumbnail(Ui& ui, const Rect& rect, int number) {
  const HeadRef head{ui.document().layer.at, number};
  const std::string name = widget_of_head(ui, head);
  const bool pointed_at = points_at(rect) || head_with_focus(ui) == head;
  const bool silent = is_silent(ui.document(), head);
  Rect content = inside(ui, rect);
  Rect title = content.cut_top(ui.px(kTitleHeight));
  // Before the thumbnail, so that they get the pointer where they overlap it.
  head_switches(ui, title, head, pointed_at);
  if (click_area(ui, name, rect)) click_head(ui, head);
  if (has_keyboard_focus(ui, name))
    tooltip(ui, tr("Enter focuses it · Ctrl+Enter compares it with the focused one · M mutes · S "
                   "solo · G more"));
  draw_frame(ui, rect, head, pointed_at);
  draw_title(ui, title, head_title(ui.document(), head.head),
             silent ? why_silent(ui, head) : caption(ui, number),
             silent ? ui.theme.dim : ui.theme.text);
  content.cut_top(ui.px(2));
  draw_weights(ui, content, head);
  if (silent) fill_rect(ui, content, ui.theme.card, 0, 0.72f);
  draw_head_marks(ui, content, head);
  take_right_click(ui, head, rect);
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
