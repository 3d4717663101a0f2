#pragma once

#include <fcntl.h>
#include <sys/types.h>

#include <string>
#include <string_view>
#include <utility>

#include "app/base/error.h"

namespace lab::files {

/// Owns a descriptor of the operating system and closes it at the end; −1 is none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  /// The descriptor itself, −1 when there is none.
  int get() const { return fd_; }
  /// The descriptor, which is then another's to close.
  int release() { return std::exchange(fd_, -1); }
  /// Closes now. False and errno when the file system tells of an error that it kept back.
  bool close();

 private:
  int fd_ = -1;
};

/// Opens `path`, which starts at the folder that is open as `folder`, past signals that interrupt;
/// closed in programs that are started. None and errno on failure.
Descriptor open_descriptor(const std::string& path, int flags, mode_t mode = 0,
                           int folder = AT_FDCWD);

/// Writes all of `bytes`, past signals that interrupt. False and errno when it cannot.
bool write_all(int fd, std::string_view bytes);

/// kIo: "cannot WHAT "PATH": " and what errno says.
tl::unexpected<Error> io_error(const char* what, const std::string& path);

}  // namespace lab::files
