#include <imgui.h>

#include <array>
#include <ctime>
#include <string>
#include <utility>

#include "app/base/visible_text.h"
#include "app/translation/words.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/session/recovery_actions.h"
#include "app/view/session/session_panels.h"
#include "app/view/toolkit/imgui_compat.h"

namespace lab::view {
namespace {

void edits_of_work(Ui& ui, const LostWork& work) {
  const files::JournalHead& head = work.journal.head;
  const std::string title = head.title.empty() ? tr("A session without a title") : head.title;
  dialog_paragraph(ui, printable(title));
  if (head.path.empty()) {
    dialog_paragraph(ui, tr("not saved in a file yet"), true);
  } else {
    dialog_paragraph(ui, printable(head.path), true);
  }
  ImGui::Spacing();
  for (const std::string& sentence : about_lost_work(work, std::time(nullptr)))
    dialog_paragraph(ui, sentence);
}

void answers_of_work(Ui& ui, const LostWork& work) {
  dialog_paragraph(ui, printable(work.lesson->title));
  dialog_paragraph(ui, tr("Lesson"), true);
  ImGui::Spacing();
  dialog_paragraph(ui, about_lost_answers(work, std::time(nullptr)));
}

// It is the only copy.
void discard_question(Ui& ui) {
  ImGui::PushStyleColor(ImGuiCol_Text, pack(ui.theme.danger));
  dialog_paragraph(ui, tr("Discarding cannot be undone: there is no other copy of it."));
  ImGui::PopStyleColor();
}

// Writes at the right end of the row of buttons which offer this is.
void draw_offer_number(Ui& ui, const RecoveryState& recovery) {
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

// A double click answers one question, not also the one that appears in its place.
bool is_second_click() {
  return ImGui::IsMouseReleased(0) && ImGui::GetIO().MouseClickedLastCount[0] > 1;
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
  dialog_paragraph(ui, tr("The program ended before this was saved:"));
  ImGui::Spacing();
  if (work.has_edits()) edits_of_work(ui, work);
  if (work.has_edits() && work.lesson) ImGui::Spacing();
  if (work.lesson) answers_of_work(ui, work);
  if (const std::string lesson = open_lesson_title(ui.state); !lesson.empty()) {
    dialog_paragraph(ui, tr("Restoring it leaves the lesson “{}”.", {lesson}));
    ui.name_item("recovery/lesson");
  }
  if (recovery.discards) discard_question(ui);
  ImGui::Spacing();
  const int chosen = answer_row(ui, labels, kNames);
  draw_offer_number(ui, recovery);
  if (chosen < 0 || is_second_click()) return;
  if (chosen == 1 && !std::exchange(recovery.discards, true)) {
    ui.state.dialog.choice = 0;  // Enter alone does not discard
    return;
  }
  close_dialog(ui);
  if (chosen == 0) restore_lost_work(ui);
  if (chosen == 1) discard_lost_work(ui);
}

}  // namespace lab::view
