#include "app/files/io/temporary_file.h"

#include <dirent.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <memory>
#include <optional>
#include <string_view>

#include "app/base/machine_numbers.h"

namespace lab::files {
namespace {

constexpr std::string_view kBefore = ".attention-lab-", kAfter = ".tmp";

std::string temporary_name(pid_t writer, int number) {
  return std::string(kBefore) + std::to_string(writer) + "-" + std::to_string(number) +
         std::string(kAfter);
}

// The process that created a temporary file of that name; nothing when it is not one of ours.
std::optional<pid_t> writer_of(std::string_view name) {
  if (!name.starts_with(kBefore) || !name.ends_with(kAfter)) return std::nullopt;
  std::string_view rest = name.substr(kBefore.size());
  const auto writer = take_number<pid_t>(rest);
  if (!rest.starts_with('-')) return std::nullopt;
  rest.remove_prefix(1);
  const auto number = take_number<int>(rest);
  // It must be spelt exactly as we would write it.
  const bool ours = writer && number && *writer > 0 && temporary_name(*writer, *number) == name;
  return ours ? writer : std::nullopt;
}

// Locks distinguish the writers of one process, and those of several machines or containers, whose
// process numbers are unrelated; where there are no locks, process numbers have to do.
bool may_run(pid_t process) {
  return process != ::getpid() && (::kill(process, 0) == 0 || errno != ESRCH);
}

// A regular file of this user that nobody is writing. The result holds the lock that proves this.
Descriptor abandoned(int folder, const std::string& name) {
  struct stat status {};
  if (::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return Descriptor();
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid()) return Descriptor();
  Descriptor file = open_descriptor(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0, folder);
  if (file.get() < 0 || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return Descriptor();
  return file;
}

void sweep(int folder, const std::string& name) {
  const std::optional<pid_t> writer = writer_of(name);
  if (!writer || may_run(*writer)) return;
  const Descriptor file = abandoned(folder, name);
  if (file.get() >= 0) ::unlinkat(folder, name.c_str(), 0);
}

// Locks a file that was just created; a file system may not support locks. Before it is locked,
// another writer may have removed it, or be about to.
enum class Making { kDone, kSwept, kFailed };

Making lock(const Descriptor& file) {
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return Making::kSwept;
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return Making::kFailed;
  return status.st_nlink > 0 ? Making::kDone : Making::kSwept;
}

}  // namespace

TemporaryFile make_temporary(int folder, mode_t mode) {
  constexpr int kMostTries = 1000;
  for (int i = 0; i < kMostTries; ++i) {
    TemporaryFile made{temporary_name(::getpid(), i), Descriptor()};
    made.file = open_descriptor(made.name, O_WRONLY | O_CREAT | O_EXCL, mode, folder);
    if (made.file.get() < 0 && errno == EEXIST) continue;
    if (made.file.get() < 0) return made;
    const Making making = lock(made.file);
    if (making == Making::kDone) return made;
    if (making == Making::kSwept) continue;
    remove_temporary(folder, made.name);
    return {};
  }
  errno = EEXIST;
  return {};
}

void remove_temporary(int folder, const std::string& name) {
  const int error = errno;
  ::unlinkat(folder, name.c_str(), 0);
  errno = error;
}

void sweep_temporaries(int folder) {
  Descriptor opened = open_descriptor(".", O_RDONLY | O_DIRECTORY, 0, folder);
  const auto close = [](DIR* entries) { ::closedir(entries); };
  const std::unique_ptr<DIR, decltype(close)> entries(::fdopendir(opened.get()));
  if (!entries) return;
  (void)opened.release();  // closed with the entries
  while (const dirent* entry = ::readdir(entries.get())) sweep(folder, entry->d_name);
}

}  // namespace lab::files
