#include "app/connection/listening_socket.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "app/base/bad_input.h"

namespace lab::connection {
namespace {

constexpr mode_t kUserAlone = 0700, kFileOfUser = 0600;

bool is_private(const struct stat& folder) {
  return S_ISDIR(folder.st_mode) && folder.st_uid == ::geteuid() && (folder.st_mode & 077) == 0;
}

// Without it, another user could listen there, or read what is sent.
Expected<void> check_folder(const std::string& folder) {
  struct stat found {};
  if (::lstat(folder.c_str(), &found) != 0) return files::io_error("open", folder);
  if (is_private(found)) return {};
  return fail(ErrorType::kIo, "the folder " + in_quotes(folder) +
                                  " must belong to you and be closed to others (chmod 700), so "
                                  "that nobody else reaches the window's socket");
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

Expected<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path))
    return fail(ErrorType::kIo, "the path of the socket, " + in_quotes(path) + ", is too long");
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

files::Descriptor new_socket(int flags) {
  return files::Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
}

const sockaddr* as_sockaddr(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);  // NOLINT(*-reinterpret-cast): POSIX's way
}

bool somebody_listens(const sockaddr_un& address) {
  const files::Descriptor probe = new_socket(SOCK_NONBLOCK);
  return ::connect(probe.get(), as_sockaddr(address), sizeof(address)) == 0 || errno == EAGAIN;
}

tl::unexpected<Error> taken() { return fail(ErrorType::kFailed, "another window listens already"); }

Expected<files::Descriptor> bound_socket(const std::string& path, const sockaddr_un& address) {
  constexpr int kWaiting = 16;
  if (somebody_listens(address)) return taken();
  ::unlink(path.c_str());
  files::Descriptor socket = new_socket(SOCK_NONBLOCK);
  if (socket.get() < 0 || ::bind(socket.get(), as_sockaddr(address), sizeof(address)) != 0 ||
      ::chmod(path.c_str(), kFileOfUser) != 0 || ::listen(socket.get(), kWaiting) != 0)
    return files::io_error("listen at", path);
  return socket;
}

}  // namespace

std::string socket_path() {
  if (const char* path = std::getenv("ATTENTION_LAB_SOCKET")) return path;
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const std::string folder = runtime && *runtime == '/'
                                 ? std::string(runtime) + "/attention-lab"
                                 : "/tmp/attention-lab-" + std::to_string(::geteuid());
  return folder + "/window.socket";
}

ListeningSocket::ListeningSocket(std::string path, files::Descriptor lock, files::Descriptor socket)
    : path_(std::move(path)), lock_(std::move(lock)), socket_(std::move(socket)) {}

Expected<ListeningSocket> ListeningSocket::listen(const std::string& path) {
  const auto address = address_of(path);
  if (!address) return tl::make_unexpected(address.error());
  const std::string folder = folder_of(path);
  ::mkdir(folder.c_str(), kUserAlone);
  if (auto safe = check_folder(folder); !safe) return tl::make_unexpected(safe.error());
  files::Descriptor lock = files::open_descriptor(path + ".lock", O_RDWR | O_CREAT, kFileOfUser);
  if (lock.get() < 0) return files::io_error("open", path + ".lock");
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return taken();
  auto socket = bound_socket(path, *address);
  if (!socket) return tl::make_unexpected(socket.error());
  return ListeningSocket(path, std::move(lock), std::move(*socket));
}

ListeningSocket::~ListeningSocket() {
  if (socket_.get() >= 0) ::unlink(path_.c_str());
}

Expected<files::Descriptor> connect_to(const std::string& path) {
  const auto address = address_of(path);
  if (!address) return tl::make_unexpected(address.error());
  if (auto safe = check_folder(folder_of(path)); !safe) return tl::make_unexpected(safe.error());
  files::Descriptor socket = new_socket(0);
  if (::connect(socket.get(), as_sockaddr(*address), sizeof(*address)) != 0)
    return files::io_error("connect to", path);
  if (user_of_peer(socket.get()) != ::geteuid())
    return fail(ErrorType::kIo, "the window at " + in_quotes(path) + " belongs to another user");
  return socket;
}

uid_t user_of_peer(int fd) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  const bool known = ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
  return known ? peer.uid : static_cast<uid_t>(-1);
}

}  // namespace lab::connection
