#include "app/view/main_view.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "app/base/typed_number.h"
#include "app/files/open.h"
#include "app/translation/words.h"
#include "app/view/actions/actions.h"
#include "app/view/editor/edit_block.h"
#include "app/view/editor/find_token.h"
#include "app/view/editor/override_edit.h"
#include "app/view/editor/uncommitted_edit.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/lesson/lesson_answers.h"
#include "app/view/lesson/lesson_panels.h"
#include "app/view/maps/compare.h"
#include "app/view/maps/follow_words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/navigation.h"
#include "app/view/maps/sensitivity.h"
#include "app/view/present/present.h"
#include "app/view/sentence/chat_turns.h"
#include "app/view/session/file_actions.h"
#include "app/view/session/get_model.h"
#include "app/view/session/recovery_actions.h"
#include "app/view/session/session_panels.h"
#include "app/view/session/training_actions.h"
#include "app/view/session/view_memory.h"
#include "app/view/solving/answer.h"
#include "app/view/state/layout.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/window/columns.h"
#include "app/view/window/window_panels.h"
#include "core/analysis/metrics.h"

namespace lab::view {
namespace {

// Cuts a strip of that height off the columns, above the status line.
Rect cut_strip(WindowLayout& layout, float height) {
  for (Rect* column : {&layout.left, &layout.centre, &layout.right})
    column->h = std::max(0.0f, column->h - height);
  return {layout.status.x, layout.status.y - height, layout.status.w, height};
}

// Makes the columns of a page as high as their content, and moves what is below them. Returns by
// how much.
float stretch_columns(Ui& ui, Ui& read, WindowLayout& layout) {
  const float more = std::max(0.0f, columns_height(ui, read, layout) - layout.left.h);
  for (Rect* column : {&layout.left, &layout.centre, &layout.right}) column->h += more;
  layout.status.y += more;
  return more;
}

// Returns the height of all parts.
float draw_parts(Ui& ui, const Rect& area) {
  follow_chat(ui);
  WindowLayout layout = window_layout(area.w, area.h, ui.state.scale,
                                      ui.edited().problem.has_second_text(), chat_room(ui, area.w));
  for (Rect* part : {&layout.top_bar, &layout.sentence, &layout.status, &layout.left,
                     &layout.centre, &layout.right})
    part->y += area.y;
  Rect strip = cut_strip(layout, detached_strip_height(ui));
  Rect source = cut_strip(layout, arrays_strip_height(ui));
  if (source.h > 0) source.y -= strip.h;
  // The panels read it until the end of the frame, even if one of them ends the comparison.
  const std::shared_ptr<const Snapshot> alive = ui.state.compare.a;
  Ui read = ui;
  read.kept = ui.state.compare.shown();
  keep_within_shown(read);
  const float more = ui.state.is_page ? stretch_columns(ui, read, layout) : 0;
  strip.y += more;
  source.y += more;
  draw_panel(ui, "sentence", layout.sentence);
  draw_columns(ui, read, layout);
  detached_strip(ui, strip);
  arrays_strip(ui, source);
  draw_panel(read, "status", layout.status);
  draw_panel(ui, "top_bar", layout.top_bar);
  recent_list(ui, {ui.px(120), 0, ui.px(60), layout.top_bar.bottom() - ui.px(8)});
  history_list(ui, {ui.px(120), 0, ui.px(60), layout.top_bar.bottom() - ui.px(8)});
  const auto& widgets = ui.widgets.widgets();
  const auto help = widgets.find("menu/Help");
  lesson_list(ui, help != widgets.end() ? help->second : layout.top_bar);
  return area.h + more;
}

// A window that is too low for its parts scrolls as a whole, like a page: every part can be
// reached, and there is one scroll bar.
void draw_window(Ui& ui, ImVec2 size) {
  const Rect window{0, 0, size.x, size.y};
  const float least = ui.px(kLeastHeight);
  ui.state.is_page = size.y < least;
  if (!ui.state.is_page) return (void)draw_parts(ui, window);
  // A map under the pointer handles the wheel.
  begin_column("all", window, ui.state.inspection.on_map ? ImGuiWindowFlags_NoScrollWithMouse : 0);
  Rect area = scrolled(window);
  area.h = least;
  const float height = draw_parts(ui, area);
  end_column(window, height);
}

constexpr float kChipsBelow = 34;  // height of the tokens below their sentence

// Below the tokens, which stay in view.
void find_token(Ui& ui) {
  const auto& widgets = ui.widgets.widgets();
  const auto sentence = widgets.find("sentence");
  Rect above{ui.px(14), 0, ui.px(60), ui.px(52)};
  if (sentence != widgets.end()) above = sentence->second;
  above.h += ui.px(kChipsBelow);
  find_token_popup(ui, above);
}

void draw_all(Ui& ui) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  if (ui.state.present.on) {
    present_view(ui, {0, 0, size.x, size.y});
  } else {
    draw_window(ui, size);
  }
  find_token(ui);
  dialogs(ui);
}

// Handles requests that concern the whole window; the others are handled by their widget.
void handle_requests(Ui& ui) {
  Requests& requests = ui.state.requests;
  if (requests.take<request::EndLesson>() && lesson_is_open(ui.state)) end_lesson(ui);
  const bool comes_back = ui.workspace.work_suspended() && !lesson_is_open(ui.state);
  if (comes_back) return;  // the user's own work, in the next frame
  if (!ui.jobs.busy()) {
    if (const auto leave = requests.take<request::Leave>()) leave_document(ui, leave->to);
  }
  if (const auto open = requests.take<request::OpenFiles>()) open_dropped(ui, open->files);
}

void keep_in_range(Ui& ui) {
  ViewState& state = ui.state;
  if (const auto select = state.requests.take<request::Select>())
    state.selection = select->selection;
  follow_compared(state, ui.workspace);
  if (!is_editable(ui.edited().problem, state.edit.matrix)) state.edit.matrix = MatrixId::kWQ;
}

void settle_jobs(Ui& ui) { ui.jobs.settle(ui); }

void end_caches(Ui& ui) {
  ui.labels.end_frame();
  ui.text_lines.end_frame();
  ui.values.end_frame();
  ui.metrics.end_frame();
}

// The steps of a frame in order. Each step may rely on the previous ones: intents from keys come
// after those of the previous frame, and the intents of a finished job are executed before the next
// request.
using Step = void (*)(Ui&);
constexpr std::array kBeforePanels{
    Step(follow_pinned_layer), Step(follow_words),       Step(follow_last_token),
    Step(keep_in_range),       Step(follow_sensitivity), Step(begin_reading),
    Step(follow_detached),     Step(follow_lesson),      Step(handle_requests),
    Step(settle_jobs),         Step(follow_download),    Step(follow_recovery),
    Step(follow_training),     Step(follow_answer),      Step(handle_focus_keys),
    Step(answer_by_enter),     Step(run_shortcuts),      Step(handle_override_keys),
};
constexpr std::array kAfterPanels{
    Step(end_lost_edits), Step(end_lesson_frame), Step(draw_focus_ring),
    Step(end_caches),     Step(refuse_locked),    Step(keep_followed_steps),
};

// True when earlier messages are out of date. A step with its own label has its own message.
bool changes_something(const Intent& intent) {
  const auto* merged = std::get_if<intent::ApplyMerged>(&intent);
  if (merged && merged->label) return false;
  return !std::holds_alternative<intent::NoteState>(intent) &&
         !std::holds_alternative<intent::MarkSaved>(intent) &&
         !std::holds_alternative<intent::Replace>(intent) &&
         !std::holds_alternative<intent::Resume>(intent) &&
         !std::holds_alternative<intent::SuspendWork>(intent);
}

// Dear ImGui handles keyboard navigation in popups; in the window, the keyboard focus does.
void follow_popups() {
  ImGuiConfigFlags& flags = ImGui::GetIO().ConfigFlags;
  flags &= ~ImGuiConfigFlags_NavEnableKeyboard;
  if (compat::popup_is_open()) flags |= ImGuiConfigFlags_NavEnableKeyboard;
}

bool some_key_pressed() {
  for (int key = static_cast<int>(Key::kNone) + 1; key < static_cast<int>(Key::kCount); ++key) {
    const auto one = static_cast<Key>(key);
    if (!is_modifier(one) && compat::key_pressed(one, false)) return true;
  }
  return false;
}

// The next key or click ends messages, also that of an edit that was refused.
void forget_messages(Ui& ui) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!io.MouseClicked[0] && io.InputQueueCharacters.empty() && !some_key_pressed()) return;
  ui.state.error.clear();
  ui.state.notice.clear();
  const Workspace& workspace = ui.workspace;
  if (!workspace.message().empty() && !workspace.history().previewing()) ui.queue(intent::Cancel{});
}

}  // namespace

