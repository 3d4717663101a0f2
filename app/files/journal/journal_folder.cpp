#include "app/files/journal/journal_folder.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>
#include <tuple>
#include <utility>

#include "app/files/io/paths.h"
#include "app/files/journal/journal.h"

namespace lab::files {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOwnFolder = 0700, kOwnFile = 0600;

// Every part of the path that is not there; the last one is for this user alone.
bool make_own_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(fs::path(folder).parent_path(), error);
  return ::mkdir(folder.c_str(), kOwnFolder) == 0 || errno == EEXIST;
}

bool same_file(int fd, const std::string& path) {
  struct stat opened {
  }, named{};
  return ::fstat(fd, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

bool is_there(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

bool is_empty(const std::string& path) {
  std::error_code error;
  return fs::file_size(path, error) == 0 && !error;
}

bool holds_something(const std::string& path) { return is_there(path) && !is_empty(path); }

// The names that have a file in the folder, in their order.
std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const fs::path& path = at->path();
    if (path.extension() == ".lock" || path.extension() == ".journal" ||
        path.extension() == ".answers")
      names.insert(path.stem().string());
  }
  return names;
}

}  // namespace

std::string journal_folder() { return user_path("XDG_STATE_HOME", ".local/state", "journal"); }

// A lock is only removed by its holder, so that one which is held and still there is nobody else's.
Descriptor JournalLocation::lock(const std::string& path) {
  for (;;) {
    Descriptor file = open_descriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW, kOwnFile);
    if (file.get() < 0) return file;
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return Descriptor();
    if (same_file(file.get(), path)) return file;
  }
}

Expected<JournalLocation> JournalLocation::take_new(const std::string& folder) {
  if (!make_own_folder(folder)) return io_error("make", folder);
  for (int number = 0;; ++number) {
    const std::string name = "window-" + std::to_string(::getpid()) + "-" + std::to_string(number);
    const std::string stem = (fs::path(folder) / name).string();
    JournalLocation location(stem, lock(stem + ".lock"));
    const bool held = location.lock_.get() >= 0;
    if (!held && errno != EWOULDBLOCK) return io_error("lock", location.lock_path());
    // What lies there is of a window before, whose process had the same number.
    if (held && !is_there(location.journal()) && !is_there(location.answers())) return location;
  }
}

std::unique_ptr<JournalLocation> JournalLocation::take_left(const std::string& folder,
                                                            const std::string& name) {
  const std::string stem = (fs::path(folder) / name).string();
  JournalLocation location(stem, lock(stem + ".lock"));
  if (location.lock_.get() < 0) return nullptr;
  return std::make_unique<JournalLocation>(std::move(location));
}

bool JournalLocation::holds() const { return same_file(lock_.get(), lock_path()); }

void JournalLocation::give_back_if_empty() {
  if (is_there(journal()) || is_there(answers())) return;
  if (holds()) ::unlink(lock_path().c_str());
  lock_ = Descriptor();
}

Expected<void> JournalLocation::remove(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return io_error("remove", path);
  give_back_if_empty();
  return {};
}

Expected<void> JournalLocation::remove() {
  auto journal_removed = remove_journal();
  auto answers_removed = remove_answers();
  return journal_removed ? answers_removed : journal_removed;
}

std::string JournalLocation::move_away(const std::string& path) {
  std::string to = path + ".damaged";
  for (int number = 2; is_there(to); ++number) to = path + ".damaged-" + std::to_string(number);
  if (::rename(path.c_str(), to.c_str()) != 0) return path;
  give_back_if_empty();
  return to;
}

std::vector<std::unique_ptr<JournalLocation>> left_journals(const std::string& folder) {
  std::vector<std::unique_ptr<JournalLocation>> left;
  for (const std::string& name : names_in(folder)) {
    auto location = JournalLocation::take_left(folder, name);
    if (!location) continue;
    if (holds_something(location->journal()) || holds_something(location->answers())) {
      left.push_back(std::move(location));
    } else {
      (void)location->remove();
    }
  }
  std::ranges::stable_sort(left, std::greater(), [](const auto& location) {
    return std::max(last_change(location->journal()).value_or(0),
                    last_change(location->answers()).value_or(0));
  });
  return left;
}

}  // namespace lab::files
