#include "app/tests/connection/client.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

namespace lab::connection {

Client::Client(const std::string& path, bool says_hello) {
  auto socket = connect_to(path);
  EXPECT_TRUE(socket) << (socket ? "" : socket.error().message);
  if (!socket) return;
  socket_ = std::move(*socket);
  const timeval timeout{2, 0};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
  if (!says_hello) return;
  ask({{"do", "hello"}, {"program", "python"}, {"version", "1"}});
  const auto hello = receive();
  EXPECT_TRUE(hello && hello->value("ok", false));
}

bool Client::send(std::string_view bytes) const {
  return ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) == std::ssize(bytes);
}

void Client::ask(nlohmann::json request, const std::string& payload) {
  if (!request.contains("id")) request["id"] = ++newest_id_;
  EXPECT_TRUE(send(write_frame({request.dump(), payload})));
}

std::optional<nlohmann::json> Client::receive() {
  char buffer[65536];
  while (frames_.empty()) {
    const ssize_t count = ::recv(socket_.get(), buffer, sizeof(buffer), 0);
    if (count <= 0) return std::nullopt;
    if (!reader_.read({buffer, static_cast<std::size_t>(count)}, frames_)) return std::nullopt;
  }
  payload_ = frames_.front().payload;
  auto object = nlohmann::json::parse(frames_.front().json);
  frames_.erase(frames_.begin());
  return std::optional<nlohmann::json>(std::in_place, std::move(object));
}

bool Client::has_answer() const {
  pollfd wait{socket_.get(), POLLIN, 0};
  return !frames_.empty() || ::poll(&wait, 1, 0) > 0;
}

std::string Client::error() {
  const auto answer = receive();
  return answer ? answer->value("error", "") : "nothing came";
}

bool Client::is_closed() {
  char byte = 0;
  const ssize_t count = ::recv(socket_.get(), &byte, 1, 0);
  return count == 0 || (count < 0 && errno == ECONNRESET);
}

files::Tensor sample_weights(int heads, int n, int seed) {
  files::Tensor tensor{"weights", {heads, n, n}, {}};
  for (int row = 0; row < heads * n; ++row)
    for (int col = 0; col < n; ++col) {
      const int peak = (row + seed) % n;
      tensor.values.push_back(col == peak ? 0.5f : 0.5f / static_cast<float>(n - 1));
    }
  return tensor;
}

std::string weights_file(int heads, int n, int seed) {
  return files::write_safetensors({{sample_weights(heads, n, seed)}, {}});
}

}  // namespace lab::connection
