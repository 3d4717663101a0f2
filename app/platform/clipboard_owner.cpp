#include "app/platform/clipboard_owner.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace lab::platform {
namespace {

constexpr std::size_t kLargestPiece = 1 << 17;
constexpr std::size_t kMostTransfers = 32;  // limits requestors that never fetch the rest
constexpr std::uint32_t kMostPairs = 64;    // targets asked for at once

constexpr std::array<std::string_view, 10> kAtomNames{
    "CLIPBOARD", "TARGETS", "TIMESTAMP",         "MULTIPLE",     "ATOM_PAIR",
    "image/png", "INCR",    "CLIPBOARD_MANAGER", "SAVE_TARGETS", "ATTENTION_LAB_CLIPBOARD"};

xcb_window_t make_window(xcb_connection_t* connection) {
  const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
  const xcb_window_t window = xcb_generate_id(connection);
  const std::uint32_t events = XCB_EVENT_MASK_PROPERTY_CHANGE;
  xcb_create_window(connection, 0, window, screen->root, 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
                    screen->root_visual, XCB_CW_EVENT_MASK, &events);
  return window;
}

// Room for a property in the largest request, less the request itself.
std::size_t largest_piece(xcb_connection_t* connection) {
  const std::size_t request = std::size_t{xcb_get_maximum_request_length(connection)} * 4;
  return std::min(kLargestPiece, request - 64);
}

xcb_window_t owner_of(xcb_connection_t* connection, xcb_atom_t selection) {
  const XcbPointer<xcb_get_selection_owner_reply_t> reply(xcb_get_selection_owner_reply(
      connection, xcb_get_selection_owner(connection, selection), nullptr));
  return reply ? reply->owner : XCB_NONE;
}

}  // namespace

ClipboardOwner::ClipboardOwner(xcb_connection_t* connection)
    : connection_(connection), window_(make_window(connection)), piece_(largest_piece(connection)) {
  static_assert(kAtomNames.size() == kNames);
  std::array<xcb_intern_atom_cookie_t, kNames> cookies{};
  for (std::size_t i = 0; i < kNames; ++i) {
    const std::string_view name = kAtomNames[i];
    cookies[i] =
        xcb_intern_atom(connection, 0, static_cast<std::uint16_t>(name.size()), name.data());
  }
  for (std::size_t i = 0; i < kNames; ++i) {
    const XcbPointer<xcb_intern_atom_reply_t> reply(
        xcb_intern_atom_reply(connection, cookies[i], nullptr));
    if (reply) atoms_[i] = reply->atom;
  }
}

ClipboardOwner::~ClipboardOwner() { xcb_destroy_window(connection_, window_); }

// The server reports its time only with an event, so an empty change is made to get one.
void ClipboardOwner::take(std::string png) {
  requested_ = std::make_shared<const std::string>(std::move(png));
  taken_.reset();
  xcb_change_property(connection_, XCB_PROP_MODE_APPEND, window_, atom(kOwn), XCB_ATOM_INTEGER, 32,
                      0, nullptr);
}

std::optional<bool> ClipboardOwner::taken() { return std::exchange(taken_, std::nullopt); }

void ClipboardOwner::own_since(xcb_timestamp_t time) {
  xcb_set_selection_owner(connection_, window_, atom(kClipboard), time);
  taken_ = owner_of(connection_, atom(kClipboard)) == window_;
  if (*taken_) {
    picture_ = requested_;
    since_ = time;
  }
  requested_.reset();
}

void ClipboardOwner::handle(const xcb_generic_event_t& event) {
  switch (event.response_type & 0x7f) {
    case XCB_SELECTION_REQUEST:
      return on_request(reinterpret_cast<const xcb_selection_request_event_t&>(event));
    case XCB_PROPERTY_NOTIFY:
      return on_property(reinterpret_cast<const xcb_property_notify_event_t&>(event));
    case XCB_SELECTION_CLEAR:
      picture_.reset();
      return;
    case XCB_SELECTION_NOTIFY:  // from the clipboard manager, the only one that is asked
      saved_ = true;
      return;
    case XCB_DESTROY_NOTIFY:
      return forget(reinterpret_cast<const xcb_destroy_notify_event_t&>(event).window);
    default:
      return;
  }
}

void ClipboardOwner::on_request(const xcb_selection_request_event_t& event) {
  // Obsolete clients name no property and mean the target.
  const xcb_atom_t property = event.property == XCB_NONE ? event.target : event.property;
  const bool in_time = event.time == XCB_CURRENT_TIME || event.time - since_ < 0x80000000U;
  const bool ours = picture_ && event.selection == atom(kClipboard) && in_time;
  const bool done =
      ours && (event.target == atom(kMultiple) ? convert_several(event.requestor, event.property)
                                               : convert(event.requestor, event.target, property));
  // An event is always sent as 32 bytes.
  union {
    xcb_selection_notify_event_t notify;
    char bytes[32];
  } answer{};
  answer.notify = {XCB_SELECTION_NOTIFY,
                   0,
                   0,
                   event.time,
                   event.requestor,
                   event.selection,
                   event.target,
                   done ? property : xcb_atom_t{XCB_NONE}};
  xcb_send_event(connection_, 0, event.requestor, 0, answer.bytes);
}

