#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/connection/request.h"

namespace lab::connection {

/// The window's side of its connections with other programs. Requests are read on separate
/// threads, and wait here until the window takes them; every one must be answered or refused. Its
/// functions may be called from any thread.
class Connection {
 public:
  /// Listens at `path`. Calls `wake` on another thread when there are requests to take. Fails as
  /// Listener::open does.
  static Expected<std::unique_ptr<Connection>> open(const std::string& path,
                                                    std::function<void()> wake,
                                                    ListenerLimits limits = {});
  /// Tells every program that the window was closed.
  ~Connection();
  /// Can be neither copied nor moved: its callbacks, on another thread, refer to it.
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// The requests that came in since the last call, in their order.
  std::vector<Request> take();
  /// Says that a request was executed, with further members of the answer and a safetensors
  /// file.
  void answer(const Request& request, nlohmann::json members = nlohmann::json::object(),
              std::string payload = {});
  /// Says why a request is not executed, one sentence for a person.
  void refuse(const Request& request, const std::string& reason);

  /// Asks the program that shows `spec` for one of its layers; a LayerArrived follows, unless the
  /// program is disconnected before.
  void ask_for_layer(ClientId client, const ArraySpec& spec, int layer);
  /// Says which arrays are shown, and which layer of them is shown. The next ones of that name
  /// are prepared for it, and are answered before they are taken: of several that wait, only the
  /// newest stays. An empty name: none are shown.
  void set_shown(const std::string& name, int layer);

 private:
  // What is known of a program.
  struct Client {
    std::string program;                                            // empty: it did not say hello
    std::map<std::int64_t, std::pair<ArraySpec, int>> layers = {};  // asked for, by id
  };
  // A message that is to be read on the worker; without an object, its sender has disconnected.
  struct Message {
    ClientId client = 0;
    std::optional<nlohmann::json> object = std::nullopt;
    std::string payload = {};
  };

  explicit Connection(std::function<void()> wake) : wake_(std::move(wake)) {}

  void receive(Listener& listener, ClientId client, Frame frame);
  void greet(Listener& listener, ClientId client, const nlohmann::json& hello);
  void close(ClientId client);
  void post(Message message);
  void work(const std::stop_token& stop);
  void read(Message message);
  void read_request(Message& message, Request request);
  void read_layer(const Message& message);
  std::optional<std::pair<ArraySpec, int>> take_asked(ClientId client, std::int64_t id);
  request::Show read_show(const Message& message);
  void deliver(Request request);
  int shown_layer(const std::string& name, int layers);
  void accept_update(Request& request);
  std::string program_of(ClientId client);

  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable_any posted_;
  std::map<ClientId, Client> clients_;  // guarded by mutex_, as are those up to newest_id_
  std::string shown_;                   // the name of the arrays that are shown
  int layer_ = 0;                       // of them that is shown
  std::string failure_;                 // why an update of them failed that was answered
  std::deque<Message> messages_;
  std::vector<Request> requests_;
  std::int64_t newest_id_ = 0;
  std::unique_ptr<Listener> listener_;
  std::jthread worker_;
};

/// The display that this program's windows are on, as its environment names it.
std::string display_name();

}  // namespace lab::connection
