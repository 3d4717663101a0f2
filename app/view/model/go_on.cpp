#include "app/view/model/go_on.h"

#include <imgui.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

#include "app/document/analysis/generation.h"
#include "app/files/model/model_folder.h"
#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/model_words.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr const char* kGoOn = "next/go_on";
constexpr float kGoOnWidth = 320, kGoOnControl = 190, kGoOnRow = 30;
constexpr float kHottest = 2, kLeastTopP = 0.05f;
constexpr int kLargestTopK = 100, kMostAppended = 200;

// The tokens that end a text, or an answer; none for a network that is trained here.
std::vector<std::uint32_t> ends_of_text(const ModelDocument& model) {
  const auto* const opened = dynamic_cast<const files::Model*>(model.source.get());
  std::vector<std::uint32_t> ends =
      opened != nullptr ? opened->description.ends : std::vector<std::uint32_t>();
  if (model.text.chat.on)
    for (const std::uint32_t id : ends_of_answer(*model.source)) ends.push_back(id);
  return ends;
}

Generation generation_of(const GoOnState& state, const ModelDocument& model) {
  return {.tokens = state.count,
          .sampling = {.temperature = static_cast<double>(state.temperature),
                       .top_k = state.top_k,
                       .top_p = static_cast<double>(state.top_p)},
          .seed = state.seed,
          .ends = ends_of_text(model)};
}

// What the model adds to the text, and whether it ended it. Throws what the watch throws.
struct GoneOn {
  ModelText prompt;  // what it went on with
  std::vector<std::uint32_t> ids;
  bool ended = false;
};

// The model on the text that it goes on with: of a conversation the part before the end of the
// assistant's last turn, if there is one.
Expected<ModelDocument> with_prompt(const ModelDocument& model) {
  if (!model.text.chat.on) return model;
  auto prompt = answer_prompt(*model.source, model.text);
  if (!prompt) return tl::make_unexpected(prompt.error());
  if (*prompt == model.text) return model;
  return with_texts(model, std::move(*prompt), {});
}

Expected<GoneOn> gone_on(const ModelDocument& shown, const Generation& generation,
                         attention::WorkWatch& watch) {
  const auto prompted = with_prompt(shown);
  if (!prompted) return tl::make_unexpected(prompted.error());
  const ModelDocument& model = *prompted;
  attention::network::Continuation continuation(
      std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 8));
  const auto added = generate(model, continuation, generation, {}, &watch);
  if (!added) return tl::make_unexpected(added.error());
  if (const auto* const opened = dynamic_cast<const files::Model*>(model.source.get()))
    if (auto readable = files::check_readable(*opened); !readable)
      return tl::make_unexpected(readable.error());
  GoneOn result;
  result.prompt = model.text;
  for (const Prediction& token : *added) result.ids.push_back(token.id);
  const auto& ends = generation.ends;
  result.ended = !result.ids.empty() && std::ranges::find(ends, result.ids.back()) != ends.end();
  if (result.ended) result.ids.pop_back();
  return result;
}

// One undo step, on the text that the tokens were drawn for.
void append_drawn(Ui& ui, const ModelDocument& drawn_for, const GoneOn& added) {
  const ModelDocument* const now = edited_model(ui);
  if (now == nullptr || !reads_the_same(*now, drawn_for)) {
    ui.state.notice = tr("The text was changed meanwhile: nothing was appended");
    return;
  }
  if (added.ids.empty()) {
    ui.state.notice = tr("The model ends the text here: nothing was appended");
    return;
  }
  auto command = command_to_add(*now, added.prompt, added.ids);
  if (!command) {
    ui.state.error = command.error().message;
    return;
  }
  const auto count = static_cast<long>(added.ids.size());
  const auto label = [count] { return tr_count("Go on by {} token", "Go on by {} tokens", count); };
  ui.queue(intent::ApplyMerged{
      std::move(*command), "go on " + std::to_string(ui.workspace.history().state_id()), label});
  if (added.ended) ui.state.notice = tr("The model ended the text here");
}

void start_going_on(Ui& ui) {
  const std::shared_ptr<const ModelDocument> model = ui.edited().layer.model;
  const Generation generation = generation_of(ui.state.go_on, *model);
  const auto work = [model, generation](attention::WorkWatch& watch) -> Job::Finish {
    auto added = gone_on(*model, generation, watch);
    if (!added) return report_failure(added.error());
    return [model, added = std::move(*added)](Ui& after) { append_drawn(after, *model, added); };
  };
  ui.state.notice.clear();
  ui.jobs.start(ui, {tr("going on with the text"), work});
}

