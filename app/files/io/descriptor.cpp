#include "app/files/io/descriptor.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "app/base/bad_input.h"

namespace lab::files {

Descriptor::Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

// Linux closes it even when interrupted.
bool Descriptor::close() { return ::close(release()) == 0 || errno == EINTR; }

Descriptor open_descriptor(const std::string& path, int flags, mode_t mode, int folder) {
  int fd = -1;
  do fd = ::openat(folder, path.c_str(), flags | O_CLOEXEC, mode);
  while (fd < 0 && errno == EINTR);
  return Descriptor(fd);
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

tl::unexpected<Error> io_error(const char* what, const std::string& path) {
  const int code = errno;
  return fail(ErrorType::kIo, std::string("cannot ") + what + " " + in_quotes(path) + ": " +
                                  std::generic_category().message(code));
}

}  // namespace lab::files
