#include "app/view/session/get_model.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "app/base/strings.h"
#include "app/base/visible_text.h"
#include "app/document/available_memory.h"
#include "app/explain/number_text.h"
#include "app/files/model/catalogue.h"
#include "app/files/opened_model.h"
#include "app/hub/repository.h"
#include "app/translation/words.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/session/file_actions.h"
#include "app/view/session/model_download.h"
#include "app/view/session/session_panels.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/dialog_text.h"
#include "app/view/widgets/option_rows.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using files::CatalogueModel;

constexpr float kOfferedRow = 40, kOfferedRows = 6, kDetailHeight = 62, kTrackHeightOfDialog = 8;

// What the typed name means on this machine; empty when it is not here.
std::string listed_name(Ui& ui, const std::string& typed) {
  const CatalogueModel* const known = files::find_in_catalogue(typed);
  for (const files::ModelInfo& model : listed_models(ui))
    if (model.problem.empty() && (known ? is_listed_as(*known, model.name) : model.name == typed))
      return model.name;
  return {};
}

// The area of the next `height` pixels of the dialog, as wide as its fields.
Rect next_area(Ui& ui, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect area{at.x, at.y, dialog_field_width(ui), height};
  ImGui::Dummy({area.w, area.h});
  return area;
}

std::string size_and_licence(std::int64_t size, const std::string& licence) {
  return bytes_text(size) + " · " +
         (licence.empty() ? tr("licence: see its page") : tr("licence {}", {printable(licence)}));
}

// A new field, because one that has the keyboard does not take another text.
void choose_offered(Ui& ui, const std::string& name) {
  DialogState& dialog = ui.state.dialog;
  dialog.path = name;
  dialog.problem.clear();
  ++ui.state.get_model.field;
  ui.state.get_model.brings = true;
  ui.state.requests.ask(request::GiveKeyboard{TextField::kDialog});
}

void offered_row(Ui& ui, const CatalogueModel& model) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Rect row{at.x, at.y, ImGui::GetContentRegionAvail().x, ui.px(kOfferedRow)};
  const std::string widget = "get/" + model.name;
  if (click_area(ui, widget, row)) choose_offered(ui, model.name);
  const bool chosen = ui.state.dialog.path == model.name;
  if (chosen || ImGui::IsItemHovered())
    fill_rect(ui, row, chosen ? ui.theme.button : ui.theme.button_hover, ui.px(5));
  if (chosen && std::exchange(ui.state.get_model.brings, false)) compat::scroll_into_view(row);
  tooltip(ui, model.repository + "\n" + about_text(model));
  ImGui::SetCursorScreenPos({at.x, at.y + row.h});
  row = {row.x + ui.px(10), row.y + ui.px(3), row.w - ui.px(20), row.h - ui.px(6)};
  Rect first = row.cut_top(row.h / 2);
  const bool here = !listed_name(ui, model.name).empty();
  const std::string right =
      here ? tr("on this machine") : size_and_licence(model.size, model.licence);
  draw_text(ui, ui.fonts.small, first.cut_right(text_width(ui, ui.fonts.small, right)), right,
            here ? ui.theme.right : ui.theme.dim);
  draw_text(ui, ui.fonts.bold, first, model.name, ui.theme.text);
  draw_text(ui, ui.fonts.small, row, about_text(model), ui.theme.dim);
}

