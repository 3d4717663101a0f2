#include "app/connection/connection.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/base/bad_input.h"
#include "app/base/visible_text.h"
#include "app/connection/request_json.h"
#include "app/files/opened_model.h"

namespace lab::connection {
namespace {

using nlohmann::json;

std::string text_of(const json& object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string for_people(const std::string& program) {
  if (program == "python") return "Python";
  constexpr std::size_t kLongest = 40;
  return printable(program.substr(0, kLongest));
}

// A file beside the program that asks, else a name.
std::string source_of(const json& request) {
  const std::string path = text_member(request, "path");
  const std::string folder = text_member(request, "in", "");
  if (path.empty()) throw BadInput("\"path\" is empty");
  const std::filesystem::path whole = std::filesystem::path(folder) / path;
  std::error_code none;
  return std::filesystem::exists(whole, none) ? whole.string() : path;
}

request::ShowModel read_model(const json& request) {
  const std::string text = text_member(request, "text", "");
  auto opened = value_or_bad_input(files::open_model_source(
      text_member(request, "path"), text.empty() ? std::nullopt : std::optional(text)));
  return {text_member(request, "name", ""), std::move(opened)};
}

std::optional<int> layer_member(const json& request) {
  constexpr std::int64_t kMost = 1 << 20;
  const std::int64_t layer = integer_member(request, "layer", -1);
  if (layer < 0) return std::nullopt;
  return static_cast<int>(std::min(layer, kMost));
}

}  // namespace

std::string display_name() {
  for (const char* variable : {"WAYLAND_DISPLAY", "DISPLAY"})
    if (const char* name = std::getenv(variable); name && *name) return name;
  return {};
}

Expected<std::unique_ptr<Connection>> Connection::open(const std::string& path,
                                                       std::function<void()> wake,
                                                       ListenerLimits limits) {
  std::unique_ptr<Connection> connection(new Connection(std::move(wake)));
  Connection* const own = connection.get();
  auto listener = Listener::open(path,
                                 {[own](Listener& at, ClientId client, Frame frame) {
                                    own->receive(at, client, std::move(frame));
                                  },
                                  [own](ClientId client) { own->close(client); }},
                                 std::move(limits));
  if (!listener) return tl::make_unexpected(listener.error());
  connection->listener_ = std::move(*listener);
  connection->worker_ = std::jthread([own](const std::stop_token& stop) { own->work(stop); });
  return connection;
}

Connection::~Connection() {
  worker_ = {};
  if (!listener_) return;
  std::vector<ClientId> clients;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [client, client_state] : clients_) clients.push_back(client);
  }
  for (const ClientId client : clients) listener_->refuse(client, "the window was closed");
  listener_.reset();
}

// --- on the listener's thread

void Connection::receive(Listener& listener, ClientId client, Frame frame) {
  const auto object = guarded([&] { return read_object(frame.json); });
  if (!object) return listener.refuse(client, object.error().message);
  const auto id = object->find("id");
  if (id == object->end() || !id->is_number_integer())
    return listener.refuse(client, "the message has no \"id\", an integer");
  if (object->value("do", json()) == "hello") {
    greet(listener, client, *object);
  } else if (program_of(client).empty()) {
    listener.refuse(client, "the first request is \"hello\"");
  } else {
    post({client, std::optional<json>(std::in_place, *object), std::move(frame.payload)});
  }
}

void Connection::greet(Listener& listener, ClientId client, const json& hello) {
  const auto program = guarded([&] { return for_people(text_member(hello, "program")); });
  if (!program) return listener.refuse(client, program.error().message);
  {
    const std::lock_guard lock(mutex_);
    clients_[client].program = program->empty() ? "?" : *program;
  }
  listener.send(client, {text_of({{"id", hello["id"]},
                                  {"ok", true},
                                  {"version", ATTENTION_LAB_VERSION},
                                  {"protocol", kProtocol},
                                  {"display", display_name()}}),
                         {}});
  listener.finish_frame(client);
}

void Connection::close(ClientId client) {
  {
    const std::lock_guard lock(mutex_);
    clients_.erase(client);
  }
  post({client});
}

void Connection::post(Message message) {
  const std::lock_guard lock(mutex_);
  messages_.push_back(std::move(message));
  posted_.notify_one();
}

// --- on the worker

void Connection::work(const std::stop_token& stop) {
  while (true) {
    Message message;
    {
      std::unique_lock lock(mutex_);
      if (!posted_.wait(lock, stop, [this] { return !messages_.empty(); })) return;
      message = std::move(messages_.front());
      messages_.pop_front();
    }
    read(std::move(message));
  }
}

void Connection::read(Message message) {
  if (!message.object) return deliver({message.client});
  if (!message.object->contains("do")) return read_layer(message);
  const Request request{message.client, message.object->at("id").get<std::int64_t>(),
                        program_of(message.client)};
  try {
    const auto done = guarded([&] { return read_request(message, request), true; });
    if (!done) refuse(request, done.error().message);
  } catch (const std::exception& error) {
    refuse(request, error.what());
  }
}