void MainView::follow_language() {
  set_decimal_comma(state_.decimal_comma);
  if (state_.language == language()) return;
  const std::string problem = set_language(state_.language, files::assets_folder());
  if (!problem.empty()) state_.error = problem;
}

bool MainView::prepare(const Workspace& workspace) {
  follow_language();
  follow_popups();
  const Theme& theme = theme_for(state_.theme);
  const std::string text = workspace.edited().sentence + std::exchange(state_.typed_words, {});
  const bool scaled = loaded_scale_ != state_.scale;
  const BoxText& box = state_.box_text;
  const bool typed = loaded_text_ != text || loaded_kept_ != box.kept().size();
  const bool new_script = !scaled && typed && needs_glyphs(fonts_, text, box);
  if (scaled || styled_for_ != &theme) apply_style(theme, state_.scale);
  styled_for_ = &theme;
  if (scaled || new_script) {
    fonts_ = load_fonts(state_.scale, text, box);
    text_lines_ = {};
  }
  loaded_scale_ = state_.scale;
  loaded_text_ = text;
  loaded_kept_ = box.kept().size();
  return scaled || new_script;
}

void MainView::show(const Workspace& workspace) {
  opened_ = workspace.opened();
  state_.head = 0;
  state_.model = {};
  state_.heads.view = {};
  forget_pending(state_);
  state_.chat = {};
  state_.edit = {};
  state_.solve = {};
  state_.selection = {};
  state_.inspection = {};
  state_.sensitivity = {};
  begin_words(state_, workspace.document());
  const attention::Matrix& weights = *workspace.trace().heads.front().weights;
  auto pair = attention::strongest_pair(weights, true);
  if (pair.weight == 0) pair = attention::strongest_pair(weights, false);
  state_.selection.query = pair.row;
  state_.selection.key = pair.col;
  if (workspace.document().layer.model) {
    state_.selection.query = first_row_asked(workspace);
    weights.row(state_.selection.query).maxCoeff(&state_.selection.key);
  }
  if (const auto shown = state_.requests.take<request::ShowView>())
    show_as(state_, shown->view, workspace);
  show_step(state_, workspace);
}

