#include <algorithm>
#include <array>

#include "app/base/wording.h"
#include "app/document/listed_edits.h"
#include "app/explain/stage_text.h"
#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Matrix;

constexpr float kEditRow = 24, kEditsHeading = 44;
constexpr std::size_t kEditRows = 8;  // more of them scroll

std::string numbers_text(const ListedEdit& edit) {
  return edit.numbers == 1 ? tr("1 number") : tr("{} numbers", {std::to_string(edit.numbers)});
}

std::string mix_text(const attention::HeadMix& mix) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (mix.mute) add(tr("muted"));
  if (mix.solo) add(tr("solo"));
  if (mix.scale != 1) add("× " + shortest(mix.scale));
  return text;
}

// What the line is about: "L1H2", of a layer made by hand "Head 2", or the layer where it is not
// about one head.
std::string subject_of(const Document& document, const ListedEdit& edit) {
  const bool of_head = edit.type == ListedEdit::Type::kMix ||
                       edit.type == ListedEdit::Type::kPatch ||
                       (edit.type == ListedEdit::Type::kCells && is_per_head(edit.stage)) ||
                       (edit.type == ListedEdit::Type::kWeights && is_per_head(edit.matrix));
  if (!document.layer.model) return of_head ? head_title(document, edit.head) : tr("Layer");
  return of_head ? model_head_name(edit.at, edit.head) : "L" + layer_name(edit.at);
}

std::string text_of(const ListedEdit& edit) {
  switch (edit.type) {
    case ListedEdit::Type::kMix:
      return mix_text(edit.mix);
    case ListedEdit::Type::kCells:
      return name_in_words(stage_name(edit.stage)) + " · " + numbers_text(edit);
    case ListedEdit::Type::kPatch:
      return edit.stage == attention::Stage::kHeadOutput
                 ? tr("patched")
                 : tr("{} replaced", {name_in_words(stage_name(edit.stage))});
    case ListedEdit::Type::kStream:
      return tr("stream") + " · " + numbers_text(edit);
    case ListedEdit::Type::kWeights:
      return std::string(attention::matrix_info(edit.matrix).name) + " · " + numbers_text(edit);
  }
  return {};
}

bool is_on(const ListedEdit& edit) { return edit.effect == ListedEdit::Effect::kOn; }

SwitchEdit switch_of(const ListedEdit& edit) {
  const int head = static_cast<int>(edit.head);
  if (edit.type == ListedEdit::Type::kMix) return {"mix", head, !is_on(edit)};
  if (edit.type == ListedEdit::Type::kStream) return {"stream", 0, !is_on(edit)};
  if (edit.type == ListedEdit::Type::kWeights)
    return {std::string(attention::matrix_info(edit.matrix).name), head, !is_on(edit)};
  return {std::string(stage_name(edit.stage)), head, !is_on(edit)};
}

void toggle(Ui& ui, const ListedEdit& edit) {
  const auto document = std::make_shared<const Document>(ui.edited());
  ui.queue(intent::Apply{switch_of(edit), {}, edit.at, [document, edit] {
                           const std::string what =
                               subject_of(*document, edit) + " " + text_of(edit);
                           return is_on(edit) ? tr("Switch off: {}", {what})
                                              : tr("Switch on: {}", {what});
                         }});
}

void restore_weights(Ui& ui, const ListedEdit& edit) {
  const auto document = std::make_shared<const Document>(ui.edited());
  ui.queue(
      intent::Apply{SetBlock{{edit.matrix, static_cast<int>(edit.head)},
                             0,
                             0,
                             unedited_values(*document->layer.model, edit)},
                    {},
                    edit.at,
                    [document, edit] {
                      return tr("Restore {} of {}", {text_of(edit), subject_of(*document, edit)});
                    }});
}

// At the right end of a row of edited weights.
void restore_button(Ui& ui, const std::string& id, Rect& row, const ListedEdit& edit) {
  const Rect bounds = row.cut_right(ui.px(22));
  const Rect cross{bounds.x, bounds.y + ui.px(3), bounds.w, bounds.h - ui.px(6)};
  if (button(ui, id + "/restore", cross, "×") && !ui.kept) restore_weights(ui, edit);
  tooltip(ui, tr("Restore the numbers that the model was opened with"));
}

