#include <algorithm>

#include "app/files/open.h"
#include "app/translation/words.h"
#include "app/view/guide/guide_links.h"
#include "app/view/guide/guide_pages.h"
#include "app/view/guide/guide_panels.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/rich_flow.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using Block = lessons::TextBlock;

constexpr float kPageFrame = 4, kPageSide = 22, kPageTop = 14, kPageBottom = 24, kWidestPage = 700;
constexpr float kPageTitle = 30, kTitlePoints = 20, kAboveSection = 12, kBetweenBlocks = 8,
                kBetweenItems = 4;

void write_heading(Ui& ui, RichFlow& flow, const Block& block, const std::string& title) {
  if (block.level > 1) flow.skip(ui.px(kAboveSection));
  if (block.level > 1) return flow.words(title, ui.fonts.title, ui.theme.text);
  const Rect line = flow.take(ui.px(kPageTitle));
  if (flow.draws())
    draw_label(ui, line, title, kTitlePoints, ui.theme.text, TextAlign::kLeft, true);
}

// Writes the page. Returns the y of the heading `anchor`, or of the top of the page if there is no
// such heading.
float write_page(Ui& ui, RichFlow& flow, const GuidePage& page, const std::string& anchor) {
  float found = flow.y();
  std::size_t heading = 0;
  for (const Block& block : page.text) {
    if (block.type == Block::Type::kHeading) {
      const GuideSection& section = page.sections[heading++];
      if (section.anchor == anchor && block.level > 1) found = flow.y() + ui.px(kAboveSection);
      write_heading(ui, flow, block, section.title);
    } else {
      flow.block(block, ui.theme.text);
    }
    const bool goes_on = block.type == Block::Type::kItem && &block != &page.text.back() &&
                         (&block)[1].type == Block::Type::kItem;
    flow.skip(ui.px(goes_on ? kBetweenItems : kBetweenBlocks));
  }
  return found;
}

void write_problem(Ui& ui, RichFlow& flow, const GuidePage& page) {
  flow.words(tr("This page of the guide cannot be read."), ui.fonts.bold, ui.theme.text);
  flow.skip(ui.px(kBetweenBlocks));
  flow.words(page.problem, ui.fonts.text, ui.theme.danger);
  flow.skip(ui.px(kBetweenBlocks));
  flow.words(tr("The guide is in the folder guide/ of the program's assets. If the assets are "
                "elsewhere, set ATTENTION_LAB_ASSETS to their folder."),
             ui.fonts.text, ui.theme.text);
}

// Underlines a link that is already drawn.
void underline(Ui& ui, const Rect& part, figure::Rgb colour) {
  const float line = std::max(1.0f, ui.px(1));
  fill_rect(ui, {part.x, part.bottom() - ui.px(2), part.w, line}, colour);
}

// Handles a link within the guide. True if it was clicked or pressed by key.
bool inner_link(Ui& ui, const std::string& name, const PlacedLink& link) {
  bool followed = false, hovered = false;
  for (std::size_t i = 0; i < link.parts.size(); ++i) {
    followed |= click_area(ui, i == 0 ? name : name + "/" + std::to_string(i), link.parts[i]);
    hovered |= ImGui::IsItemHovered();
  }
  followed |= guide_stop(ui, name, link.parts.front());
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  for (const Rect& part : link.parts)
    underline(ui, part, hovered ? ui.theme.accent : ui.theme.line);
  return followed;
}

// A link out of the guide shows its target in a tooltip.
void outer_link(Ui& ui, const std::string& name, const PlacedLink& link) {
  const std::string path = outside_path(link.span->target);
  const bool is_file = path != link.span->target;
  for (std::size_t i = 0; i < link.parts.size(); ++i) {
    pointer_area(ui, i == 0 ? name : name + "/" + std::to_string(i), link.parts[i]);
    tooltip(ui, is_file ? tr("In the source folder: {}", {path}) : path);
    underline(ui, link.parts[i], ui.theme.line);
  }
}

void follow_links(Ui& ui, const std::string& page, const std::vector<PlacedLink>& links) {
  for (std::size_t i = 0; i < links.size(); ++i) {
    const std::string name = "guide/link/" + std::to_string(i);
    const auto location = location_of_link(links[i].span->target, page);
    if (!location) {
      outer_link(ui, name, links[i]);
    } else if (inner_link(ui, name, links[i])) {
      return visit_location(ui.state.guide, *location);
    }
  }
}

// The scroll position in this frame. On arrival it is that of the heading.
float scroll_of(Ui& ui, const Rect& area, const GuidePage& page, const Snapshot& live) {
  GuideState& guide = ui.state.guide;
  GuideVisit& visit = guide.visits[guide.at];
  if (!std::exchange(guide.arrives, false)) {
    compat::scroll_by_keys(ui.px(40));
    visit.scroll = ImGui::GetScrollY();
    return *visit.scroll;
  }
  if (!visit.scroll) {
    RichFlow measured(ui, {0, 0, area.w, 0}, live, false);
    visit.scroll = write_page(ui, measured, page, visit.location.anchor);
  }
  ImGui::SetScrollY(*visit.scroll);
  return *visit.scroll;
}

}  // namespace

void guide_page(Ui& ui, const Rect& frame) {
  static const Snapshot kNoNumbers{Document(), attention::Trace()};
  const GuideLocation location = shown_location(ui.state.guide);
  const Guide& guide = *ui.state.guide.guide;
  const GuidePage* found = find_page(guide, location.page);
  const GuidePage& page = found != nullptr ? *found : guide.pages.front();
  ui.name("guide/page/" + page.file, frame);
  card_surface(ui, frame);
  const Rect area = frame.inset(ui.px(kPageFrame));
  ImGui::SetCursorScreenPos(area.min());
  compat::begin_child("guide/page", {area.w, area.h}, false);
  const float sides = 2 * ui.px(kPageSide);  // the scroll bar is in the right one
  Rect text{area.x + ui.px(kPageSide), area.y + ui.px(kPageTop),
            std::min(area.w - sides, ui.px(kWidestPage)), area.h};
  const float scroll = scroll_of(ui, text, page, kNoNumbers);
  text.y -= scroll;
  RichFlow flow(ui, text, kNoNumbers, true);
  flow.mark_links(
      [&](const std::string& to) { return location_of_link(to, page.file).has_value(); });
  if (page.problem.empty()) write_page(ui, flow, page, location.anchor);
  if (!page.problem.empty()) write_problem(ui, flow, page);
  follow_links(ui, page.file, flow.links());
  // Dear ImGui scrolls in the next frame only, so the end is given for its current position.
  const float end = flow.y() + ui.px(kPageBottom) + scroll - ImGui::GetScrollY();
  ImGui::SetCursorScreenPos({text.x, end - 1});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
}

}  // namespace lab::view
