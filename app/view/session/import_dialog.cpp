#include <imgui.h>

#include <array>

#include "app/translation/words.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/session/import_actions.h"
#include "app/view/session/session_panels.h"
#include "app/view/widgets/dialog_text.h"

namespace lab::view {

void import_dialog(Ui& ui) {
  constexpr std::array kNames{"dialog/import", "dialog/cancel"};
  const std::array labels{import_answer(ui), tr("Cancel")};
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + dialog_field_width(ui));
  write_text(ui, import_question(ui));
  ImGui::PopTextWrapPos();
  ImGui::Spacing();
  const int chosen = answer_row(ui, labels, kNames);
  if (chosen < 0) return;
  close_dialog(ui);
  if (chosen == 0) agree_to_import(ui);
}

}  // namespace lab::view
