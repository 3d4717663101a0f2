#pragma once

#include <xcb/xcb.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// The owner side of the X11 clipboard (ICCCM, section 2): serves an image to other programs.

namespace lab::platform {

/// Frees what XCB allocated.
struct XcbFree {
  void operator()(void* memory) const { std::free(memory); }
};
/// Owns a reply or an event from XCB.
template <typename T>
using XcbPointer = std::unique_ptr<T, XcbFree>;

/// Owns the clipboard with a PNG image and answers requests for it. Used from one thread, which
/// must pass it every event of its connection.
class ClipboardOwner {
 public:
  /// `connection` must outlive this.
  explicit ClipboardOwner(xcb_connection_t* connection);
  ~ClipboardOwner();
  /// Can be neither copied nor moved.
  ClipboardOwner(const ClipboardOwner&) = delete;
  ClipboardOwner& operator=(const ClipboardOwner&) = delete;

  /// Requests ownership of the clipboard for `png`; taken() reports the outcome after later events.
  void take(std::string png);
  /// Whether the clipboard was acquired; returned once, when it is known.
  std::optional<bool> taken();
  /// Handles one event.
  void handle(const xcb_generic_event_t& event);

  /// Asks the clipboard manager to keep the image. Returns false when there is no manager or
  /// nothing to keep; otherwise saved() becomes true when it is done.
  bool save();
  /// True when the clipboard manager has the image.
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

  // An image that is being transferred in pieces; the receiver requests the next piece by deleting
  // the property.
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
  std::size_t piece_;          // largest number of bytes in one property
  Bytes requested_, picture_;  // requested and owned; null when there is none
  xcb_timestamp_t since_ = 0;
  std::optional<bool> taken_;
  bool saved_ = false;
  std::vector<Transfer> transfers_;
};

}  // namespace lab::platform
