#include "app/connection/hand_over.h"

#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "app/base/bad_input.h"
#include "app/connection/connection.h"
#include "app/connection/frame.h"
#include "app/connection/listening_socket.h"
#include "app/connection/request_json.h"

namespace lab::connection {
namespace {

using nlohmann::json;

constexpr int kTimeout = 2;  // seconds, for each answer

void limit_waiting(int fd) {
  const timeval timeout{kTimeout, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
}

bool send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// The next message; nothing when it does not come in time or is none.
std::optional<json> receive(int fd) {
  FrameReader reader;
  std::vector<Frame> frames;
  char buffer[4096];
  while (frames.empty()) {
    const ssize_t count = ::recv(fd, buffer, sizeof(buffer), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    if (!reader.read({buffer, static_cast<std::size_t>(count)}, frames)) return std::nullopt;
  }
  auto object = guarded([&] { return read_object(frames.front().json); });
  return object ? std::optional(std::move(*object)) : std::nullopt;
}

std::optional<json> ask(int fd, const json& request) {
  const std::string text = request.dump(-1, ' ', false, json::error_handler_t::replace);
  return send_all(fd, write_frame({text, {}})) ? receive(fd) : std::nullopt;
}

// Names that are no files, of examples and models, stay as they are.
std::string absolute_if_there(const std::string& source) {
  std::error_code none;
  return std::filesystem::exists(source, none) ? std::filesystem::absolute(source, none).string()
                                               : source;
}

}  // namespace

Expected<bool> hand_over(const std::string& path, const std::string& source) {
  const auto socket = connect_to(path);
  if (!socket) return false;
  limit_waiting(socket->get());
  const auto hello = ask(socket->get(), {{"id", 1},
                                         {"do", "hello"},
                                         {"program", "attention-lab"},
                                         {"version", ATTENTION_LAB_VERSION}});
  if (!hello || hello->value("ok", json()) != true ||
      hello->value("display", json()) != display_name())
    return false;
  std::error_code none;
  const auto opened = ask(socket->get(), {{"id", 2},
                                          {"do", "open"},
                                          {"path", absolute_if_there(source)},
                                          {"in", std::filesystem::current_path(none).string()}});
  if (!opened) return true;  // it is being opened, or the window asks about unsaved changes
  const auto reason = guarded([&] { return text_member(*opened, "error", ""); });
  if (reason && !reason->empty()) return fail(ErrorType::kBadInput, *reason);
  return true;
}

}  // namespace lab::connection
