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

struct WindowOptions {
  int width = 1600;
  int height = 1000;
  std::string title = "Attention Lab";
  bool visible = true;  ///< false: drawn off screen, for screenshots
};

/// A native window with an OpenGL 3.3 core context and ImGui's context and input. One at a time.
///
/// Input is fed to ImGui so that nothing is lost however fast it comes: a frame takes the events up
/// to the first that would change the same key or button twice, or that moves the pointer after a
/// button changed; the rest waits for the next frame (see InputQueue and pending()). All lengths
/// are pixels of the frame, whatever unit the desktop counts in.
class Window {
 public:
  /// Opens a window. Fails with kNoDisplay, kNoOpenGl, kBadInput (off screen, a size that the
  /// graphics card cannot hold) or kFailed (a window is open already) and one clear line each.
  static Expected<std::unique_ptr<Window>> open(const WindowOptions& options);
  virtual ~Window() = default;

  /// Where textures live.
  virtual view::TextureSink& textures() = 0;
  /// File dialogs and pictures for the clipboard; a window off screen has neither.
  virtual view::DesktopServices& services() = 0;
  /// Scale that the display asks for: 1 for 96 dpi.
  virtual float content_scale() const = 0;
  /// True when the user asked to close the window.
  virtual bool should_close() const = 0;
  /// Takes back the wish to close (an unsaved document was kept).
  virtual void keep_open() = 0;

  /// Sleeps until something happens: input, a change of size, damage, post_wakeup().
  virtual void wait_events() = 0;
  /// The same, but sleeps `seconds` at most.
  virtual void wait_events_for(double seconds) = 0;
  /// Takes in what happened without sleeping.
  virtual void poll_events() = 0;
  /// True when input is waiting for the next frame.
  virtual bool pending() const = 0;
  /// Ends wait_events from another thread.
  virtual void post_wakeup() = 0;
  /// Files dropped on the window since the last call.
  virtual std::vector<std::string> take_dropped_files() = 0;

  /// Feeds input and starts an ImGui frame.
  virtual void begin_frame() = 0;
  /// Renders the ImGui frame over `background` and shows it. While input is pending, frames that
  /// another follows at once may be left undrawn.
  virtual void end_frame(figure::Rgb background) = 0;
  /// Ends the ImGui frame without showing it.
  virtual void drop_frame() = 0;
  /// The last frame's pixels: 3 bytes each, rows from the top. Only of a window off screen; empty
  /// for a visible one.
  virtual std::string read_pixels() = 0;
  /// To be called after the fonts in ImGuiIO::Fonts were changed, outside a frame: takes in the new
  /// atlas. The fonts added between open() and the first frame need no call.
  virtual void fonts_changed() = 0;
  /// Size of the frame in pixels.
  virtual int width() const = 0;
  virtual int height() const = 0;
  /// Changes the text in the title bar.
  virtual void set_title(const std::string& title) = 0;
};

}  // namespace lab::platform