bool ClipboardOwner::convert(xcb_window_t to, xcb_atom_t target, xcb_atom_t property) {
  if (target == atom(kTargets)) {
    set_property(
        to, property, XCB_ATOM_ATOM,
        {atom(kTargets), atom(kTimestamp), atom(kMultiple), atom(kSaveTargets), atom(kPng)});
  } else if (target == atom(kTimestamp)) {
    set_property(to, property, XCB_ATOM_INTEGER, {since_});
  } else if (target == atom(kSaveTargets)) {
    set_property(to, property, atom(kSaveTargets), {});
  } else if (target == atom(kPng)) {
    send_picture(to, property);
  } else {
    return false;
  }
  return true;
}

// The property holds pairs of a target and its property; failed ones are marked there.
bool ClipboardOwner::convert_several(xcb_window_t to, xcb_atom_t property) {
  const XcbPointer<xcb_get_property_reply_t> reply(xcb_get_property_reply(
      connection_, xcb_get_property(connection_, 0, to, property, XCB_ATOM_ANY, 0, kMostPairs * 2),
      nullptr));
  if (!reply || reply->format != 32 || property == XCB_NONE) return false;
  const auto* atoms = static_cast<const std::uint32_t*>(xcb_get_property_value(reply.get()));
  std::vector<std::uint32_t> pairs(atoms, atoms + reply->value_len / 2 * 2);
  for (std::size_t i = 0; i < pairs.size(); i += 2)
    if (!convert(to, pairs[i], pairs[i + 1])) pairs[i + 1] = XCB_NONE;
  set_property(to, property, atom(kAtomPair), pairs);
  return true;
}

void ClipboardOwner::send_picture(xcb_window_t to, xcb_atom_t property) {
  if (picture_->size() <= piece_) {
    xcb_change_property(connection_, XCB_PROP_MODE_REPLACE, to, property, atom(kPng), 8,
                        static_cast<std::uint32_t>(picture_->size()), picture_->data());
    return;
  }
  if (transfers_.size() == kMostTransfers) transfers_.erase(transfers_.begin());
  transfers_.push_back({to, property, picture_, 0});
  watch(to, XCB_EVENT_MASK_PROPERTY_CHANGE | XCB_EVENT_MASK_STRUCTURE_NOTIFY);
  set_property(to, property, atom(kIncr), {static_cast<std::uint32_t>(picture_->size())});
}

void ClipboardOwner::on_property(const xcb_property_notify_event_t& event) {
  if (event.window == window_) {
    if (requested_ && event.atom == atom(kOwn)) own_since(event.time);
    return;
  }
  if (event.state != XCB_PROPERTY_DELETE) return;
  const auto found = std::ranges::find_if(transfers_, [&](const Transfer& one) {
    return one.to == event.window && one.property == event.atom;
  });
  if (found == transfers_.end()) return;
  send_piece(*found);
  if (found->bytes) return;
  transfers_.erase(found);
  if (std::ranges::find(transfers_, event.window, &Transfer::to) == transfers_.end())
    watch(event.window, XCB_EVENT_MASK_NO_EVENT);
}

// An empty piece ends it.
void ClipboardOwner::send_piece(Transfer& transfer) {
  const std::size_t size = std::min(piece_, transfer.bytes->size() - transfer.sent);
  xcb_change_property(connection_, XCB_PROP_MODE_REPLACE, transfer.to, transfer.property,
                      atom(kPng), 8, static_cast<std::uint32_t>(size),
                      transfer.bytes->data() + transfer.sent);
  transfer.sent += size;
  if (size == 0) transfer.bytes.reset();
}

void ClipboardOwner::forget(xcb_window_t window) {
  std::erase_if(transfers_, [window](const Transfer& one) { return one.to == window; });
}

bool ClipboardOwner::save() {
  if (!picture_ || owner_of(connection_, atom(kManager)) == XCB_NONE) return false;
  set_property(window_, atom(kOwn), XCB_ATOM_ATOM, {atom(kPng)});
  xcb_convert_selection(connection_, window_, atom(kManager), atom(kSaveTargets), atom(kOwn),
                        since_);
  return true;
}

void ClipboardOwner::set_property(xcb_window_t to, xcb_atom_t property, xcb_atom_t type,
                                  const std::vector<std::uint32_t>& values) {
  xcb_change_property(connection_, XCB_PROP_MODE_REPLACE, to, property, type, 32,
                      static_cast<std::uint32_t>(values.size()), values.data());
}

void ClipboardOwner::watch(xcb_window_t window, std::uint32_t events) {
  xcb_change_window_attributes(connection_, window, XCB_CW_EVENT_MASK, &events);
}

}  // namespace lab::platform
