#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "app/base/visible_text.h"
#include "app/document/available_memory.h"
#include "app/files/io/paths.h"
#include "app/files/model/catalogue.h"
#include "app/files/model/model_list.h"
#include "app/files/opened_model.h"
#include "app/translation/words.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/session/file_actions.h"
#include "app/view/session/file_list.h"
#include "app/view/session/get_model.h"
#include "app/view/session/session_panels.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/option_rows.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {

// The models that were found when the dialog opened.
struct FoundModels {
  int number = 0;  // DialogState::number
  std::vector<files::ModelInfo> list;
};

namespace {

constexpr float kListedModel = 40, kAroundModels = 490;
constexpr float kFewestModels = 2, kMostModels = 5;  // more of them scroll

void open_model_source(Ui& ui, const std::string& source) {
  if (const auto lost = ui.state.dialog.lost_model) {
    close_dialog(ui);
    return open_with_model(ui, lost->session, {source, lost->accepts});
  }
  const int asked = ui.state.dialog.number;
  leave_document(ui, destination::Source{source});
  const bool asks_again = ui.state.dialog.number != asked;
  if (ui.state.dialog.open == Dialog::kOpenModel && !asks_again) settle_dialog(ui);
}

// Family, size and where it is kept, as far as they are known.
std::string details_of(const files::ModelInfo& model) {
  if (!model.problem.empty()) return tr("not complete");
  std::string text = model.family;
  const auto add = [&](const std::string& detail) {
    if (!detail.empty()) text += (text.empty() ? "" : " · ") + detail;
  };
  if (model.size > 0) add(bytes_text(model.size));
  add(model.built_in ? tr("built in") : model.store == "own" ? tr("on this machine") : model.store);
  return text;
}

// What the built-in models are good for.
struct BuiltInAbout {
  std::string_view name;
  const char* about;
};
constexpr std::array kBuiltInAbout{
    BuiltInAbout{"everyday", tr_later("everyday English: who was given what, and some capitals")},
    BuiltInAbout{"induction", tr_later("letters that repeat: induction heads, easy to read")},
    BuiltInAbout{"words", tr_later("everyday sentences, small enough to see all of it")}};

const char* reading_text(files::ModelReads reads) {
  switch (reads) {
    case files::ModelReads::kForwards:
      return tr_later("goes on with a text");
    case files::ModelReads::kBothWays:
      return tr_later("reads both ways: fills gaps, or makes vectors");
    case files::ModelReads::kAnother:
      return tr_later("an encoder and a decoder: one text becomes another");
    case files::ModelReads::kUnknown:
      break;
  }
  return "";
}

// What the model is, in one line, as far as that is known without opening it.
std::string about_model(const files::ModelInfo& model) {
  if (!model.problem.empty()) return printable(model.problem);
  std::string text;
  if (model.layers > 0)
    text = tr("{} layers of {} heads", {std::to_string(model.layers), std::to_string(model.heads)});
  const auto add = [&](const std::string& more) {
    if (!more.empty()) text += (text.empty() ? "" : ": ") + more;
  };
  if (model.built_in) {
    const auto known = std::ranges::find(kBuiltInAbout, model.name, &BuiltInAbout::name);
    if (known != kBuiltInAbout.end()) add(tr(known->about));
    return text;
  }
  const auto& all = files::catalogue();
  const auto known = std::ranges::find_if(
      all, [&](const files::CatalogueModel& one) { return is_listed_as(one, model.name); });
  if (known != all.end()) return about_text(*known);
  if (model.reads != files::ModelReads::kUnknown) add(tr(reading_text(model.reads)));
  return text;
}

void model_row(Ui& ui, const files::ModelInfo& model) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Rect row{at.x, at.y, ImGui::GetContentRegionAvail().x, ui.px(kListedModel)};
  const bool chosen = click_area(ui, "models/" + model.name, row);
  if (ImGui::IsItemHovered() || compat::is_marked_item())
    fill_rect(ui, row, ui.theme.button_hover, ui.px(5));
  const std::string about = about_model(model);
  tooltip(ui, model.problem.empty() && !about.empty() ? about + "\n" + model.folder : model.folder);
  ImGui::SetCursorScreenPos({at.x, at.y + ui.px(kListedModel)});
  row = {row.x + ui.px(10), row.y + ui.px(3), row.w - ui.px(20), row.h - ui.px(6)};
  Rect first = row.cut_top(row.h / 2);
  const std::string details = details_of(model);
  draw_text(ui, ui.fonts.small, first.cut_right(text_width(ui, ui.fonts.small, details)), details,
            ui.theme.dim);
  first.cut_right(ui.px(10));
  draw_text(ui, ui.fonts.text, first, printable(model.name),
            model.problem.empty() ? ui.theme.text : ui.theme.dim);
  draw_text(ui, ui.fonts.small, row, about, ui.theme.dim);
  if (chosen) open_model_source(ui, model.name);
}

