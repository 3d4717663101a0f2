#include "app/view/model/watch_token.h"

#include <imgui_stdlib.h>

#include "app/document/model/model_document.h"
#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/model_words.h"
#include "app/view/toolkit/box_input.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr const char* kWatchToken = "next/watch";
constexpr float kWatchWidth = 220;

void watch_field(Ui& ui) {
  if (ImGui::IsWindowAppearing()) ui.state.early_text.give_keyboard();
  std::string& text = ui.state.model.watched;
  std::string field = ui.state.box_text.encode(text);
  const BoxClipboard clipboard(ui.state.box_text);
  ImGui::SetNextItemWidth(ui.px(kWatchWidth));
  ui.state.typed_words += text;
  compat::push_font(ui.fonts.words);
  const bool edited = ImGui::InputTextWithHint("##watch", tr("A token to keep in the list").c_str(),
                                               &field, ImGuiInputTextFlags_AutoSelectAll);
  ImGui::PopFont();
  if (edited) text = ui.state.box_text.decode(field);
  ui.name_item("next/watch/text");
}

void watch(Ui& ui, std::uint32_t id) {
  if (!is_pinned(ui, id)) toggle_pin(ui, id);
  ui.state.model.watched.clear();
  ImGui::CloseCurrentPopup();
}

// Enter takes the first of the tokens that are meant.
void matching_items(Ui& ui) {
  const auto ids = matching_tokens(*shown_model(ui)->source, ui.state.model.watched);
  if (!ids.empty() && compat::enter_pressed()) return watch(ui, ids.front());
  for (const std::uint32_t id : ids)
    if (menu_item(ui, "next/watch/" + std::to_string(id), piece_of(ui, id), {}, is_pinned(ui, id)))
      watch(ui, id);
}

}  // namespace

void watch_token_button(Ui& ui, Rect& row) {
  const std::string label = tr("+ Token");
  const Rect bounds = row.cut_left(button_width(ui, label));
  row.cut_left(ui.px(8));
  if (button(ui, kWatchToken, bounds, label)) open_popup(kWatchToken);
  tooltip(ui, tr("Keep a token in the list, however unlikely it is"));
  if (!begin_popup(ui, kWatchToken, bounds, true)) return;
  ui.state.edit.focused = false;  // what is typed after it is no number for a cell
  watch_field(ui);
  matching_items(ui);
  end_popup();
}

}  // namespace lab::view
