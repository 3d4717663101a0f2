#include <filesystem>

#include "app/view/file_actions.h"
#include "app/view/panels/panels.h"
#include "app/view/popup.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

constexpr const char* kList = "recent";
constexpr float kWidth = 460, kLine = 28, kNames = 0.5f;

std::string at_home(const std::string& folder) {
  const char* home = std::getenv("HOME");
  const bool inside = home != nullptr && *home != '\0' && folder.starts_with(home);
  return inside ? "~" + folder.substr(std::string_view(home).size()) : folder;
}

// The name of the file, and its folder to the right of it.
void file_line(Ui& ui, const std::filesystem::path& file, std::size_t number) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Rect place{at.x, at.y, ui.px(kWidth), ui.px(kLine)};
  if (click_area(ui, "recent/" + std::to_string(number), place)) {
    leave_document(ui, destination::Source{file.string()});
    ImGui::CloseCurrentPopup();
  }
  if (ImGui::IsItemHovered() || ImGui::IsItemFocused())
    fill_rect(ui, place, ui.theme.button_hover, ui.px(5));
  place = {place.x + ui.px(10), place.y, place.w - ui.px(20), place.h};
  draw_text(ui, ui.fonts.text, place.cut_left(place.w * kNames), file.filename().string(),
            ui.theme.text);
  place.cut_left(ui.px(10));
  draw_text(ui, ui.fonts.text, place, at_home(file.parent_path().string()), ui.theme.dim);
  ImGui::SetCursorScreenPos({at.x, at.y + ui.px(kLine)});
}

}  // namespace

void recent_list(Ui& ui, const Rect& anchor) {
  open_wanted_popup(ui, kList);
  if (!begin_popup(ui, kList, anchor)) return;
  ImGui::Dummy({ui.px(kWidth), 0});
  const std::vector<std::string> files = ui.state.recent.files;
  for (std::size_t i = 0; i < files.size(); ++i) file_line(ui, files[i], i);
  ImGui::Separator();
  if (menu_item(ui, "recent/clear", "Clear this list")) ui.state.recent.clear = true;
  end_popup();
}

}  // namespace lab
