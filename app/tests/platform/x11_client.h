#pragma once

#include <xcb/xcb.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/platform/clipboard_owner.h"
#include "app/tests/rooms.h"

namespace lab {

/// Another program on the same display: reads the clipboard, and drops files on windows.
class X11Client {
 public:
  /// Connects to the display; `meanwhile` is called again and again while an answer is waited for.
  explicit X11Client(std::function<void()> meanwhile);
  ~X11Client() { xcb_disconnect(connection_); }
  X11Client(const X11Client&) = delete;
  X11Client& operator=(const X11Client&) = delete;

  /// The clipboard converted to `target`; nothing when the owner refuses, or there is none.
  std::optional<std::string> clipboard(const std::string& target);
  /// How many pieces the last answer came in.
  int pieces() const { return pieces_; }
  /// Names of the targets that the owner of the clipboard offers.
  std::vector<std::string> targets();
  /// Asks for several targets at once (MULTIPLE); the answers in their order, nothing for those
  /// that were refused.
  std::vector<std::optional<std::string>> clipboard_at_once(
      const std::vector<std::string>& targets);
  /// Asks for the clipboard and does not fetch what comes after the first answer.
  void ask_and_leave(const std::string& target) { ask(target); }
  /// Becomes the clipboard manager of the display.
  void become_clipboard_manager();
  /// Waits until someone leaves it a picture, and returns that.
  std::string keep_as_clipboard_manager();

  /// Drops such a list of addresses on the window that takes drops, as a file manager does. False
  /// when the window does not take it.
  bool drop(const std::string& uri_list);

 private:
  xcb_atom_t atom(const std::string& name);
  std::string name_of(xcb_atom_t atom);
  XcbPointer<xcb_generic_event_t> next_event();
  template <typename Event>
  XcbPointer<Event> wait_for(int type);
  XcbPointer<xcb_get_property_reply_t> property(xcb_atom_t name, bool remove);
  XcbPointer<xcb_get_property_reply_t> ask(const std::string& target);
  std::string read_pieces(xcb_atom_t name);
  xcb_window_t window_that_takes_drops();
  void send(xcb_window_t to, const std::string& type, const std::vector<std::uint32_t>& data);
  void serve(const xcb_selection_request_event_t& request, const std::string& text);

  std::function<void()> meanwhile_;
  xcb_connection_t* connection_;
  xcb_window_t root_, window_;
  int pieces_ = 0;
};

}  // namespace lab
