#include <imgui.h>

#include <array>
#include <ctime>
#include <string>

#include "app/base/printable.h"
#include "app/translation/words.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/session/recovery_actions.h"
#include "app/view/session/session_panels.h"
#include "app/view/toolkit/imgui_compat.h"

namespace lab::view {
namespace {

void dim_text(const Ui& ui, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, pack(ui.theme.dim));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
}

void name_of_work(const Ui& ui, const files::JournalHead& head) {
  const std::string title = head.title.empty() ? tr("A session without a title") : head.title;
  ImGui::TextUnformatted(printable(title).c_str());
  if (head.path.empty()) {
    dim_text(ui, tr("not saved in a file yet"));
  } else {
    dim_text(ui, printable(head.path));
  }
}

// Writes at the right end of the row of buttons which offer this is.
void place_among(const Ui& ui, const RecoveryState& recovery) {
  if (recovery.count < 2) return;
  const std::string text =
      tr("{} of {}", {std::to_string(recovery.count - recovery.offers.size() + 1),
                      std::to_string(recovery.count)});
  ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + dialog_field_width(ui) -
                  ImGui::CalcTextSize(text.c_str()).x);
  ImGui::AlignTextToFramePadding();
  dim_text(ui, text);
}

}  // namespace

void recovery_dialog(Ui& ui) {
  const std::array labels{tr("Restore"), tr("Discard"), tr("Later")};
  constexpr std::array kNames{"dialog/restore", "dialog/discard", "dialog/later"};
  const RecoveryState& recovery = ui.state.recovery;
  if (recovery.offers.empty()) return close_dialog(ui);
  const LostWork& work = *recovery.offers.front();
  ImGui::Dummy({dialog_field_width(ui), 0});
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + dialog_field_width(ui));
  ImGui::TextUnformatted(tr("The program ended before this was saved:").c_str());
  ImGui::Spacing();
  name_of_work(ui, work.journal.head);
  ImGui::Spacing();
  for (const std::string& sentence : about_lost_work(work, std::time(nullptr)))
    ImGui::TextUnformatted(sentence.c_str());
  if (const std::string lesson = open_lesson_title(ui.state); !lesson.empty()) {
    ImGui::TextUnformatted(tr("Restoring it leaves the lesson “{}”.", {lesson}).c_str());
    ui.name_item("recovery/lesson");
  }
  ImGui::PopTextWrapPos();
  ImGui::Spacing();
  const int chosen = answer_row(ui, labels, kNames);
  place_among(ui, recovery);
  if (chosen < 0) return;
  close_dialog(ui);
  if (chosen == 0) choose_lost_work(ui);
  if (chosen == 1) discard_lost_work(ui);
}

}  // namespace lab::view