std::optional<double> MainView::seconds_to_next_frame(const Workspace& workspace) const {
  constexpr double kSecondsOfProgress = 0.1;   // between two updates of the progress bar
  constexpr double kSecondsOfTraining = 0.06;  // between two steps that are shown
  if (job_ended_) return 0;  // what it says may need more room than this frame gave it
  if (state_.early_text.waits() || awaits_answer(state_.solve)) return 0;
  const bool may_leave = !jobs_.busy() && state_.requests.waiting<request::Leave>() != nullptr;
  if (may_leave) return 0;  // a job for which leaving waited has ended in the last frame
  if (trainer_.running() || state_.training.followed || state_.training.requested)
    return kSecondsOfTraining;
  const auto next = seconds_to_next_stage(state_);
  if (!jobs_.busy() && !workspace.behind() && !is_downloading(state_)) return next;
  return std::min(next.value_or(kSecondsOfProgress), kSecondsOfProgress);
}

std::vector<Intent> MainView::draw(const Workspace& workspace) {
  std::vector<Intent> intents;
  const bool had_job = jobs_.busy();
  if (opened_ != workspace.opened()) show(workspace);
  state_.early_text.settle();
  widgets_.clear();
  AnalysisRequest requested;
  numbers_.begin_frame();
  Ui ui{workspace,
        state_,
        intents,
        theme_for(state_.theme),
        fonts_,
        labels_,
        text_lines_,
        values_,
        metrics_,
        sensitivity_,
        means_,
        sink_,
        widgets_,
        desktop_,
        jobs_,
        trainer_,
        preview_,
        tiles_,
        requested,
        numbers_.analysis(),
        numbers_.unedited(),
        all_panels()};
  forget_messages(ui);
  state_.hovered.reset();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin("window", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar(2);
  for (const Step step : kBeforePanels) step(ui);
  draw_all(ui);
  for (const Step step : kAfterPanels) step(ui);
  numbers_.end_frame(ui);
  job_ended_ = had_job && !jobs_.busy();
  state_.popup_was_open = compat::popup_is_open();
  ImGui::End();
  if (std::ranges::any_of(intents, changes_something)) state_.notice.clear();
  return intents;
}

}  // namespace lab::view