void Connection::read_request(Message& message, Request request) {
  const json& object = *message.object;
  const std::string verb = text_member(object, "do");
  if (verb == "open") {
    request.content = request::Open{source_of(object)};
  } else if (verb == "show") {
    if (text_member(object, "what", "weights") == "model")
      request.content = read_model(object);
    else
      request.content = read_show(message);
    if (std::holds_alternative<request::Show>(request.content)) accept_update(request);
  } else if (verb == "numbers") {
    request.content = request::Numbers{text_member(object, "name"), layer_member(object)};
  } else if (verb == "wait_shown") {
    request.content = request::WaitShown{text_member(object, "name")};
  } else {
    throw BadInput("this window does not know the request " + in_quotes(verb));
  }
  deliver(std::move(request));
}

request::Show Connection::read_show(const Message& message) {
  request::Show show{read_array_spec(*message.object), {}, 0, {}, {}};
  auto arrays = value_or_bad_input(read_arrays(show.spec, message.payload));
  const int whole = layers_in(show.spec, arrays);
  if (whole > 1) {
    if (show.spec.layers != 1 && show.spec.layers != whole)
      throw BadInput("\"layers\" is " + std::to_string(show.spec.layers) + ", but weights has " +
                     std::to_string(whole));
    show.spec.layers = whole;
    show.layer = shown_layer(show.spec.name, whole);
  }
  show.spec.lazy = show.spec.lazy && whole == 1 && show.spec.layers > 1;
  if (whole == 1 && !show.spec.lazy) show.spec.layers = 1;
  show.arrays = std::make_shared<const files::TensorFile>(std::move(arrays));
  show.document =
      value_or_bad_input(document_of_arrays(show.spec, *show.arrays, show.layer, show.notes));
  return show;
}

// What the window asked for, which is then asked for no more; std::nullopt if it did not.
std::optional<std::pair<ArraySpec, int>> Connection::take_asked(ClientId client, std::int64_t id) {
  const std::lock_guard lock(mutex_);
  const auto client_state = clients_.find(client);
  if (client_state == clients_.end()) return std::nullopt;
  const auto found = client_state->second.layers.find(id);
  if (found == client_state->second.layers.end()) return std::nullopt;
  auto request = std::move(found->second);
  client_state->second.layers.erase(found);
  return request;
}

// The answer to a request of the window.
void Connection::read_layer(const Message& message) {
  listener_->finish_frame(message.client);
  const auto requested = take_asked(message.client, message.object->at("id").get<std::int64_t>());
  if (!requested) return;
  const ArraySpec& spec = requested->first;
  const int layer = requested->second;
  const auto read = [&]() -> Document {
    if (const std::string error = text_member(*message.object, "error", ""); !error.empty())
      throw BadInput(error);
    const files::TensorFile arrays = value_or_bad_input(read_arrays(spec, message.payload));
    std::vector<std::string> notes;
    return value_or_bad_input(document_of_arrays(spec, arrays, layer, notes));
  };
  Request arrived{message.client, 0, program_of(message.client)};
  arrived.content = request::LayerArrived{spec.name, layer, guarded(read)};
  deliver(std::move(arrived));
}

void Connection::deliver(Request request) {
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(std::move(request));
  }
  wake_();
}

// Answers an update of what is shown, so that its sender need not wait for a frame, and removes one
// that the window has not taken. Throws BadInput when the one before failed.
void Connection::accept_update(Request& request) {
  const std::string name = std::get<request::Show>(request.content).spec.name;
  {
    const std::lock_guard lock(mutex_);
    if (name != shown_) return;
    if (!failure_.empty()) throw BadInput(std::exchange(failure_, {}));
    std::erase_if(requests_, [&](const Request& other) {
      const auto* show = std::get_if<request::Show>(&other.content);
      return other.answered && show && show->spec.name == name;
    });
  }
  answer(request, {{"shown", true}});
  request.answered = true;
}

// --- from any thread

int Connection::shown_layer(const std::string& name, int layers) {
  const std::lock_guard lock(mutex_);
  return name == shown_ ? std::clamp(layer_, 0, layers - 1) : 0;
}

std::string Connection::program_of(ClientId client) {
  const std::lock_guard lock(mutex_);
  const auto found = clients_.find(client);
  return found == clients_.end() ? std::string() : found->second.program;
}

std::vector<Request> Connection::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(requests_, {});
}

void Connection::answer(const Request& request, json members, std::string payload) {
  if (request.answered) return;
  if (payload.size() > kLongestPayload)
    return refuse(request, "these numbers have more than 2 GiB");
  members["id"] = request.id;
  members["ok"] = true;
  listener_->send(request.client, {text_of(members), std::move(payload)});
  listener_->finish_frame(request.client);
}

void Connection::refuse(const Request& request, const std::string& reason) {
  if (request.answered) {
    const std::lock_guard lock(mutex_);
    failure_ = reason;
    return;
  }
  listener_->send(request.client, {text_of({{"id", request.id}, {"error", reason}}), {}});
  listener_->finish_frame(request.client);
}

void Connection::ask_for_layer(ClientId client, const ArraySpec& spec, int layer) {
  std::int64_t id = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto client_state = clients_.find(client);
    if (client_state == clients_.end()) return;
    id = ++newest_id_;
    client_state->second.layers[id] = {spec, layer};
  }
  listener_->send(
      client, {text_of({{"id", id}, {"do", "layer"}, {"name", spec.name}, {"layer", layer}}), {}});
}

void Connection::set_shown(const std::string& name, int layer) {
  const std::lock_guard lock(mutex_);
  if (shown_ != name) failure_.clear();
  shown_ = name;
  layer_ = layer;
}

}  // namespace lab::connection