void offered_rows(Ui& ui) {
  compat::begin_child("offered", {dialog_field_width(ui), kOfferedRows * ui.px(kOfferedRow)},
                      false);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  for (const CatalogueModel& model : files::catalogue()) offered_row(ui, model);
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

// Arrows choose in the catalogue.
void step_offered(Ui& ui) {
  const int step = compat::key_pressed(Key::kDown) ? 1 : compat::key_pressed(Key::kUp) ? -1 : 0;
  const auto& all = files::catalogue();
  if (step == 0 || all.empty()) return;
  const auto now = std::ranges::find(all, ui.state.dialog.path, &CatalogueModel::name);
  const auto last = std::ssize(all) - 1;
  const auto next = now == all.end()
                        ? (step > 0 ? 0 : last)
                        : std::clamp<std::ptrdiff_t>(now - all.begin() + step, 0, last);
  choose_offered(ui, all[static_cast<std::size_t>(next)].name);
}

void name_of_offered(Ui& ui) {
  DialogState& dialog = ui.state.dialog;
  ImGui::SetNextItemWidth(dialog_field_width(ui));
  if (ui.state.requests.take(request::GiveKeyboard{TextField::kDialog}))
    ui.state.early_text.give_keyboard();
  const std::string label =
      "##get" + std::to_string(dialog.number) + "/" + std::to_string(ui.state.get_model.field);
  if (words_field(ui, label, tr("A name from the list, or org/name[@revision][:file]"),
                  dialog.path))
    dialog.problem.clear();
  ui.name_item("get/name");
}

// What is known of the model before anything is asked of the network.
std::string detail_text(const std::string& typed) {
  if (const CatalogueModel* const known = files::find_in_catalogue(typed))
    return about_text(*known) + ".\n" + known->repository + " · " +
           size_and_licence(known->size, known->licence);
  if (hub::parse_repository(typed))
    return tr(
        "A repository of the hub: its size and licence are asked for first, and nothing is "
        "downloaded before you agree to them.");
  return {};
}

void offered_detail(Ui& ui) {
  const Rect area = next_area(ui, ui.px(kDetailHeight));
  const ImVec2 after = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(area.min());
  dialog_paragraph(ui, detail_text(ui.state.dialog.path), true);
  ImGui::SetCursorScreenPos(after);
}

std::string accept_label(Ui& ui) {
  const std::string& typed = ui.state.dialog.path;
  if (!listed_name(ui, typed).empty()) return tr("Open");
  const CatalogueModel* const known = files::find_in_catalogue(typed);
  return known ? tr("Download {}", {bytes_text(known->size)}) : tr("Look it up");
}

void begin_download(Ui& ui, const std::string& name) {
  GetModelState& state = ui.state.get_model;
  std::optional<AgreedModel> agreed;
  if (const CatalogueModel* const known = files::find_in_catalogue(name))
    agreed = AgreedModel{known->size, known->licence};
  state.download = std::make_shared<ModelDownload>(
      name, state.get ? state.get : hub::GetModel(hub::get_model), agreed);
  ui.state.dialog.choice = 0;
}

void accept_name(Ui& ui) {
  DialogState& dialog = ui.state.dialog;
  dialog.path = trimmed(dialog.path);
  if (dialog.path.empty()) {
    dialog.problem = tr("Choose a model above, or type a name first.");
    return;
  }
  if (const std::string here = listed_name(ui, dialog.path); !here.empty()) {
    close_dialog(ui);
    return leave_document(ui, destination::Source{here});
  }
  const bool known = files::find_in_catalogue(dialog.path) != nullptr;
  if (const auto repository = hub::parse_repository(dialog.path); !known && !repository) {
    dialog.problem = repository.error().message;
    return;
  }
  begin_download(ui, dialog.path);
}

void choose_model(Ui& ui) {
  dialog_paragraph(
      ui, tr("Models of Hugging Face's hub. They are kept in its cache, where other programs find "
             "them too. Nothing is downloaded before a click on the button that says how much."));
  ImGui::Spacing();
  step_offered(ui);
  offered_rows(ui);
  ImGui::Spacing();
  name_of_offered(ui);
  offered_detail(ui);
  dialog_problem(ui);
  const bool entered = compat::enter_pressed() && !ImGui::IsWindowAppearing();
  if (dialog_button(ui, accept_label(ui), "dialog/ok", true) || entered) return accept_name(ui);
  ImGui::SameLine();
  if (dialog_button(ui, tr("Cancel"), "dialog/cancel")) close_dialog(ui);
}

std::string time_left(double seconds) {
  constexpr double kMinute = 60, kSeconds = 90;
  if (seconds < kSeconds) return tr("{} s left", {std::to_string(std::lround(seconds))});
  return tr("{} min left", {std::to_string(std::lround(seconds / kMinute))});
}

// "121 MB of 269 MB · 12 MB/s · 12 s left"
std::string arrival_text(const DownloadStatus& now) {
  std::string text = tr("{} of {}", {bytes_text(now.received), bytes_text(now.plan.size)});
  if (now.rate < 1) return text;
  const double left = static_cast<double>(now.plan.size - now.received) / now.rate;
  return text + " · " + bytes_text(static_cast<std::int64_t>(now.rate)) + "/s · " + time_left(left);
}

void download_progress(Ui& ui, const DownloadStatus& now) {
  dialog_paragraph(
      ui, tr("From {}; {}", {now.plan.from, size_and_licence(now.plan.size, now.plan.licence)}),
      true);
  ImGui::Spacing();
  const Rect track = next_area(ui, ui.px(kTrackHeightOfDialog));
  ui.name("get/progress", track);
  fill_rect(ui, track, ui.theme.line, track.h / 2);
  const double share = now.plan.size > 0
                           ? static_cast<double>(now.received) / static_cast<double>(now.plan.size)
                           : 0;
  fill_rect(ui, {track.x, track.y, std::max(track.h, track.w * static_cast<float>(share)), track.h},
            ui.theme.accent, track.h / 2);
  Rect line = next_area(ui, ImGui::GetTextLineHeight());
  const std::string percent = explain::percent_text(share);
  draw_text(ui, ui.fonts.text, line.cut_right(text_width(ui, ui.fonts.text, percent)), percent,
            ui.theme.text);
  draw_text(ui, ui.fonts.text, line, arrival_text(now), ui.theme.text);
  draw_text(ui, ui.fonts.small, next_area(ui, ImGui::GetTextLineHeight()), printable(now.file),
            ui.theme.dim);
}

// Two buttons; 0 or 1 for the one that was chosen, -1 for none.
int download_answer(Ui& ui, const std::string& first, const std::string& second) {
  const std::array labels{first, second};
  constexpr std::array kNames{"dialog/ok", "dialog/cancel"};
  ImGui::Spacing();
  return answer_row(ui, labels, kNames);
}

void back_to_choice(Ui& ui) {
  const std::string name = ui.state.get_model.download->name();
  ui.state.get_model.download.reset();
  choose_offered(ui, name);
}

void asking_part(Ui& ui) {
  dialog_paragraph(ui, tr("Asking the hub for size and licence …"));
  ImGui::Spacing();
  if (dialog_button(ui, tr("Stop"), "dialog/cancel", true)) ui.state.get_model.download->stop();
}

void offered_part(Ui& ui, const DownloadStatus& now) {
  std::string text = tr("From {}:", {now.plan.from}) + "\n" +
                     size_and_licence(now.plan.size, now.plan.licence) + ".";
  if (now.plan.missing < now.plan.size)
    text += "\n" + tr("{} of it are here already.", {bytes_text(now.plan.size - now.plan.missing)});
  dialog_paragraph(ui, text);
  const int chosen =
      download_answer(ui, tr("Download {}", {bytes_text(now.plan.missing)}), tr("Cancel"));
  if (chosen == 0) ui.state.get_model.download->accept();
  if (chosen == 1) back_to_choice(ui);
}

void running_part(Ui& ui, const DownloadStatus& now) {
  download_progress(ui, now);
  const int chosen = download_answer(ui, tr("In the background"), tr("Stop"));
  if (chosen == 0) close_dialog(ui);
  if (chosen != 1) return;
  ui.state.get_model.download->stop();
  ui.state.dialog.choice = 0;  // Enter goes on then
}

void failed_part(Ui& ui, const DownloadStatus& now) {
  if (now.stopped) {
    dialog_paragraph(
        ui, tr("Stopped. What has arrived is kept, and the next time goes on from there."));
  } else {
    ui.state.dialog.problem = now.problem;
    dialog_problem(ui);
  }
  const std::string name = ui.state.get_model.download->name();
  const int chosen = download_answer(ui, now.stopped ? tr("Go on") : tr("Try again"), tr("Back"));
  if (chosen >= 0) ui.state.dialog.problem.clear();
  if (chosen == 0) begin_download(ui, name);
  if (chosen == 1) back_to_choice(ui);
}

}  // namespace

