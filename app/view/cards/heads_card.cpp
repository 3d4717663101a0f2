#include <algorithm>
#include <array>
#include <span>

#include "app/translation/words.h"
#include "app/view/actions/actions.h"
#include "app/view/cards/head_menu.h"
#include "app/view/cards/thumbnail.h"
#include "app/view/maps/heads.h"
#include "app/view/state/layout.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

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
