#include <algorithm>
#include <array>
#include <span>

#include "app/base/text_direction.h"
#include "app/translation/words.h"
#include "app/view/actions/actions.h"
#include "app/view/cards/head_menu.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/maps/heads.h"
#include "app/view/maps/heat_map.h"
#include "app/view/maps/map_ranges.h"
#include "app/view/maps/sensitivity.h"
#include "app/view/state/layout.h"
#include "app/view/state/ui.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/popup.h"
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
  if (width > ui.px(kLabelsFrom)) {
    map.row_label = [&ui](Index i) { return row_label(ui.document(), i); };
    map.row_is_of_template = [&ui, stage = map.stage](Index i) {
      return row_is_of_template(ui.document(), stage, i);
    };
  }
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
void head_switch(Ui& ui, Rect& title, Rect& strip, const HeadRef& head, const HeadSwitch& what,
                 bool pointed_at) {
  const Rect cut = strip.cut_right(ui.px(kSide));
  const Rect bounds{cut.x, title.y + ui.px(1), ui.px(kSide), ui.px(kSide)};
  strip.cut_right(ui.px(kSwitchGap));
  const std::string id = widget_of_head(ui, head) + "/" + what.name;
  if (click_area(ui, id, bounds)) what.toggle(ui, {head});
  tooltip(ui, tr(what.help));
  const bool on = head_mix(ui.document(), head).*what.on;
  if (!on && !pointed_at) return;
  title.w = strip.right() - title.x;
  const figure::Rgb quiet = ImGui::IsItemHovered() ? ui.theme.button_hover : ui.theme.button;
  fill_rect(ui, bounds, on ? ui.theme.accent : quiet, ui.px(4));
  draw_text(ui, ui.fonts.small, bounds, what.letter, on ? ui.theme.on_accent : ui.theme.dim,
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

// The weights of head `number` (from 0), its name, and its switches: a click focuses the head,
// Ctrl + click compares it with the focused one, Shift + click selects it besides, a right click
// opens its menu.
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

// All heads' weights as one matrix, or the difference of two, according to the view of the heads.
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

constexpr float kNarrowestThumbnail = 132, kLowest = 104;  // thumbnail
constexpr float kThumbnailGap = 8, kAroundThumbnails = 52;
constexpr float kTitleWidth = 70;     // of the card
constexpr float kNoteFrom = 460;      // width from which on it fits
constexpr float kAroundHeading = 37;  // between and around its contents

bool shows_combined(const Ui& ui) {
  const HeadView view = ui.state.heads.view;
  return view == HeadView::kMean || view == HeadView::kMaximum || view == HeadView::kDifference;
}

int thumbnail_count(const Ui& ui) {
  return ui.problem().config.n_heads + (shows_combined(ui) ? 1 : 0);
}

// The arrangement of the thumbnails: in one row if they fit, otherwise in even rows that scroll.
struct Grid {
  int per_row = 1, rows = 1;
  float width = 0, height = 0;  // of one thumbnail
};

Grid arrange(const Ui& ui, float width, float height) {
  const float gap = ui.px(kThumbnailGap);
  const int count = thumbnail_count(ui);
  const int fit = static_cast<int>((width + gap) / (ui.px(kNarrowestThumbnail) + gap));
  Grid grid;
  grid.rows = (count + std::max(fit, 1) - 1) / std::max(fit, 1);
  grid.per_row = (count + grid.rows - 1) / grid.rows;
  const auto share = [gap](float whole, int parts) {
    const auto number = static_cast<float>(parts);
    return std::floor((whole - gap * (number - 1)) / number);
  };
  grid.width = share(width, grid.per_row);
  const float least = grid.rows > 1 ? ui.px(kLowest) : 0;
  grid.height = std::max(least, share(height, grid.rows));
  return grid;
}

void thumbnails(Ui& ui, const Rect& area) {
  Grid grid = arrange(ui, area.w, area.h);
  const float gap = ui.px(kThumbnailGap);
  const auto total = [&grid, gap] { return (grid.height + gap) * float(grid.rows) - gap; };
  if (total() > area.h + 1)
    grid = arrange(ui, area.w - ImGui::GetStyle().ScrollbarSize - ui.px(2), area.h);
  const float top = area.y - ImGui::GetScrollY();
  const auto bounds_at = [&](int i) {
    const int row = i / grid.per_row;
    return Rect{area.x + (grid.width + gap) * float(i % grid.per_row),
                top + (grid.height + gap) * float(row), grid.width, grid.height};
  };
  int next = 0;
  Rect menu = area;
  for (const int head : ordered_heads(ui)) {
    const Rect thumbnail = bounds_at(next++);
    head_thumbnail(ui, thumbnail, head);
    if (ui.state.heads.menu == HeadRef{ui.document().layer.at, head}) menu = thumbnail;
  }
  head_menu(ui, menu);
  if (shows_combined(ui)) combined_thumbnail(ui, bounds_at(next));
  ImGui::SetCursorScreenPos({area.x, top});
  ImGui::Dummy({1, total()});
}

constexpr std::array kOrderActions{"heads.by_number",   "heads.by_entropy",  "heads.by_strongest",
                                   "heads.by_diagonal", "heads.by_previous", "heads.by_first",
                                   "heads.by_shift"};
constexpr std::array kTogether{"heads.focused",     "heads.beside",       "heads.all_beside",
                               "heads.more_beside", "heads.fewer_beside", "heads.overlaid",
                               "heads.difference",  "heads.mean",         "heads.maximum"};

void items(Ui& ui, std::span<const char* const> ids) {
  for (const char* id : ids) action_item(ui, id, action(id));
}

// What the card of the weights shows, in a word or two.
std::string together_text(HeadView view) {
  switch (view) {
    case HeadView::kMean:
      return tr("mean");
    case HeadView::kMaximum:
      return tr("maximum");
    case HeadView::kDifference:
      return tr("difference");
    case HeadView::kBeside:
      return tr("side by side");
    case HeadView::kOverlaid:
      return tr("overlaid");
    default:
      return tr("compare heads");
  }
}

float together_width(const Ui& ui) {
  std::vector<std::string> texts;
  for (const HeadView view : {HeadView::kFocused, HeadView::kMean, HeadView::kMaximum,
                              HeadView::kDifference, HeadView::kBeside, HeadView::kOverlaid})
    texts.push_back(together_text(view));
  return value_button_width(ui, texts, true);
}

float order_width(const Ui& ui) {
  std::vector<std::string> texts;
  for (const HeadOrder order :
       {HeadOrder::kNumber, HeadOrder::kEntropy, HeadOrder::kStrongest, HeadOrder::kDiagonal,
        HeadOrder::kPrevious, HeadOrder::kFirst, HeadOrder::kShift})
    texts.push_back(order_text(order));
  return value_button_width(ui, texts, true);
}

void order_menu(Ui& ui, const Rect& bounds) {
  if (value_button(ui, "menu/order", bounds, order_text(ui.state.heads.order), true))
    open_popup("menu/order");
  tooltip(ui, tr("Order of the heads"));
  if (!begin_popup(ui, "menu/order", bounds)) return;
  items(ui, kOrderActions);
  end_popup();
}

void together_menu(Ui& ui, const Rect& bounds) {
  if (value_button(ui, "menu/together", bounds, together_text(ui.state.heads.view), true))
    open_popup("menu/together");
  tooltip(ui, tr("Heads side by side, overlaid, their difference; mean and maximum of all"));
  if (!begin_popup(ui, "menu/together", bounds)) return;
  ImGui::TextDisabled("%s", tr("The cards show").c_str());
  items(ui, kTogether);
  ImGui::Separator();
  ImGui::TextDisabled(
      "%s", tr("Ctrl + click on a head picks the second one; side by side, also more").c_str());
  end_popup();
}

float heads_menus_width(const Ui& ui) { return together_width(ui) + ui.px(8) + order_width(ui); }

// Cut off the right end of `row`.
void heads_menus(Ui& ui, Rect& row) {
  const float together = together_width(ui), order = order_width(ui);
  const float room = row.w - together - ui.px(8 + kTitleWidth);
  together_menu(ui, row.cut_right(together));
  row.cut_right(ui.px(8));
  if (order <= room) order_menu(ui, row.cut_right(order));
}

// True when the cards of this column are higher than it, so that it scrolls.
bool column_scrolls(const Ui& ui, const Rect& column, int rows) {
  const std::vector<attention::Stage> stages = shown_stages(ui.problem());
  return centre_layout(column, ui.state.scale, stages, rows).height > column.h;
}

// In a window that scrolls as a whole, all thumbnails are in it, and a few rows of them in a column
// that scrolls; elsewhere they scroll in the card.
float heads_card_height(Ui& ui, const Rect& column) {
  const int rows = ui.state.inspection.large ? 0 : arrange(ui, column.w - ui.px(24), 0).rows;
  if (rows == 0) return 0;
  const float height = centre_layout(column, ui.state.scale, {}, rows).heads.h;
  const bool few = rows == 2 || (rows == 3 && column_scrolls(ui, column, rows));
  if (!ui.state.is_page && !few) return height;
  const float all = static_cast<float>(rows) * ui.px(kLowest + kThumbnailGap);
  return std::max(height, all + ui.px(kAroundThumbnails));
}

void heads_card(Ui& ui, const Rect& rect) {
  const std::string note = std::to_string(ui.problem().config.n_heads) + " × " +
                           std::to_string(ui.problem().seq_len()) + " × " +
                           std::to_string(ui.problem().kv_len());
  const bool noted = rect.w > ui.px(kNoteFrom);
  const std::string name = tr("Heads"), formula = tr("weights of every head · same scale");
  const float heading = text_width(ui, ui.fonts.bold, name) + formula_width(ui, formula) +
                        heads_menus_width(ui) + ui.px(kAroundHeading) +
                        (noted ? text_width(ui, ui.fonts.mono_small, note) + ui.px(12) : 0);
  const Rect content = card(ui, rect, name, rect.w > heading ? formula : "", noted ? note : "");
  const float shape = noted ? text_width(ui, ui.fonts.mono_small, note) + ui.px(12) : 0;
  Rect row{rect.x, rect.y + ui.px(6), rect.w - ui.px(12) - shape, ui.px(22)};
  heads_menus(ui, row);
  ImGui::SetCursorScreenPos(content.min());
  compat::begin_child("heads", {content.w, content.h}, false);
  thumbnails(ui, content);
  ImGui::EndChild();
}

}  // namespace

extern constexpr PanelInfo kHeadsPanel{
    .name = "heads",
    .region = PanelRegion::kCentre,
    .of = PanelOf::kByHand,
    .draw = heads_card,
    .preferred_height = heads_card_height,
    .entrance = [](const ViewState& state) { return "head/" + std::to_string(state.head + 1); },
    .widgets = "head/"};

}  // namespace lab::view
