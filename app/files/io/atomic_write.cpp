#include "app/files/io/atomic_write.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "app/files/io/descriptor.h"
#include "app/files/io/temporary_file.h"

namespace lab::files {
namespace {

namespace fs = std::filesystem;

enum class Link { kNone, kRead, kUnreadable };

// The result of following `path`: not a link, or one that leads to `target`.
Link read_link(const fs::path& path, fs::path& target) {
  std::array<char, PATH_MAX> text{};
  const ssize_t size = ::readlink(path.c_str(), text.data(), text.size());
  if (size < 0) return errno == EINVAL || errno == ENOENT ? Link::kNone : Link::kUnreadable;
  const fs::path found(text.data(), text.data() + size);
  target = found.is_absolute() ? found : path.parent_path() / found;
  return Link::kRead;
}

// The target of `path` if it is a symbolic link, even to a file that does not exist yet: the file
// is replaced, not the link. Nothing, with errno set, when a link cannot be read or the links form
// a cycle.
std::optional<fs::path> follow_links(fs::path path) {
  constexpr int kMostLinks = 40;
  for (int i = 0; i < kMostLinks; ++i) {
    const Link link = read_link(path, path);
    if (link == Link::kUnreadable) return std::nullopt;
    if (link == Link::kNone) return path;
  }
  errno = ELOOP;
  return std::nullopt;
}

// Devices and pipes are written in place, because they cannot be replaced.
Expected<void> write_in_place(const std::string& path, std::string_view bytes) {
  Descriptor file = open_descriptor(path, O_WRONLY | O_NOCTTY);
  if (file.get() < 0 || !write_all(file.get(), bytes) || !file.close())
    return io_error("write", path);
  return {};
}

// Only root can change the owner, and other users only to their own groups; otherwise the file
// remains ours.
bool keep_owner(int fd, const struct stat& old) {
  if (::fchown(fd, old.st_uid, old.st_gid) == 0) return true;
  return errno == EPERM && (::fchown(fd, -1, old.st_gid) == 0 || errno == EPERM);
}

// The new file gets the owner and mode of the old one. Changing the owner clears set-user-ID, so
// the mode is set last; a file that remains ours must not get set-user-ID from another owner.
bool keep_owner_and_mode(int fd, const struct stat& old) {
  struct stat now {};
  if (::fstat(fd, &now) != 0) return false;
  const auto same_owner = [&] { return now.st_uid == old.st_uid && now.st_gid == old.st_gid; };
  if (!same_owner() && (!keep_owner(fd, old) || ::fstat(fd, &now) != 0)) return false;
  const mode_t mode = old.st_mode & (same_owner() ? 07777 : 0777);
  return mode == (now.st_mode & 07777) || ::fchmod(fd, mode) == 0;
}

// Some file systems cannot sync; the data is then as safe as they make it.
bool sync(int fd) {
  int done = 0;
  do done = ::fsync(fd);
  while (done != 0 && errno == EINTR);
  return done == 0 || errno == EINVAL;
}

// A network file system reports delayed errors on close, but closing also releases the lock; so a
// duplicate is closed.
bool close_copy(int fd) {
  Descriptor copy(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
  return copy.get() >= 0 && copy.close();
}

// The place of the new file: a name in an open folder.
struct Destination {
  Descriptor folder;
  std::string name;
};

bool fill(const Destination& destination, const TemporaryFile& temporary, const struct stat* old,
          std::string_view bytes) {
  const int fd = temporary.file.get(), folder = destination.folder.get();
  return write_all(fd, bytes) && (!old || keep_owner_and_mode(fd, *old)) && sync(fd) &&
         close_copy(fd) &&
         ::renameat(folder, temporary.name.c_str(), folder, destination.name.c_str()) == 0;
}

Expected<void> replace_file(const fs::path& target, const struct stat* old,
                            std::string_view bytes) {
  const fs::path path = target.has_parent_path() ? target.parent_path() : fs::path(".");
  const Destination destination{open_descriptor(path, O_RDONLY | O_DIRECTORY), target.filename()};
  const int folder = destination.folder.get();
  if (folder < 0) return io_error("write", target);
  sweep_temporaries(folder);
  // The replacement of a private file is never readable by others.
  const TemporaryFile temporary = make_temporary(folder, old ? 0600 : 0666);
  if (temporary.file.get() < 0) return io_error("write", target);
  if (!fill(destination, temporary, old, bytes)) {
    remove_temporary(folder, temporary.name);
    return io_error("write", target);
  }
  if (!sync(folder)) return io_error("make sure that the disk has", target);
  return {};
}

}  // namespace

Expected<void> write_atomically(const std::string& path, std::string_view bytes) {
  const std::optional<fs::path> target = follow_links(path);
  if (!target) return io_error("write", path);
  struct stat old {};
  const bool exists = ::stat(target->c_str(), &old) == 0;
  if (!exists && errno != ENOENT) return io_error("write", path);
  if (exists && S_ISDIR(old.st_mode)) {
    errno = EISDIR;
    return io_error("write", path);
  }
  if (exists && !S_ISREG(old.st_mode)) return write_in_place(path, bytes);
  // The permissions of the folder alone would allow replacing a write-protected file.
  if (exists && ::faccessat(AT_FDCWD, target->c_str(), W_OK, AT_EACCESS) != 0)
    return io_error("write", path);
  return replace_file(*target, exists ? &old : nullptr, bytes);
}

}  // namespace lab::files
