#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "app/platform/window.h"
#include "app/shell/statistics.h"
#include "app/view/main_view.h"

namespace lab::shell {

/// The window, what is drawn in it, and the state behind it: draws frames and carries out what was
/// asked for in them.
class FrameLoop {
 public:
  /// Shows `workspace` in `window`; both must outlive the loop.
  FrameLoop(platform::Window& window, Workspace& workspace);
  /// Leaves the workspace as it was given: one that waits for every evaluation.
  ~FrameLoop();
  FrameLoop(const FrameLoop&) = delete;
  FrameLoop& operator=(const FrameLoop&) = delete;

  /// Told after each frame what is looked at, and the scale that the display asks for.
  using Observer = std::function<void(view::ViewState& state, float display_scale)>;
  /// Sets who is told.
  void after_frame(Observer observer) { after_frame_ = std::move(observer); }

  /// Builds, draws and shows one frame, then carries out what was asked for.
  void frame();
  /// Draws frames until the user quits; sleeps while nothing happens.
  void run();

  /// Ends run() after its present frame; may be called from any thread.
  void stop();

  /// Scale that the display asks for: 1 for 96 dpi.
  float display_scale() const { return display_scale_; }
  /// What is drawn.
  view::MainView& view() { return view_; }
  /// How long things took.
  const Statistics& statistics() const { return statistics_; }

 private:
  void take_requests();
  void follow_display();
  void take_events(bool idle);
  void carry_out(std::vector<Intent> intents);
  void note_change();

  platform::Window& window_;
  Workspace& workspace_;
  view::MainView view_;
  float display_scale_;
  Observer after_frame_;
  Statistics statistics_;
  int frames_wanted_ = 2;
  std::atomic<bool> stopped_ = false;
  std::string title_;
};

}  // namespace lab::shell