// A small sliding switch.
void edit_switch(Ui& ui, const std::string& id, const Rect& bounds, const ListedEdit& edit) {
  if (click_area(ui, id, bounds) && !ui.kept) toggle(ui, edit);
  tooltip(ui, is_on(edit) ? tr("Switch this edit off for now") : tr("Switch this edit on again"));
  const Rect track{bounds.x, bounds.y + bounds.h / 2 - ui.px(6), ui.px(22), ui.px(12)};
  fill_rect(ui, track, is_on(edit) ? ui.theme.accent : ui.theme.line, track.h / 2);
  const float x = is_on(edit) ? track.right() - track.h / 2 : track.x + track.h / 2;
  ui.canvas().AddCircleFilled({x, track.y + track.h / 2}, ui.px(4.5f), pack(ui.theme.card));
}

// As wide as the longest subject, such as "encoder.L11H10", needs.
float subjects_width(const Ui& ui, const std::vector<ListedEdit>& edits) {
  float width = ui.px(58);
  for (const ListedEdit& edit : edits)
    width = std::max(width,
                     text_width(ui, ui.fonts.mono_small, subject_of(ui.edited(), edit)) + ui.px(8));
  return width;
}

void edit_row(Ui& ui, Rect row, const ListedEdit& edit, std::size_t number, float subject_width) {
  const std::string id = "edits/" + std::to_string(number);
  const Rect bounds = row.cut_left(ui.px(30));
  const bool detached = edit.effect == ListedEdit::Effect::kDetached;
  if (detached)
    draw_text(ui, ui.fonts.text, bounds, "…", ui.theme.dim);
  else
    edit_switch(ui, id + "/switch", bounds, edit);
  if (edit.type == ListedEdit::Type::kWeights && is_on(edit)) restore_button(ui, id, row, edit);
  if (click_area(ui, id, row)) go_to_head(ui, {edit.at, edit.head});
  const bool pointed = is_pointed_at(ui);
  if (pointed)
    tooltip(ui, detached ? tr("Detached: it returns when the text has its cells again")
                         : tr("Click: go to it"));
  const figure::Rgb ink = !is_on(edit) ? ui.theme.dim : pointed ? ui.theme.accent : ui.theme.text;
  draw_text(ui, ui.fonts.mono_small, row.cut_left(subject_width), subject_of(ui.edited(), edit),
            ink);
  const std::string text = text_of(edit);
  const std::array texts{detached ? tr("{} · detached", {text}) : text,
                         detached ? tr("{} · detached", {text.substr(0, text.find(" · "))}) : text};
  draw_fitting(ui, ui.fonts.text, row, texts, ink, TextAlign::kLeft);
}

float edits_height(Ui& ui, const Rect&) {
  const std::size_t rows = std::min(listed_edits(ui).size(), kEditRows);
  return rows == 0 ? 0 : ui.px(kEditsHeading) + static_cast<float>(rows) * ui.px(kEditRow);
}

// Every edit with its switch.
void edits_card(Ui& ui, const Rect& rect) {
  const auto& edits = listed_edits(ui);
  const Rect content = card(ui, rect, tr("Edits"), {}, std::to_string(edits.size()));
  ImGui::SetCursorScreenPos(content.min());
  compat::begin_child("edits", {content.w, content.h}, false);
  const float top = content.y - ImGui::GetScrollY(), width = subjects_width(ui, edits);
  for (std::size_t i = 0; i < edits.size(); ++i)
    edit_row(ui,
             {content.x, top + static_cast<float>(i) * ui.px(kEditRow), content.w, ui.px(kEditRow)},
             edits[i], i, width);
  ImGui::SetCursorScreenPos({content.x, top});
  ImGui::Dummy({1, static_cast<float>(edits.size()) * ui.px(kEditRow)});
  ImGui::EndChild();
}

}  // namespace

extern constexpr PanelInfo kEditsPanel{.name = "edits",
                                       .region = PanelRegion::kLeft,
                                       .draw = edits_card,
                                       .preferred_height = edits_height,
                                       .of_edited = true,
                                       .widgets = "edits/"};

}  // namespace lab::view
