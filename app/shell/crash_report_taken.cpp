// What the next start does with a report: names of functions are made readable, which a handler of
// a signal cannot do.

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <sstream>
#include <vector>

#include <cxxabi.h>

#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/journal/journal.h"
#include "app/shell/crash_report.h"

namespace lab::shell {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestReport = std::size_t{1} << 20;
constexpr std::size_t kKeptReports = 10;

std::vector<fs::path> reports_in(const std::string& folder, const char* ending) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const fs::path& path = at->path();
    if (path.filename().string().starts_with("crash-") && path.extension() == ending)
      found.push_back(path);
  }
  std::ranges::sort(found);
  return found;
}

std::string readable_name(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : name;
}

// "/usr/bin/attention-lab(_ZN3lab5thing+0x1f)[0x55…]" with the name as it is in the source; and
// the type of an exception.
std::string readable_line(const std::string& line) {
  constexpr std::string_view kException = "exception: ";
  if (line.starts_with(kException))
    return std::string(kException) + readable_name(line.substr(kException.size()));
  const std::size_t open = line.find("(_Z"), plus = line.find('+', open == line.npos ? 0 : open);
  if (open == line.npos || plus == line.npos) return line;
  return line.substr(0, open + 1) + readable_name(line.substr(open + 1, plus - open - 1)) +
         line.substr(plus);
}

std::string readable_report(const std::string& report) {
  std::istringstream lines(report);
  std::string text;
  for (std::string line; std::getline(lines, line);) text += readable_line(line) + "\n";
  return text;
}

// crash-2026-11-26-014500.txt, by when it was written, and the number of the process where two are
// of one second.
fs::path lasting_path(const fs::path& report) {
  const auto written = files::last_change(report.string()).value_or(0);
  const auto seconds = static_cast<std::time_t>(written / 1'000'000'000);
  std::tm day{};
  ::localtime_r(&seconds, &day);
  char name[64];
  std::strftime(name, sizeof name, "crash-%Y-%m-%d-%H%M%S", &day);
  fs::path path = report.parent_path() / (std::string(name) + ".txt");
  std::error_code error;
  if (!fs::exists(path, error)) return path;
  return report.parent_path() / (name + report.stem().string().substr(5) + ".txt");
}

// The path of the readable report, which replaces the raw one; of the raw one where that fails.
std::string made_readable(const fs::path& report) {
  const auto bytes = files::read_bytes(report.string(), kLongestReport);
  if (!bytes) return {};
  const fs::path path = lasting_path(report);
  if (!files::write_bytes(path.string(), readable_report(*bytes))) return {};
  std::error_code error;
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write, error);
  fs::remove(report, error);
  return path.string();
}

void remove_oldest(const std::string& folder) {
  const std::vector<fs::path> kept = reports_in(folder, ".txt");
  std::error_code error;
  for (std::size_t i = 0; i + kKeptReports < kept.size(); ++i) fs::remove(kept[i], error);
}

}  // namespace

std::string crash_folder() {
  const std::string file = files::user_path("XDG_STATE_HOME", ".local/state", "crash");
  return file.empty() ? file : fs::path(file).parent_path().string();
}

std::string take_crash_report(const std::string& folder) {
  std::string newest;
  for (const fs::path& report : reports_in(folder, ".new"))
    newest = std::max(newest, made_readable(report));
  remove_oldest(folder);
  return newest;
}

}  // namespace lab::shell