// A line of the popup: what it is called, and a control that says with the pointer on it what it
// does.
template <typename Control>
void go_on_line(Ui& ui, const std::string& label, const std::string& name,
                const std::string& meaning, Control control) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Rect row{at.x, at.y, ui.px(kGoOnWidth), ui.px(kGoOnRow)};
  const Rect bounds = row.cut_right(ui.px(kGoOnControl));
  draw_text(ui, ui.fonts.text, row, label, ui.theme.text);
  ImGui::SetCursorScreenPos({bounds.x, bounds.y + (bounds.h - ImGui::GetFrameHeight()) / 2});
  ImGui::SetNextItemWidth(bounds.w);
  control();
  ui.name_item(std::string(kGoOn) + "/" + name);
  tooltip(ui, meaning);
  compat::move_cursor_below({at.x, at.y + ui.px(kGoOnRow)});
}

void sampling_lines(Ui& ui) {
  constexpr ImGuiSliderFlags kFlags = ImGuiSliderFlags_AlwaysClamp;
  GoOnState& state = ui.state.go_on;
  go_on_line(ui, tr("Temperature"), "temperature",
             tr("The logits are divided by it before a token is drawn.\n"
                "0: always the likeliest token. Above 1: unlikely tokens come more often."),
             [&] {
               ImGui::SliderFloat("##temperature", &state.temperature, 0, kHottest, "%.2f", kFlags);
             });
  go_on_line(ui, tr("Top-k"), "top_k",
             tr("Only the k likeliest tokens are drawn from. 0: all of them."), [&] {
               const std::string format = state.top_k == 0 ? tr("all") : "%d";
               ImGui::SliderInt("##top_k", &state.top_k, 0, kLargestTopK, format.c_str(), kFlags);
             });
  go_on_line(ui, tr("Top-p"), "top_p",
             tr("Only the fewest likeliest tokens are drawn from whose probabilities\n"
                "sum up to p. 1: all of them."),
             [&] { ImGui::SliderFloat("##top_p", &state.top_p, kLeastTopP, 1, "%.2f", kFlags); });
  go_on_line(ui, tr("Seed"), "seed", tr("The same seed draws the same tokens."), [&] {
    const std::uint64_t step = 1;
    ImGui::InputScalar("##seed", ImGuiDataType_U64, &state.seed, &step);
  });
  go_on_line(ui, tr("Tokens"), "count",
             tr("How many are appended; fewer where the model ends the text."),
             [&] { ImGui::SliderInt("##count", &state.count, 1, kMostAppended, "%d", kFlags); });
}

void append_button(Ui& ui) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect bounds{at.x, at.y + ui.px(6), ui.px(kGoOnWidth), ui.px(26)};
  const std::string label = tr("Append {}", {std::to_string(ui.state.go_on.count)});
  const bool able = can_go_on(ui) && !ui.jobs.busy();
  const bool entered = able && compat::enter_pressed() && !ImGui::IsWindowAppearing();
  if (button(ui, "next/go_on/append", bounds, label, ButtonLook::kActive, able) || entered) {
    ImGui::CloseCurrentPopup();
    start_going_on(ui);
  }
  tooltip(ui, tr("The tokens are drawn with the edits in force: muted heads, gains, overrides.\n"
                 "One undo step; Ctrl+. stops it."));
  compat::move_cursor_below({at.x, bounds.bottom()});
}

}  // namespace

float go_on_width(const Ui& ui) { return button_width(ui, tr("Go on …")); }

void go_on_button(Ui& ui, Rect& row) {
  const Rect bounds = row.cut_right(go_on_width(ui));
  if (button(ui, kGoOn, bounds, tr("Go on …"), ButtonLook::kQuiet, can_go_on(ui)))
    open_popup(kGoOn);
  tooltip(ui, tr("The model goes on with the text, token by token"));
  open_requested_popup(ui, kGoOn);
  if (!begin_popup(ui, kGoOn, bounds, true)) return;
  ui.state.edit.focused = false;  // what is typed after it is no number for a cell
  sampling_lines(ui);
  append_button(ui);
  end_popup();
}

}  // namespace lab::view
