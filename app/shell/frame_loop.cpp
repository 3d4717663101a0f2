#include "app/shell/frame_loop.h"

#include <algorithm>
#include <chrono>

#include "app/base/visible_text.h"
#include "app/view/session/file_actions.h"

namespace lab::shell {
namespace {

// A widget that appears or changes needs one frame for layout and one to be shown.
constexpr int kFramesAfterChange = 2;
// A longer evaluation continues in the background; its progress bar is redrawn this often.
constexpr std::chrono::milliseconds kSyncTimeout{4};
// Numbers of another program that do not change for so long are drawn in their final layout, in
// seconds.
constexpr double kSettled = 0.1;
// How long the window waits for a file to be opened or written before it continues without it.
constexpr std::chrono::milliseconds kFileSyncTimeout{30};

std::string window_title(const Workspace& workspace, const view::ViewState& state) {
  const auto& lesson = state.lesson.run;
  const bool marked = workspace.modified() && !lesson;
  const std::string title =
      lesson ? printable(lesson->lesson().title) : view::heading_of(workspace);
  return (marked ? "• " : "") + (title.empty() ? "" : title + " — ") + "Attention Lab";
}

}  // namespace

FrameLoop::FrameLoop(platform::Window& window, Workspace& workspace)
    : window_(window),
      workspace_(workspace),
      view_(window.textures(), window.services()),
      display_scale_(window.content_scale()) {
  view_.state().scale = std::clamp(display_scale_, view::kSmallestScale, view::kLargestScale);
  const auto wake = [&window] { window.post_wakeup(); };
  workspace.set_sync_timeout(kSyncTimeout, wake);
  view_.jobs().set_sync_timeout(kFileSyncTimeout, wake);
  view_.model_numbers().set_wake(wake);
  view_.sensitivity().service().set_on_ready(wake);
  view_.means().set_on_ready(wake);
}

FrameLoop::~FrameLoop() { workspace_.stop_background(); }

void FrameLoop::frame() {
  using Clock = std::chrono::steady_clock;
  if (workspace_.settle()) note_change();
  if (view_.prepare(workspace_)) window_.fonts_changed();
  window_.begin_frame();
  const auto start = Clock::now();
  last_frame_ = start;
  std::vector<Intent> intents = view_.draw(workspace_);
  ImGui::Render();
  const std::chrono::duration<double, std::milli> took = Clock::now() - start;
  if (view_.scale_changed()) {
    window_.drop_frame();  // it mixes the old and the new scale
  } else {
    window_.end_frame(view_.background());
  }
  statistics_.add_frame(took.count());
  execute(std::move(intents));
  if (after_frame_) after_frame_(view_.state(), display_scale_);
}

void FrameLoop::execute(std::vector<Intent> intents) {
  for (Intent& intent : intents) workspace_.queue(std::move(intent));
  if (workspace_.drain()) note_change();
}

void FrameLoop::note_change() {
  if (!workspace_.behind()) statistics_.add_recompute(workspace_.report().microseconds / 1000);
  frames_requested_ = kFramesAfterChange;
}

// The window keeps its apparent size when it moves to a display of another scale.
void FrameLoop::apply_display_scale() {
  const float scale = window_.content_scale();
  if (scale == display_scale_) return;
  float& shown = view_.state().scale;
  shown = std::clamp(shown * scale / display_scale_, view::kSmallestScale, view::kLargestScale);
  view_.state().present.scale_outside *= scale / display_scale_;
  display_scale_ = scale;
}

void FrameLoop::handle_requests() {
  view::ViewState& state = view_.state();
  apply_display_scale();
  if (auto dropped = window_.take_dropped_files(); !dropped.empty())
    state.requests.ask(view::request::OpenFiles{std::move(dropped)});
  if (window_.should_close()) {
    window_.keep_open();
    state.requests.ask(view::request::Leave{view::destination::Quit{}});
  }
  std::string title = window_title(workspace_, state);
  if (title != title_) window_.set_title(title_ = std::move(title));
}

void FrameLoop::stop() {
  stopped_ = true;
  window_.post_wakeup();
}

void FrameLoop::process_events(bool idle) {
  const auto seconds = view_.seconds_to_next_frame(workspace_);
  if (settles_ && !idle) {
    window_.wait_events_for(std::min(kSettled, seconds.value_or(kSettled)));
  } else if (!idle) {
    window_.poll_events();
  } else if (seconds) {
    window_.wait_events_for(*seconds);
  } else {
    window_.wait_events();
  }
}

// Takes what comes from other programs. Numbers that they update, many times a second, cost one
// frame each: those that would follow wait until no more come, and so does what else woke the loop
// together with a question. Input is never kept waiting.
bool FrameLoop::draws_now(bool idle) {
  const Arrived arrived = before_frame_ ? before_frame_() : Arrived::kNothing;
  // The frame that takes the input, and those after it.
  if (idle || window_.pending()) frames_requested_ = 1 + kFramesAfterChange;
  if (arrived != Arrived::kNothing) frames_requested_ = 1 + kFramesAfterChange;
  settles_ = !window_.pending() && (arrived == Arrived::kQuestions || arrived == Arrived::kNumbers);
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - last_frame_;
  return arrived != Arrived::kQuestions || window_.pending() || since.count() > kSettled;
}

void FrameLoop::run() {
  while (!view_.state().quit && !stopped_) {
    const bool idle = frames_requested_ == 0 && !window_.pending();
    process_events(idle);
    if (!draws_now(idle)) continue;
    handle_requests();
    frames_requested_ = std::max(0, frames_requested_ - 1);
    frame();
  }
}

}  // namespace lab::shell
