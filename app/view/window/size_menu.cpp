#include "app/view/window/window_panels.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "app/base/machine_numbers.h"
#include "app/base/wording.h"
#include "app/translation/words.h"
#include "app/view/widgets/dialog_text.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kSizeFieldWidth = 170, kHeight = 26;

// Queues the size in the field. False when it is refused; the field then shows why.
bool queue_size(Ui& ui, SizeId size) {
  SizeField& field = ui.state.size_field;
  const auto value = parse_number<int>(field.text);
  if (!value) {
    field.problem = tr("“{}” is not a whole number.", {field.text});
    return false;
  }
  const SetSize command{size, *value};
  auto dry_run = ui.attempt(command);
  field.problem = dry_run ? std::string() : in_words_of_labels(dry_run.error().message);
  if (dry_run) ui.queue(intent::Apply{command, std::move(*dry_run)});
  return dry_run.has_value();
}

bool text_field(Ui& ui, const std::string& name) {
  SizeField& field = ui.state.size_field;
  ImGui::SetNextItemWidth(ui.px(kSizeFieldWidth - 2 * (kHeight + 6)));
  // The field gets the keyboard focus at first and after an error.
  if (ImGui::IsWindowAppearing() ||
      ui.state.requests.take(request::GiveKeyboard{TextField::kNumber}))
    ui.state.early_text.give_keyboard();
  constexpr ImGuiInputTextFlags kFlags = ImGuiInputTextFlags_EnterReturnsTrue |
                                         ImGuiInputTextFlags_AutoSelectAll |
                                         ImGuiInputTextFlags_CharsDecimal;
  const float padding = (ui.px(kHeight) - ImGui::GetFontSize()) / 2;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), padding});
  const bool entered = ImGui::InputText(("##" + name).c_str(), &field.text, kFlags);
  ImGui::PopStyleVar();
  ui.name_item("field/" + name);
  return entered;
}

// Buttons for one less and one more at the right of the field. The popup stays open, because one
// step may not be enough.
void step_button(Ui& ui, SizeId size, int value, int step) {
  ImGui::SameLine(0, ui.px(6));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string name = "step/" + std::string(size_name(size)) + (step < 0 ? "/less" : "/more");
  const Rect bounds{at.x, at.y, ui.px(kHeight), ui.px(kHeight)};
  if (!button(ui, name, bounds, step < 0 ? "−" : "+")) return;
  ui.state.size_field.text = std::to_string(value + step);
  queue_size(ui, size);
}

void size_problem(Ui& ui) {
  const std::string& problem = ui.state.size_field.problem;
  if (problem.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, pack(ui.theme.danger));
  write_wrapped_text(ui, problem, ui.px(kSizeFieldWidth));
  ImGui::PopStyleColor();
  ui.name_item("field/problem");
}

// The largest value of that size, and how many heads go with how many tokens.
std::string limit_text(const Ui& ui, SizeId size) {
  using attention::Limits;
  const attention::Problem& problem = ui.edited().problem;
  switch (size) {
    case SizeId::kDModel:
      return tr("at most {}", {grouped(Limits::kDModel)});
    case SizeId::kDK:
    case SizeId::kDV:
      return tr("at most {}", {grouped(Limits::kHeadSize)});
    case SizeId::kKvHeads:
      return tr("at most {}", {grouped(problem.config.n_heads)});
    case SizeId::kHeads:
      break;
  }
  const attention::Index tokens = std::max(problem.seq_len(), problem.kv_len());
  const attention::Index fit = Limits::kScores / (problem.seq_len() * problem.kv_len());
  if (fit < Limits::kHeads) return tr("at most {} with {} tokens", {grouped(fit), grouped(tokens)});
  constexpr attention::Index kMost = Limits::kSeqLen;
  return tr("at most {}; {} with {} tokens",
            {grouped(Limits::kHeads), grouped(Limits::kScores / (kMost * kMost)), grouped(kMost)});
}

void size_limit(Ui& ui, SizeId size) {
  ImGui::PushStyleColor(ImGuiCol_Text, pack(ui.theme.dim));
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + ui.px(kSizeFieldWidth));
  ImGui::TextUnformatted(limit_text(ui, size).c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ui.name_item("field/limit");
}

void commit_number(Ui& ui, SizeId size) {
  if (!queue_size(ui, size))
    return ui.state.requests.ask(request::GiveKeyboard{TextField::kNumber});
  ImGui::CloseCurrentPopup();
}

}  // namespace

void size_menu(Ui& ui, const std::string& id, const Rect& bounds, SizeId size, int value,
               std::span<const int> choices) {
  open_requested_popup(ui, id);
  if (!begin_popup(ui, id, bounds)) return;
  if (ImGui::IsWindowAppearing()) ui.state.size_field = {std::to_string(value), {}};
  const std::string name(size_name(size));
  if (text_field(ui, name)) commit_number(ui, size);
  step_button(ui, size, value, -1);
  step_button(ui, size, value, 1);
  size_problem(ui);
  size_limit(ui, size);
  ImGui::Spacing();
  for (const int choice : choices) {
    const std::string text = std::to_string(choice);
    const std::string item = std::string(name).append("/").append(text);
    if (menu_item(ui, item, text, {}, choice == value))
      ui.queue(intent::Apply{SetSize{size, choice}});
  }
  end_popup();
}

std::string in_words_of_labels(const std::string& text) {
  constexpr std::string_view kName = "n_heads";
  return text.starts_with(kName) ? tr("heads h") + text.substr(kName.size()) : text;
}

}  // namespace lab::view
