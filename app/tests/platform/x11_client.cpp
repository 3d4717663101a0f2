#include "app/tests/platform/x11_client.h"
#include "app/tests/rooms.h"

#include <chrono>
#include <thread>

namespace lab {
namespace {

constexpr std::chrono::seconds kSyncTimeout{20};

std::string bytes_of(const xcb_get_property_reply_t& reply) {
  const auto* data = static_cast<const char*>(xcb_get_property_value(&reply));
  return {data, static_cast<std::size_t>(xcb_get_property_value_length(&reply))};
}

std::vector<std::uint32_t> words_of(const xcb_get_property_reply_t& reply) {
  const auto* data = static_cast<const std::uint32_t*>(xcb_get_property_value(&reply));
  return {data, data + reply.value_len};
}

}  // namespace

X11Client::X11Client(std::function<void()> meanwhile)
    : meanwhile_(std::move(meanwhile)), connection_(xcb_connect(nullptr, nullptr)) {
  const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(connection_)).data;
  root_ = screen->root;
  window_ = xcb_generate_id(connection_);
  const std::uint32_t events = XCB_EVENT_MASK_PROPERTY_CHANGE;
  xcb_create_window(connection_, 0, window_, root_, 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
                    screen->root_visual, XCB_CW_EVENT_MASK, &events);
}

xcb_atom_t X11Client::atom(const std::string& name) {
  const XcbPointer<xcb_intern_atom_reply_t> reply(xcb_intern_atom_reply(
      connection_,
      xcb_intern_atom(connection_, 0, static_cast<std::uint16_t>(name.size()), name.data()),
      nullptr));
  return reply->atom;
}

std::string X11Client::name_of(xcb_atom_t atom) {
  const XcbPointer<xcb_get_atom_name_reply_t> reply(
      xcb_get_atom_name_reply(connection_, xcb_get_atom_name(connection_, atom), nullptr));
  return {xcb_get_atom_name_name(reply.get()), reply->name_len};
}

