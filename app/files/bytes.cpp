#include "app/files/bytes.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "app/files/reading.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

// Closes the descriptor that it owns.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  // Closes now, so that an error that a network file system kept back is seen.
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

tl::unexpected<Error> io_error(const char* what, const std::string& path) {
  const int code = errno;
  return fail(ErrorKind::kIo, std::string("cannot ") + what + " " + in_quotes(path) + ": " +
                                  std::generic_category().message(code));
}

tl::unexpected<Error> too_large(const std::string& path, std::size_t limit) {
  return fail(ErrorKind::kBadInput, in_quotes(path) + " is too large: at most " +
                                        std::to_string(limit) + " bytes are read");
}

// Opens without waiting for a signal handler to interrupt; -1 and errno on failure.
int open_file(const std::string& path, int flags, mode_t mode = 0) {
  int fd = -1;
  do fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  while (fd < 0 && errno == EINTR);
  return fd;
}

// Until there is something to read, or the end or an error to be seen. What comes through a pipe
// may be long in coming: meanwhile the watch is asked.
void wait_for_bytes(int fd, attention::WorkWatch* watch) {
  constexpr int kMilliseconds = 50;
  pollfd ready{fd, POLLIN, 0};
  for (;;) {
    const int count = ::poll(&ready, 1, kMilliseconds);
    // A signal says nothing of bytes: a pipe that nobody has opened yet would look as if it had
    // ended.
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

// False and errno when not everything could be written.
bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// Devices and pipes are written in place: there is nothing to replace.
Expected<void> write_in_place(const std::string& path, std::string_view bytes) {
  Descriptor file(open_file(path, O_WRONLY | O_NOCTTY));
  if (file.get() < 0 || !write_all(file.get(), bytes) || !file.close())
    return io_error("write", path);
  return {};
}

// Where `path` leads when it is a symbolic link, even to a file that is not there yet: the file is
// replaced, not the link. Nothing when the links go round in circles.
std::optional<fs::path> follow_links(fs::path path) {
  std::error_code error;
  for (int i = 0; i < 40; ++i) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) return path;
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  return std::nullopt;
}

// A new file with the permissions that the umask leaves, in the folder of `target`.
struct Temporary {
  std::string path;
  Descriptor file;
};

Temporary make_temporary(const fs::path& target) {
  const fs::path folder = target.parent_path();
  for (int i = 0;; ++i) {
    const std::string name =
        ".attention-lab-" + std::to_string(::getpid()) + "-" + std::to_string(i) + ".tmp";
    std::string path = (folder / name).string();
    const int fd = open_file(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (fd >= 0 || errno != EEXIST || i == 1000) return {std::move(path), Descriptor(fd)};
  }
}

// The new file is like the one it replaces. Only root can give a file away; else it stays ours.
bool keep_owner_and_mode(int fd, const struct stat& old) {
  if (::fchown(fd, old.st_uid, old.st_gid) != 0 && errno != EPERM) return false;
  return ::fchmod(fd, old.st_mode & 07777) == 0;
}

// Some file systems cannot sync; the data is then as safe as they make it.
bool sync(int fd) { return ::fsync(fd) == 0 || errno == EINVAL; }

void sync_folder(const fs::path& target) {
  const fs::path folder = target.parent_path();
  const Descriptor opened(
      open_file(folder.empty() ? "." : folder.string(), O_RDONLY | O_DIRECTORY));
  if (opened.get() >= 0) sync(opened.get());
}

Expected<void> replace_file(const fs::path& target, const struct stat* old,
                            std::string_view bytes) {
  Temporary temporary = make_temporary(target);
  const int fd = temporary.file.get();
  if (fd < 0) return io_error("write", target.string());
  const bool written = write_all(fd, bytes) && (!old || keep_owner_and_mode(fd, *old)) &&
                       sync(fd) && temporary.file.close() &&
                       std::rename(temporary.path.c_str(), target.c_str()) == 0;
  if (!written) {
    const auto error = io_error("write", target.string());
    ::unlink(temporary.path.c_str());
    return error;
  }
  sync_folder(target);
  return {};
}

}  // namespace

Expected<std::string> read_bytes(const std::string& path, std::size_t limit,
                                 attention::WorkWatch* watch) {
  if (path == "-") return read_all(STDIN_FILENO, "standard input", limit, watch);
  // A named pipe that nobody writes to is opened all the same: it is waited for later.
  const Descriptor file(open_file(path, O_RDONLY | O_NOCTTY | O_NONBLOCK));
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) return io_error("read", path);
  if (S_ISDIR(status.st_mode))
    return fail(ErrorKind::kBadInput, in_quotes(path) + " is a folder, not a file");
  if (S_ISREG(status.st_mode) && static_cast<std::uintmax_t>(status.st_size) > limit)
    return too_large(path, limit);
  return read_all(file.get(), path, limit, watch);
}

Expected<void> write_bytes(const std::string& path, std::string_view bytes) {
  if (path == "-" || path == "/dev/stdout") {
    if (!write_all(STDOUT_FILENO, bytes)) return io_error("write", "standard output");
    return {};
  }
  const std::optional<fs::path> target = follow_links(path);
  if (!target) {
    errno = ELOOP;
    return io_error("write", path);
  }
  struct stat old {};
  const bool exists = ::stat(target->c_str(), &old) == 0;
  if (!exists && errno != ENOENT) return io_error("write", path);
  if (exists && S_ISDIR(old.st_mode)) {
    errno = EISDIR;
    return io_error("write", path);
  }
  if (exists && !S_ISREG(old.st_mode)) return write_in_place(path, bytes);
  // The folder alone would let a write-protected file be replaced.
  if (exists && ::faccessat(AT_FDCWD, target->c_str(), W_OK, AT_EACCESS) != 0)
    return io_error("write", path);
  return replace_file(*target, exists ? &old : nullptr, bytes);
}

}  // namespace lab
