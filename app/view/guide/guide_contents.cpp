#include <optional>

#include "app/translation/words.h"
#include "app/view/guide/guide_links.h"
#include "app/view/guide/guide_pages.h"
#include "app/view/guide/guide_panels.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/search.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kPageRow = 28, kSectionRow = 24, kBeside = 10, kFurtherIn = 14;

// True if `text` contains every word of the search.
bool is_found(const Ui& ui, const std::string& text) {
  return match(ui.state.dialog.search, {}, text).has_value();
}

bool is_found(const Ui& ui, const GuidePage& page) {
  std::string text = page.title;
  for (const GuideSection& section : page.sections) text += "\n" + section.text;
  return is_found(ui, text);
}

// Draws one row of the list; a click goes to `location`.
void contents_row(Ui& ui, Rect& area, const GuideLocation& location, const std::string& title,
                  bool is_page) {
  const bool shown = location == shown_location(ui.state.guide);
  Rect row = area.cut_top(ui.px(is_page ? kPageRow : kSectionRow));
  const std::string name = "guide/contents/" + location.page + "#" + location.anchor;
  const bool clicked = click_area(ui, name, row);
  const bool hovered = ImGui::IsItemHovered();
  if (shown || hovered)
    fill_rect(ui, row, shown ? ui.theme.button : ui.theme.button_hover, ui.px(5));
  const bool pressed = guide_stop(ui, name, row);
  row.cut_left(ui.px(is_page ? kBeside : kBeside + kFurtherIn));
  row.cut_right(ui.px(4));
  const bool open = is_page && location.page == shown_location(ui.state.guide).page;
  const ImFont* font = open ? ui.fonts.bold : fitting_font(ui, title, row.w);
  draw_text(ui, is_page ? font : ui.fonts.small, row, title,
            is_page || hovered ? ui.theme.text : ui.theme.dim);
  if (clicked || pressed) visit_location(ui.state.guide, location);
}

void page_rows(Ui& ui, Rect& area, const GuidePage& page) {
  const bool searches = !ui.state.dialog.search.empty();
  if (searches && !is_found(ui, page)) return;
  const bool open = searches || page.file == shown_location(ui.state.guide).page;
  contents_row(ui, area, {page.file, {}}, page.title.empty() ? tr("Contents") : page.title, true);
  for (std::size_t i = 1; open && i < page.sections.size(); ++i) {
    const GuideSection& section = page.sections[i];
    if (!searches || is_found(ui, section.text))
      contents_row(ui, area, {page.file, section.anchor}, section.title, false);
  }
}

// The first section that matches the search, by its title or by its text.
std::optional<GuideLocation> found_section(const Ui& ui, bool by_title) {
  const std::vector<GuidePage>& pages = ui.state.guide.guide->pages;
  for (std::size_t i = 1; i <= pages.size(); ++i) {
    const GuidePage& page = pages[i % pages.size()];
    for (const GuideSection& section : page.sections)
      if (is_found(ui, by_title ? section.title : section.text))
        return GuideLocation{page.file, section.anchor};
  }
  return std::nullopt;
}

}  // namespace

void go_to_found(Ui& ui) {
  if (ui.state.dialog.search.empty()) return;
  auto location = found_section(ui, true);
  if (!location) location = found_section(ui, false);
  if (!location) return;
  ui.state.guide.keyboard_focus.clear();  // the keys now scroll the page
  visit_location(ui.state.guide, *location);
}

void guide_contents(Ui& ui, const Rect& area) {
  ImGui::SetCursorScreenPos(area.min());
  compat::begin_child("guide/contents", {area.w, area.h}, false);
  Rect list{area.x, area.y - ImGui::GetScrollY(), area.w - ui.px(4), 0};
  if (ImGui::GetScrollMaxY() > 0) list.w = area.w - ImGui::GetStyle().ScrollbarSize - ui.px(4);
  const float top = list.y;
  for (const GuidePage& page : ui.state.guide.guide->pages) page_rows(ui, list, page);
  if (list.y == top)
    draw_text(ui, ui.fonts.text, list.cut_top(ui.px(kPageRow)), tr("Nothing found."), ui.theme.dim);
  ImGui::SetCursorScreenPos({list.x, list.y - 1});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
}

}  // namespace lab::view