void model_rows(Ui& ui) {
  const auto& models = listed_models(ui);
  if (models.empty()) return;
  const float room = ImGui::GetIO().DisplaySize.y - ui.px(kAroundModels);
  const float most = std::clamp(std::floor(room / ui.px(kListedModel)), kFewestModels, kMostModels);
  const float rows = std::min(static_cast<float>(models.size()), most);
  compat::begin_child("models", {dialog_field_width(ui), rows * ui.px(kListedModel)}, false);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  for (const files::ModelInfo& model : models) model_row(ui, model);
  ImGui::PopStyleVar();
  ImGui::EndChild();
  ImGui::Spacing();
}

// What is asked about a session whose model is not there, or is another one.
void lost_model_text(Ui& ui, const LostModel& lost) {
  const std::string name = files::file_name_of(lost.session);
  const std::string text =
      lost.changed
          ? tr("The model there is not the one that {} was made with. Choose that one, or go on "
               "with this one:",
               {name})
          : tr("The model of {} is no longer where it was. Choose the one that the session "
               "was made with:",
               {name});
  dialog_paragraph(ui, text);
  ImGui::Spacing();
}

void accept_tick(Ui& ui, LostModel& lost) {
  if (!lost.changed) return;
  row_tick(ui, tr("Go on with a model that is not the same"), "dialog/changed_model", lost.accepts);
  end_row();
}

// Goes on to the models that are not here. Not where a session asks for its own.
bool get_model_button(Ui& ui) {
  if (ui.state.dialog.lost_model) return false;
  ImGui::SameLine();
  const bool clicked = dialog_button(ui, tr("Get a model…"), "dialog/get_model");
  if (clicked) open_get_model(ui);
  return clicked;
}

// True when the session is to be opened with the model that is where it says.
bool goes_on_with_changed(const Ui& ui) {
  const DialogState& dialog = ui.state.dialog;
  return dialog.lost_model && dialog.lost_model->accepts && dialog.path.empty();
}

}  // namespace

const std::vector<files::ModelInfo>& listed_models(Ui& ui) {
  DialogState& dialog = ui.state.dialog;
  if (!dialog.models || dialog.models->number != dialog.number)
    dialog.models =
        std::make_shared<const FoundModels>(FoundModels{dialog.number, files::list_models()});
  return dialog.models->list;
}

void accept_open_model(Ui& ui) {
  if (goes_on_with_changed(ui)) return open_model_source(ui, {});
  const bool named = files::is_model_source(ui.state.dialog.path);
  if (!named && files::missing_model(ui.state.dialog.path))
    return open_get_model(ui, std::string(ui.state.dialog.path));
  const bool enters = !named && enters_folder(ui);
  const std::string path = absolute_path(ui);
  if (!named && !files::is_model_source(path)) {
    if (enters) return;
    ui.state.dialog.problem =
        path.empty() ? tr("Choose a model above, or type the path of its folder.")
                     : tr("{} is no model: choose a GGUF file, or a folder with config.json and "
                          "weights as .safetensors.",
                          {files::file_name_of(path)});
    return;
  }
  open_model_source(ui, named ? ui.state.dialog.path : path);
}

void open_model_dialog(Ui& ui) {
  std::optional<LostModel>& lost = ui.state.dialog.lost_model;
  if (lost) lost_model_text(ui, *lost);
  model_rows(ui);
  dialog_paragraph(
      ui, tr("Or type its name, a GGUF file, or the folder of a model as Hugging Face saves "
             "it (config.json, tokenizer.json and .safetensors):"));
  const bool chosen = file_list(ui);
  if (lost) accept_tick(ui, *lost);
  const bool accepted = finish_row(ui, tr("Open"), get_model_button);
  if (ui.state.dialog.open != Dialog::kOpenModel) return;
  if (accepted || chosen) accept_open_model(ui);
}

}  // namespace lab::view
