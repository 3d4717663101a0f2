#include "app/view/export/export_presets.h"

#include <imgui.h>

#include <algorithm>

#include "app/base/strings.h"
#include "app/translation/words.h"
#include "app/view/export/export_memory.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/option_rows.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

std::string typed_preset(const Ui& ui) { return std::string(trimmed(ui.state.dialog.preset)); }

auto find_preset(DialogState& dialog, const std::string& name) {
  return std::ranges::find(dialog.presets, name, &ExportPreset::name);
}

// The first entry says what the list is.
std::vector<std::string> preset_names(const DialogState& dialog) {
  std::vector<std::string> names{dialog.presets.empty() ? tr("none yet") : tr("choose")};
  for (const ExportPreset& preset : dialog.presets) names.push_back(preset.name);
  return names;
}

}  // namespace

void save_preset(Ui& ui) {
  DialogState& dialog = ui.state.dialog;
  const std::string name = typed_preset(ui);
  if (name.empty()) return;
  const auto found = find_preset(dialog, name);
  if (found == dialog.presets.end())
    dialog.presets.push_back({name, lasting_choices(dialog.exporting)});
  else
    found->choices = lasting_choices(dialog.exporting);
  std::ranges::sort(dialog.presets, {}, &ExportPreset::name);
  dialog.done = tr("Kept these choices as “{}”", {name});
}

void delete_preset(Ui& ui) {
  DialogState& dialog = ui.state.dialog;
  const std::string name = typed_preset(ui);
  if (std::erase_if(dialog.presets, [&](const auto& one) { return one.name == name; }) == 0) return;
  dialog.preset.clear();
  dialog.done = tr("Deleted “{}”", {name});
}

void use_preset(Ui& ui, std::size_t index) {
  DialogState& dialog = ui.state.dialog;
  const ExportPreset preset = dialog.presets.at(index);
  const ExportState before = dialog.exporting;
  dialog.preset = preset.name;
  dialog.exporting = preset.choices;
  dialog.exporting.figure.stage = before.figure.stage;
  dialog.exporting.figure.title = before.figure.title;
  dialog.exporting.figure.names = before.figure.names;
  dialog.exporting.queries = before.queries, dialog.exporting.keys = before.keys;
}

void preset_row(Ui& ui) {
  DialogState& dialog = ui.state.dialog;
  const auto found = find_preset(dialog, typed_preset(ui));
  const bool known = found != dialog.presets.end();
  const auto chosen = known ? static_cast<std::size_t>(found - dialog.presets.begin()) + 1 : 0;
  begin_row(ui, tr("Preset"));
  const auto taken = row_list(ui, "dialog/preset", preset_names(dialog), chosen, 150);
  if (taken && *taken > 0) use_preset(ui, *taken - 1);
  const bool typing =
      row_text(ui, tr("name##of a preset"), "dialog/preset_name", dialog.preset, 120);
  const bool entered = typing && compat::enter_pressed();
  const bool named = !typed_preset(ui).empty();
  const bool saves = row_button(ui, tr("Save preset"), "dialog/preset_save", named);
  tooltip(ui, tr("Keeps all choices but those of this sentence under the name"));
  const bool deletes = row_button(ui, tr("Delete"), "dialog/preset_delete", known);
  end_row();
  if (saves || deletes || entered) dialog.list_frame = ImGui::GetFrameCount();  // Enter is theirs
  if (saves || (entered && named)) save_preset(ui);
  if (deletes) delete_preset(ui);
}

}  // namespace lab::view
