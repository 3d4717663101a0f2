#include "app/connection/listener.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

namespace lab::connection {
namespace {

constexpr std::size_t kReadAtOnce = std::size_t{1} << 18;

void wake_thread(int fd) {
  const std::uint64_t one = 1;
  (void)!::write(fd, &one, sizeof(one));
}

bool would_wait() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

std::string failure_json(const std::string& reason) {
  return nlohmann::json{{"id", nullptr}, {"error", reason}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Expected<std::unique_ptr<Listener>> Listener::open(const std::string& path, ListenerEvents events,
                                                   ListenerLimits limits) {
  auto listening = ListeningSocket::listen(path);
  if (!listening) return tl::make_unexpected(listening.error());
  if (!limits.accepts) limits.accepts = [](uid_t user) { return user == ::geteuid(); };
  return std::unique_ptr<Listener>(
      new Listener(std::move(*listening), std::move(events), std::move(limits)));
}

Listener::Listener(ListeningSocket listening, ListenerEvents events, ListenerLimits limits)
    : socket_(std::move(listening)),
      events_(std::move(events)),
      limits_(std::move(limits)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      buffer_(kReadAtOnce, '\0'),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

Listener::~Listener() {
  thread_.request_stop();
  wake_thread(wake_.get());
  thread_.join();
}

void Listener::order(Order order) {
  const std::lock_guard lock(mutex_);
  orders_.push_back(std::move(order));
  wake_thread(wake_.get());
}

void Listener::send(ClientId client, const Frame& frame) {
  order({client, write_frame(frame), false, false});
}

void Listener::finish_frame(ClientId client) { order({client, {}, true, false}); }

void Listener::refuse(ClientId client, const std::string& reason) {
  order({client, write_frame({failure_json(reason), {}}), false, true});
}

void Listener::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    if (!poll_all()) return;
    take_orders();
    if (can_accept_) accept_clients();
    for (const ClientId id : readable_) read_from(id, clients_.at(id));
    for (auto& [id, client] : clients_)
      if (!client.out.empty()) write_to(client);
    end_stalled();
    remove_closed();
  }
  take_orders();
  for (auto& [id, client] : clients_) write_to(client);
}

bool Listener::reads_from(const Client& client) const {
  return !client.ends && client.in_work.size() < limits_.frames;
}

// An idle client may stay; one that is in the middle of something has to go on.
bool Listener::is_idle(const Client& client) const {
  return client.out.empty() && !client.ends &&
         (!client.reader.within_frame() || !reads_from(client));
}

// Until the next client may have stalled; −1: for ever.
int Listener::milliseconds_to_wait() const {
  using std::chrono::milliseconds;
  int least = -1;
  for (const auto& [id, client] : clients_) {
    if (is_idle(client)) continue;
    const auto rest =
        std::chrono::ceil<milliseconds>(client.last_progress + limits_.timeout - Clock::now());
    const int wait = static_cast<int>(std::max<milliseconds::rep>(rest.count(), 0));
    least = least < 0 ? wait : std::min(least, wait);
  }
  return least;
}

// Waits for something to do, at most until the next client may have stalled.
bool Listener::poll_all() {
  std::vector<pollfd> waits{{wake_.get(), POLLIN, 0}, {socket_.fd(), POLLIN, 0}};
  for (const auto& [id, client] : clients_) {
    const int reads = reads_from(client) ? POLLIN : 0, writes = client.out.empty() ? 0 : POLLOUT;
    waits.push_back({client.socket.get(), static_cast<short>(reads | writes), 0});
  }
  const int count = ::poll(waits.data(), waits.size(), milliseconds_to_wait());
  const bool failed = count < 0 && errno != EINTR;
  can_accept_ = (waits[1].revents & POLLIN) != 0;
  readable_.clear();
  std::size_t index = 2;
  for (const auto& [id, client] : clients_)
    if ((waits[index++].revents & (POLLIN | POLLHUP | POLLERR)) != 0) readable_.push_back(id);
  std::uint64_t wakes = 0;
  (void)!::read(wake_.get(), &wakes, sizeof(wakes));
  return !failed;
}

void Listener::take_orders() {
  std::vector<Order> orders;
  {
    const std::lock_guard lock(mutex_);
    orders.swap(orders_);
  }
  for (Order& order : orders) {
    const auto found = clients_.find(order.client);
    if (found == clients_.end()) continue;
    Client& client = found->second;
    if (order.finishes) {
      if (!reads_from(client)) client.last_progress = Clock::now();  // it was not its fault
      if (!client.in_work.empty()) client.in_work.pop_front();
      hand_out(order.client, client);
    }
    if (!order.bytes.empty() && !client.ends) {
      if (client.out.empty()) client.last_progress = Clock::now();
      client.out.push_back(std::move(order.bytes));
    }
    client.ends = client.ends || order.ends;
  }
}

void Listener::accept_clients() {
  while (true) {
    files::Descriptor socket(
        ::accept4(socket_.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.get() < 0) return;
    const bool is_user = limits_.accepts(user_of_peer(socket.get()));
    const bool full = clients_.size() >= limits_.clients;
    Client client{std::move(socket)};
    if (!is_user) end_with(client, "this window belongs to another user");
    if (is_user && full)
      end_with(client, "the window has " + std::to_string(limits_.clients) +
                           " connections; close one of them first");
    if (is_user && !full)
      clients_.emplace(++newest_, std::move(client));
    else
      write_to(client);
  }
}

void Listener::read_from(ClientId id, Client& client) {
  if (client.closed) return;
  const ssize_t count = ::recv(client.socket.get(), buffer_.data(), buffer_.size(), 0);
  if (count < 0 && would_wait()) return;
  if (count <= 0) {
    client.closed = true;
    return;
  }
  client.last_progress = Clock::now();
  if (!client.ends)
    take_bytes(id, client, std::string_view(buffer_).substr(0, static_cast<std::size_t>(count)));
}

void Listener::take_bytes(ClientId id, Client& client, std::string_view bytes) {
  std::vector<Frame> frames;
  const auto read = client.reader.read(bytes, frames);
  for (Frame& frame : frames) client.ready.push_back(std::move(frame));
  hand_out(id, client);
  if (!read) return end_with(client, read.error().message);
  if (announced() > limits_.bytes)
    end_with(client, "the window is receiving too many arrays at once; try again");
}

void Listener::hand_out(ClientId id, Client& client) {
  while (!client.ready.empty() && client.in_work.size() < limits_.frames) {
    Frame frame = std::move(client.ready.front());
    client.ready.pop_front();
    client.in_work.push_back(frame.json.size() + frame.payload.size());
    events_.on_frame(*this, id, std::move(frame));
  }
}

std::uint64_t Listener::announced() const {
  std::uint64_t bytes = 0;
  for (const auto& [id, client] : clients_)
    bytes +=
        std::accumulate(client.in_work.begin(), client.in_work.end(), client.reader.announced());
  return bytes;
}

void Listener::write_to(Client& client) {
  while (!client.out.empty() && !client.closed) {
    const std::string& bytes = client.out.front();
    const ssize_t count = ::send(client.socket.get(), bytes.data() + client.sent,
                                 bytes.size() - client.sent, MSG_NOSIGNAL);
    if (count < 0 && would_wait()) return;
    if (count < 0) return void(client.closed = true);
    client.last_progress = Clock::now();
    client.sent += static_cast<std::size_t>(count);
    if (client.sent < bytes.size()) continue;
    client.out.pop_front();
    client.sent = 0;
  }
}

void Listener::end_with(Client& client, const std::string& reason) {
  client.out.push_back(write_frame({failure_json(reason), {}}));
  client.last_progress = Clock::now();
  client.ends = true;
}

void Listener::end_stalled() {
  for (auto& [id, client] : clients_) {
    if (is_idle(client) || Clock::now() - client.last_progress < limits_.timeout) continue;
    if (client.ends || !client.out.empty())
      client.closed = true;
    else
      end_with(client, "the message was not complete after " +
                           std::to_string(limits_.timeout.count()) + " ms");
  }
}

void Listener::remove_closed() {
  for (auto client_at = clients_.begin(); client_at != clients_.end();) {
    const Client& client = client_at->second;
    const bool done = client.closed || (client.ends && client.out.empty());
    if (!done) {
      ++client_at;
      continue;
    }
    const ClientId id = client_at->first;
    client_at = clients_.erase(client_at);
    events_.on_close(id);
  }
}

}  // namespace lab::connection
