#include <cstdlib>
#include <filesystem>

#include "app/translation/words.h"
#include "app/view/session/file_actions.h"
#include "app/view/session/session_panels.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr const char* kRecentList = "recent";
constexpr float kRecentWidth = 460, kRecentLine = 28, kNames = 0.5f;

std::string at_home(const std::string& folder) {
  const char* home = std::getenv("HOME");
  const bool inside = home != nullptr && *home != '\0' && folder.starts_with(home);
  return inside ? "~" + folder.substr(std::string_view(home).size()) : folder;
}

// A line with two texts side by side. True when it was chosen.
bool list_line(Ui& ui, const std::string& id, const std::string& text, const std::string& beside) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Rect bounds{at.x, at.y, ui.px(kRecentWidth), ui.px(kRecentLine)};
  const bool chosen = click_area(ui, id, bounds);
  if (ImGui::IsItemHovered() || ImGui::IsItemFocused())
    fill_rect(ui, bounds, ui.theme.button_hover, ui.px(5));
  bounds = {bounds.x + ui.px(10), bounds.y, bounds.w - ui.px(20), bounds.h};
  draw_text(ui, ui.fonts.text, bounds.cut_left(bounds.w * kNames), text, ui.theme.text);
  bounds.cut_left(ui.px(10));
  draw_text(ui, ui.fonts.text, bounds, beside, ui.theme.dim);
  ImGui::SetCursorScreenPos({at.x, at.y + ui.px(kRecentLine)});
  if (chosen) ImGui::CloseCurrentPopup();
  return chosen;
}

}  // namespace

void recent_list(Ui& ui, const Rect& anchor) {
  open_requested_popup(ui, kRecentList);
  if (!begin_popup(ui, kRecentList, anchor)) return;
  const std::vector<std::string> files = ui.state.recent.files;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::filesystem::path file = files[i];
    if (list_line(ui, "recent/" + std::to_string(i), file.filename().string(),
                  at_home(file.parent_path().string())))
      leave_document(ui, destination::Source{files[i]});
  }
  ImGui::Separator();
  if (list_line(ui, "recent/clear", tr("Clear this list"), {})) ui.state.recent.clear = true;
  ImGui::Dummy({ui.px(kRecentWidth), 0});
  end_popup();
}

}  // namespace lab::view
