#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/figure/colour/palette.h"
#include "app/view/toolkit/desktop_services.h"
#include "app/view/toolkit/texture_sink.h"

namespace lab::platform {

/// How a window is opened.
struct WindowOptions {
  int width = 1600;
  int height = 1000;
  std::string title = "Attention Lab";
  bool visible = true;  ///< false: drawn off screen, for screenshots
};

/// A native window with an OpenGL 3.3 core context and the context and input of ImGui. There can be
/// one at a time.
///
/// Input is passed to ImGui so that nothing is lost however fast it arrives: a frame takes the
/// events up to the first that would change the same key or button twice, or that moves the pointer
/// after a button changed; the rest is pending for the next frame (see InputQueue and pending()).
/// All lengths are in pixels of the frame, whatever unit the desktop uses.
class Window {
 public:
  /// Opens a window. Fails with kNoDisplay, kNoOpenGl, kBadInput (off screen, with a size that the
  /// graphics card does not support) or kFailed (a window is already open), with a one-line
  /// message.
  static Expected<std::unique_ptr<Window>> open(const WindowOptions& options);
  virtual ~Window() = default;

  /// The textures of the window.
  virtual view::TextureSink& textures() = 0;
  /// File dialogs and the image clipboard; an off-screen window has neither.
  virtual view::DesktopServices& services() = 0;
  /// The scale of the display: 1 for 96 dpi.
  virtual float content_scale() const = 0;
  /// True when the user asked to close the window.
  virtual bool should_close() const = 0;
  /// Cancels the request to close, because an unsaved document was kept.
  virtual void keep_open() = 0;

  /// Sleeps until an event: input, a resize, damage, post_wakeup().
  virtual void wait_events() = 0;
  /// The same, but sleeps `seconds` at most.
  virtual void wait_events_for(double seconds) = 0;
  /// Processes pending events without sleeping.
  virtual void poll_events() = 0;
  /// True when input is pending for the next frame.
  virtual bool pending() const = 0;
  /// Wakes up wait_events; called from another thread.
  virtual void post_wakeup() = 0;
  /// Files dropped on the window since the last call.
  virtual std::vector<std::string> take_dropped_files() = 0;

  /// Feeds input and starts an ImGui frame.
  virtual void begin_frame() = 0;
  /// Renders the ImGui frame over `background` and shows it. While input is pending, a frame that
  /// is followed by another at once may be skipped.
  virtual void end_frame(figure::Rgb background) = 0;
  /// Ends the ImGui frame without showing it.
  virtual void drop_frame() = 0;
  /// The pixels of the last frame: 3 bytes each, rows from the top. Only for an off-screen window;
  /// empty for a visible one.
  virtual std::string read_pixels() = 0;
  /// Call this outside a frame after changing the fonts in ImGuiIO::Fonts: uploads the new atlas.
  /// Fonts added between open() and the first frame need no call.
  virtual void fonts_changed() = 0;
  /// The width of the frame in pixels.
  virtual int width() const = 0;
  /// The height of the frame in pixels.
  virtual int height() const = 0;
  /// Shows it above the others, and gives it the keyboard where the desktop allows that.
  virtual void bring_to_front() = 0;
  /// Sets the text of the title bar.
  virtual void set_title(const std::string& title) = 0;
};

}  // namespace lab::platform
