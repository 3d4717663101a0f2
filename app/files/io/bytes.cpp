#include "app/files/io/bytes.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "app/base/bad_input.h"
#include "app/base/unicode_text.h"
#include "app/files/io/atomic_write.h"
#include "app/files/io/descriptor.h"

namespace lab::files {
namespace {

tl::unexpected<Error> too_large(const std::string& path, std::size_t limit) {
  return fail(ErrorType::kBadInput, in_quotes(path) + " is too large: at most " +
                                        std::to_string(limit) + " bytes are read");
}

// Waits until there is data, the end, or an error. Data from a pipe may take long to arrive;
// meanwhile the watch is polled.
void wait_for_bytes(int fd, attention::WorkWatch* watch) {
  constexpr int kMilliseconds = 50;
  pollfd ready{fd, POLLIN, 0};
  for (;;) {
    const int count = ::poll(&ready, 1, kMilliseconds);
    // A signal does not mean data: a pipe that nobody has opened yet would look as if it had ended.
    if (count > 0 || (count < 0 && errno != EINTR)) return;
    attention::report_work(watch, 0);
  }
}

Expected<std::string> read_all(int fd, const std::string& path, std::size_t limit,
                               attention::WorkWatch* watch) {
  std::string bytes;
  std::string chunk(std::size_t{1} << 16, '\0');
  for (;;) {
    wait_for_bytes(fd, watch);
    const ssize_t count = ::read(fd, chunk.data(), chunk.size());
    if (count == 0) return bytes;
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) return io_error("read", path);
    if (static_cast<std::size_t>(count) > limit - bytes.size()) return too_large(path, limit);
    bytes.append(chunk, 0, static_cast<std::size_t>(count));
    attention::report_work(watch, count);
  }
}

// What was peeked at and not read yet.
std::optional<std::string>& peeked_input() {
  static std::optional<std::string> bytes;
  return bytes;
}

Expected<std::string> read_standard_input(std::size_t limit, attention::WorkWatch* watch) {
  const char* const name = "standard input";
  if (!peeked_input()) return read_all(STDIN_FILENO, name, limit, watch);
  std::string bytes = *std::exchange(peeked_input(), std::nullopt);
  if (bytes.size() > limit) return too_large(name, limit);
  return bytes;
}

}  // namespace

Expected<std::string> read_text_file(const std::string& path, std::size_t limit) {
  return read_bytes(path, limit).and_then([&](const std::string& bytes) {
    return decoded_text(bytes).map_error([&](const Error& error) {
      const std::string name = path == "-" ? "standard input" : in_quotes(path);
      return Error{error.type, name + ": " + error.message};
    });
  });
}

Expected<std::string> peek_standard_input(std::size_t limit) {
  auto bytes = read_standard_input(limit, nullptr);
  if (bytes) peeked_input() = *bytes;
  return bytes;
}

void forget_standard_input() { peeked_input().reset(); }

Expected<std::string> read_bytes(const std::string& path, std::size_t limit,
                                 attention::WorkWatch* watch) {
  if (path == "-") return read_standard_input(limit, watch);
  // A named pipe without a writer is opened all the same; its data is waited for later.
  const Descriptor file = open_descriptor(path, O_RDONLY | O_NOCTTY | O_NONBLOCK);
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) return io_error("read", path);
  if (S_ISDIR(status.st_mode))
    return fail(ErrorType::kBadInput, in_quotes(path) + " is a folder, not a file");
  if (S_ISREG(status.st_mode) && static_cast<std::uintmax_t>(status.st_size) > limit)
    return too_large(path, limit);
  return read_all(file.get(), path, limit, watch);
}

std::optional<std::string> read_beginning(const std::string& path, std::size_t limit) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string start(limit, '\0');
  if (!file) return std::nullopt;
  file.read(start.data(), static_cast<std::streamsize>(limit));
  start.resize(static_cast<std::size_t>(file.gcount()));
  return start;
}

void expect_reading(const std::string& path, attention::WorkWatch* watch) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  const auto known = error ? 0 : std::min<std::uintmax_t>(size, kLargestFile);
  attention::expect_work(watch, 2 * static_cast<attention::Index>(known));
}

Expected<void> write_bytes(const std::string& path, std::string_view bytes) {
  if (path != "-" && path != "/dev/stdout") return write_atomically(path, bytes);
  if (!write_all(STDOUT_FILENO, bytes)) return io_error("write", "standard output");
  return {};
}

}  // namespace lab::files