void open_get_model(Ui& ui, const std::string& name) {
  open_dialog(ui, Dialog::kGetModel, name);
  ui.state.get_model.brings = true;
}

void get_model_dialog(Ui& ui) {
  const auto download = ui.state.get_model.download;
  if (!download) return choose_model(ui);
  const DownloadStatus now = download->status();
  dialog_heading(ui, printable(download->name()));
  if (!now.note.empty()) dialog_paragraph(ui, now.note, true);
  switch (now.step) {
    case DownloadStep::kAsking:
      return asking_part(ui);
    case DownloadStep::kOffered:
      return offered_part(ui, now);
    case DownloadStep::kRunning:
      return running_part(ui, now);
    case DownloadStep::kFailed:
      return failed_part(ui, now);
    case DownloadStep::kDone:
      return;  // follow_download() opens it
  }
}

bool is_downloading(const ViewState& state) {
  return state.get_model.download && state.get_model.download->running();
}

void follow_download(Ui& ui) {
  auto& download = ui.state.get_model.download;
  if (!download) return;
  const bool waits = ui.state.dialog.open == Dialog::kGetModel;
  const DownloadStatus now = download->status();
  if (now.step == DownloadStep::kOffered && !waits) download->stop();  // nobody is there to agree
  if (download->running()) return;
  if (now.step == DownloadStep::kFailed && waits) return;  // the dialog says so
  download.reset();
  if (now.step == DownloadStep::kFailed) {
    if (!now.stopped) ui.state.error = now.problem;
    return;
  }
  if (!waits) {
    ui.state.notice = tr("{} is on this machine now: File → Open model…", {now.got.name});
    return;
  }
  close_dialog(ui);
  leave_document(ui, destination::Source{now.got.path});
}

}  // namespace lab::view
