#pragma once

#include <xcb/xcb.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// The owner's side of the X11 clipboard (ICCCM, section 2): a picture that other programs ask for.

namespace lab::platform {

/// Gives back what XCB allocated.
struct XcbFree {
  void operator()(void* memory) const { std::free(memory); }
};
/// Owns a reply or an event of XCB.
template <typename T>
using XcbPointer = std::unique_ptr<T, XcbFree>;

/// Owns the clipboard with a PNG picture, and answers those who ask for it. Belongs to one thread,
/// which must hand it every event of its connection.
class ClipboardOwner {
 public:
  /// `connection` must outlive this.
  explicit ClipboardOwner(xcb_connection_t* connection);
  ~ClipboardOwner();
  ClipboardOwner(const ClipboardOwner&) = delete;
  ClipboardOwner& operator=(const ClipboardOwner&) = delete;

  /// Begins to take the clipboard for `png`; taken() tells the outcome after later events.
  void take(std::string png);
  /// Whether the clipboard was got; once, when it is known.
  std::optional<bool> taken();
  /// Answers one event.
  void handle(const xcb_generic_event_t& event);

  /// Asks the clipboard manager to keep the picture. False when there is none or nothing to keep;
  /// else saved() is true as soon as it has.
  bool save();
  bool saved() const { return saved_; }

 private:
  using Bytes = std::shared_ptr<const std::string>;
  enum Name {
    kClipboard,
    kTargets,
    kTimestamp,
    kMultiple,
    kAtomPair,
    kPng,
    kIncr,
    kManager,
    kSaveTargets,
    kOwn,
    kNames
  };

  // A picture on its way in pieces, each asked for by deleting the one before.
  struct Transfer {
    xcb_window_t to;
    xcb_atom_t property;
    Bytes bytes;
    std::size_t sent;
  };

  xcb_atom_t atom(Name name) const { return atoms_[name]; }
  void on_request(const xcb_selection_request_event_t& event);
  void on_property(const xcb_property_notify_event_t& event);
  void own_since(xcb_timestamp_t time);
  bool convert(xcb_window_t to, xcb_atom_t target, xcb_atom_t property);
  bool convert_several(xcb_window_t to, xcb_atom_t property);
  void send_picture(xcb_window_t to, xcb_atom_t property);
  void send_piece(Transfer& transfer);
  void forget(xcb_window_t window);
  void set_property(xcb_window_t to, xcb_atom_t property, xcb_atom_t type,
                    const std::vector<std::uint32_t>& values);
  void watch(xcb_window_t window, std::uint32_t events);

  xcb_connection_t* connection_;
  xcb_window_t window_;
  std::array<xcb_atom_t, kNames> atoms_{};
  std::size_t piece_;       // most bytes in one property
  Bytes wanted_, picture_;  // to be taken, and owned; null when there is none
  xcb_timestamp_t since_ = 0;
  std::optional<bool> taken_;
  bool saved_ = false;
  std::vector<Transfer> transfers_;
};

}  // namespace lab::platform