XcbPointer<xcb_generic_event_t> X11Client::next_event() {
  const auto end = std::chrono::steady_clock::now() + kSyncTimeout;
  xcb_flush(connection_);
  while (std::chrono::steady_clock::now() < end) {
    if (XcbPointer<xcb_generic_event_t> event{xcb_poll_for_event(connection_)}) return event;
    meanwhile_();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return nullptr;
}

template <typename Event>
XcbPointer<Event> X11Client::wait_for(int type) {
  while (auto event = next_event())
    if ((event->response_type & 0x7f) == type)
      return XcbPointer<Event>(reinterpret_cast<Event*>(event.release()));
  return nullptr;
}

XcbPointer<xcb_get_property_reply_t> X11Client::property(xcb_atom_t name, bool remove) {
  return XcbPointer<xcb_get_property_reply_t>(xcb_get_property_reply(
      connection_, xcb_get_property(connection_, remove, window_, name, XCB_ATOM_ANY, 0, 1 << 24),
      nullptr));
}

std::string X11Client::read_pieces(xcb_atom_t name) {
  std::string all;
  for (pieces_ = 0;;) {
    const auto changed = wait_for<xcb_property_notify_event_t>(XCB_PROPERTY_NOTIFY);
    if (!changed) return "no end came";
    if (changed->atom != name || changed->state != XCB_PROPERTY_NEW_VALUE) continue;
    const std::string piece = bytes_of(*property(name, true));
    if (piece.empty()) return all;
    all += piece;
    ++pieces_;
  }
}

std::optional<std::string> X11Client::clipboard(const std::string& target) {
  const auto reply = ask(target);
  if (!reply) return std::nullopt;
  pieces_ = 1;
  return reply->type == atom("INCR") ? read_pieces(atom("ANSWER")) : bytes_of(*reply);
}

XcbPointer<xcb_get_property_reply_t> X11Client::ask(const std::string& target) {
  const xcb_atom_t place = atom("ANSWER");
  xcb_convert_selection(connection_, window_, atom("CLIPBOARD"), atom(target), place,
                        XCB_CURRENT_TIME);
  const auto notify = wait_for<xcb_selection_notify_event_t>(XCB_SELECTION_NOTIFY);
  if (!notify || notify->property == XCB_NONE) return nullptr;
  return property(place, true);
}

std::vector<std::string> X11Client::targets() {
  const std::string atoms = clipboard("TARGETS").value_or("");
  std::vector<std::string> names;
  for (std::size_t i = 0; i + 4 <= atoms.size(); i += 4)
    names.push_back(name_of(*reinterpret_cast<const std::uint32_t*>(atoms.data() + i)));
  return names;
}

std::vector<std::optional<std::string>> X11Client::clipboard_at_once(
    const std::vector<std::string>& targets) {
  std::vector<std::uint32_t> pairs;
  for (const std::string& target : targets)
    pairs.insert(pairs.end(), {atom(target), atom("ANSWER_" + target)});
  const xcb_atom_t place = atom("PAIRS");
  xcb_change_property(connection_, XCB_PROP_MODE_REPLACE, window_, place, atom("ATOM_PAIR"), 32,
                      static_cast<std::uint32_t>(pairs.size()), pairs.data());
  xcb_convert_selection(connection_, window_, atom("CLIPBOARD"), atom("MULTIPLE"), place,
                        XCB_CURRENT_TIME);
  wait_for<xcb_selection_notify_event_t>(XCB_SELECTION_NOTIFY);
  std::vector<std::optional<std::string>> answers;
  const std::vector<std::uint32_t> done = words_of(*property(place, true));
  for (std::size_t i = 1; i < done.size(); i += 2)
    answers.push_back(done[i] == XCB_NONE ? std::nullopt
                                          : std::optional(bytes_of(*property(done[i], true))));
  return answers;
}

void X11Client::become_clipboard_manager() {
  xcb_set_selection_owner(connection_, window_, atom("CLIPBOARD_MANAGER"), XCB_CURRENT_TIME);
  atom("a round trip");
}

std::string X11Client::keep_as_clipboard_manager() {
  const auto request = wait_for<xcb_selection_request_event_t>(XCB_SELECTION_REQUEST);
  if (!request) return "nothing";
  const std::string picture = clipboard("image/png").value_or("no picture");
  serve(*request, "");
  return picture;
}

xcb_window_t X11Client::window_that_takes_drops() {
  const XcbPointer<xcb_query_tree_reply_t> tree(
      xcb_query_tree_reply(connection_, xcb_query_tree(connection_, root_), nullptr));
  const xcb_window_t* children = xcb_query_tree_children(tree.get());
  for (int i = 0; i < xcb_query_tree_children_length(tree.get()); ++i) {
    const XcbPointer<xcb_get_property_reply_t> reply(xcb_get_property_reply(
        connection_,
        xcb_get_property(connection_, 0, children[i], atom("XdndAware"), XCB_ATOM_ANY, 0, 1),
        nullptr));
    if (reply && reply->value_len == 1) return children[i];
  }
  return XCB_NONE;
}

void X11Client::send(xcb_window_t to, const std::string& type,
                     const std::vector<std::uint32_t>& data) {
  xcb_client_message_event_t message{};
  message.response_type = XCB_CLIENT_MESSAGE;
  message.format = 32;
  message.window = to;
  message.type = atom(type);
  std::copy(data.begin(), data.end(), message.data.data32);
  xcb_send_event(connection_, 0, to, 0, reinterpret_cast<const char*>(&message));
}

void X11Client::serve(const xcb_selection_request_event_t& request, const std::string& text) {
  xcb_change_property(connection_, XCB_PROP_MODE_REPLACE, request.requestor, request.property,
                      request.target, 8, static_cast<std::uint32_t>(text.size()), text.data());
  xcb_selection_notify_event_t notify[2]{};  // an event is 32 bytes, this one is shorter
  notify[0] = {XCB_SELECTION_NOTIFY,
               0,
               0,
               request.time,
               request.requestor,
               request.selection,
               request.target,
               request.property};
  xcb_send_event(connection_, 0, request.requestor, 0, reinterpret_cast<const char*>(notify));
  xcb_flush(connection_);
}

bool X11Client::drop(const std::string& uri_list) {
  constexpr std::uint32_t kVersion = 5;
  const xcb_window_t to = window_that_takes_drops();
  xcb_set_selection_owner(connection_, window_, atom("XdndSelection"), XCB_CURRENT_TIME);
  send(to, "XdndEnter", {window_, kVersion << 24, atom("text/uri-list"), atom("text/plain"), 0});
  send(to, "XdndPosition", {window_, 0, 50 << 16 | 50, XCB_CURRENT_TIME, atom("XdndActionCopy")});
  const auto status = wait_for<xcb_client_message_event_t>(XCB_CLIENT_MESSAGE);
  if (!status || status->type != atom("XdndStatus") || (status->data.data32[1] & 1) == 0)
    return false;
  send(to, "XdndDrop", {window_, 0, XCB_CURRENT_TIME, 0, 0});
  const auto request = wait_for<xcb_selection_request_event_t>(XCB_SELECTION_REQUEST);
  if (!request) return false;
  serve(*request, uri_list);
  const auto finished = wait_for<xcb_client_message_event_t>(XCB_CLIENT_MESSAGE);
  return finished && finished->type == atom("XdndFinished");
}

}  // namespace lab
