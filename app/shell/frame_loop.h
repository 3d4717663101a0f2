#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>

#include "app/platform/window.h"
#include "app/shell/connection_controller.h"
#include "app/shell/statistics.h"
#include "app/view/main_view.h"

namespace lab::shell {

/// The window, its content, and the state behind it: draws frames and executes the requests made
/// in them.
class FrameLoop {
 public:
  /// Shows `workspace` in `window`; both must outlive the loop.
  FrameLoop(platform::Window& window, Workspace& workspace);
  /// Restores the workspace to one that waits for every evaluation.
  ~FrameLoop();
  /// Can be neither copied nor moved.
  FrameLoop(const FrameLoop&) = delete;
  FrameLoop& operator=(const FrameLoop&) = delete;

  /// Called after each frame with the view state and the scale of the display.
  using Observer = std::function<void(view::ViewState& state, float display_scale)>;
  /// Sets the callback for the end of each frame.
  void after_frame(Observer observer) { after_frame_ = std::move(observer); }

  /// Sets the callback that run() calls before each frame, for what comes from other programs.
  void before_frame(std::function<Arrived()> take) { before_frame_ = std::move(take); }

  /// Builds, draws and shows one frame, then executes the requests made in it.
  void frame();
  /// Draws frames until the user quits; sleeps while there are no events.
  void run();

  /// Ends run() after the current frame; may be called from any thread.
  void stop();

  /// The scale of the display: 1 for 96 dpi.
  float display_scale() const { return display_scale_; }
  /// The content of the window.
  view::MainView& view() { return view_; }
  /// The time measurements of this run.
  const Statistics& statistics() const { return statistics_; }

 private:
  void handle_requests();
  void apply_display_scale();
  void process_events(bool idle);
  bool draws_now(bool idle);
  void execute(std::vector<Intent> intents);
  void note_change();

  platform::Window& window_;
  Workspace& workspace_;
  view::MainView view_;
  float display_scale_;
  std::function<Arrived()> before_frame_;
  Observer after_frame_;
  Statistics statistics_;
  int frames_requested_ = 2;
  std::chrono::steady_clock::time_point last_frame_;
  bool settles_ = false;  // only numbers changed: the frames after that can wait a little
  std::atomic<bool> stopped_ = false;
  std::string title_;
};

}  // namespace lab::shell
