#include <imgui.h>

#include <array>
#include <ctime>
#include <string>
#include <utility>

#include "app/base/printable.h"
#include "app/translation/words.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/session/recovery_actions.h"
#include "app/view/session/session_panels.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/dialog_text.h"

namespace lab::view {
namespace {

void dim_text(Ui& ui, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, pack(ui.theme.dim));
  write_wrapped_text(ui, text, dialog_field_width(ui));
  ImGui::PopStyleColor();
}

void edits_of_work(Ui& ui, const LostWork& work) {
  const files::JournalHead& head = work.journal.head;
  const std::string title = head.title.empty() ? tr("A session without a title") : head.title;
  write_wrapped_text(ui, printable(title), dialog_field_width(ui));
  if (head.path.empty()) {
    dim_text(ui, tr("not saved in a file yet"));
  } else {
    dim_text(ui, printable(head.path));
  }
  ImGui::Spacing();
  for (const std::string& sentence : about_lost_work(work, std::time(nullptr)))
    write_wrapped_text(ui, sentence, dialog_field_width(ui));
}

void answers_of_work(Ui& ui, const LostWork& work) {
  write_wrapped_text(ui, printable(work.lesson->title), dialog_field_width(ui));
  dim_text(ui, tr("Lesson"));
  ImGui::Spacing();
  write_wrapped_text(ui, about_lost_answers(work, std::time(nullptr)), dialog_field_width(ui));
}

// It is the only copy.
void discard_question(Ui& ui) {
  ImGui::PushStyleColor(ImGuiCol_Text, pack(ui.theme.danger));
  write_wrapped_text(ui, tr("Discarding cannot be undone: there is no other copy of it."),
                     dialog_field_width(ui));
  ImGui::PopStyleColor();
}

// Writes at the right end of the row of buttons which offer this is.
void place_among(Ui& ui, const RecoveryState& recovery) {
  if (recovery.count < 2) return;
  const std::string text =
      tr("{} of {}", {std::to_string(recovery.count - recovery.offers.size() + 1),
                      std::to_string(recovery.count)});
  ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + dialog_field_width(ui) -
                  ImGui::CalcTextSize(text.c_str()).x);
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, pack(ui.theme.dim));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
}

}  // namespace

void recovery_dialog(Ui& ui) {
  RecoveryState& recovery = ui.state.recovery;
  const std::array labels{tr("Restore"), recovery.discards ? tr("Discard for good") : tr("Discard"),
                          tr("Later")};
  constexpr std::array kNames{"dialog/restore", "dialog/discard", "dialog/later"};
  if (recovery.offers.empty()) return close_dialog(ui);
  const LostWork& work = *recovery.offers.front();
  ImGui::Dummy({dialog_field_width(ui), 0});
  write_wrapped_text(ui, tr("The program ended before this was saved:"), dialog_field_width(ui));
  ImGui::Spacing();
  if (work.has_edits()) edits_of_work(ui, work);
  if (work.has_edits() && work.lesson) ImGui::Spacing();
  if (work.lesson) answers_of_work(ui, work);
  if (const std::string lesson = open_lesson_title(ui.state); !lesson.empty()) {
    write_wrapped_text(ui, tr("Restoring it leaves the lesson “{}”.", {lesson}),
                       dialog_field_width(ui));
    ui.name_item("recovery/lesson");
  }
  if (recovery.discards) discard_question(ui);
  ImGui::Spacing();
  const int chosen = answer_row(ui, labels, kNames);
  place_among(ui, recovery);
  if (chosen < 0) return;
  if (chosen == 1 && !std::exchange(recovery.discards, true)) {
    ui.state.dialog.choice = 0;  // Enter alone does not discard
    return;
  }
  close_dialog(ui);
  if (chosen == 0) restore_lost_work(ui);
  if (chosen == 1) discard_lost_work(ui);
}

}  // namespace lab::view
