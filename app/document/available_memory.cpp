#include "app/document/available_memory.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

#include "app/base/machine_numbers.h"
#include "app/base/system.h"

namespace lab {
namespace {

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

// The number after `name` in a file of lines "name number"; nothing when there is none.
std::optional<std::int64_t> number_after(const std::string& path, std::string_view name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    std::int64_t number = 0;
    if (words >> word >> number && word == name) return number;
  }
  return std::nullopt;
}

// The number that a file begins with; nothing when it has none, such as "max".
std::optional<std::int64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::int64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

// What differs between the two versions of control groups.
struct GroupFiles {
  const char *limit, *used, *file_pages[2];
};
constexpr GroupFiles kVersion1{"/memory.limit_in_bytes",
                               "/memory.usage_in_bytes",
                               {"total_inactive_file", "total_active_file"}};
constexpr GroupFiles kVersion2{"/memory.max", "/memory.current", {"inactive_file", "active_file"}};

// Pages of files are given back when memory is needed, so they count as free.
std::int64_t left_in_group(const std::string& folder, const GroupFiles& files) {
  const auto limit = number_in(folder + files.limit), used = number_in(folder + files.used);
  if (!limit || !used) return kNoLimit;
  std::int64_t pages = 0;
  for (const char* name : files.file_pages)
    pages += number_after(folder + "/memory.stat", name).value_or(0);
  return std::max<std::int64_t>(0, *limit - std::max<std::int64_t>(0, *used - pages));
}

// The least of a group and all groups around it, up to `top`. In a container the path may be that
// outside of it; the groups that are not there limit nothing.
std::int64_t left_in_groups(const std::string& top, std::string path, const GroupFiles& files) {
  std::int64_t left = left_in_group(top, files);
  while (path.size() > 1) {
    left = std::min(left, left_in_group(top + path, files));
    path.resize(path.rfind('/'));
  }
  return left;
}

std::int64_t left_in_groups(const std::string& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  std::int64_t left = kNoLimit;
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos || line[second + 1] != '/') continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1), top = root + "/sys/fs/cgroup";
    if (controllers == ",,") left = std::min(left, left_in_groups(top, path, kVersion2));
    if (controllers.find(",memory,") != controllers.npos)
      left = std::min(left, left_in_groups(top + "/memory", path, kVersion1));
  }
  return left;
}

std::int64_t left_in_address_space(const std::string& root) {
  const auto limit = address_space_limit();
  if (!limit) return kNoLimit;
  const std::int64_t used = 1024 * number_after(root + "/proc/self/status", "VmSize:").value_or(0);
  return std::max<std::int64_t>(0, *limit - used);
}

std::optional<std::int64_t> memory_given() {
  const char* const given = std::getenv("ATTENTION_LAB_MEMORY");
  std::string_view text = given != nullptr ? given : "";
  if (text.empty()) return std::nullopt;
  const std::size_t unit = std::string_view("KMG").find(text.back());
  std::int64_t factor = 1;
  if (unit != std::string_view::npos) {
    factor <<= 10 * (unit + 1);
    text.remove_suffix(1);
  }
  const auto number = parse_number<std::int64_t>(text);
  if (!number || *number < 0 || *number > kNoLimit / factor) return std::nullopt;
  return *number * factor;
}

}  // namespace

std::string bytes_text(std::int64_t bytes) {
  const bool giga = bytes >= 1'000'000'000;
  const double number = static_cast<double>(bytes) / (giga ? 1e9 : 1e6);
  char text[32];
  std::snprintf(text, sizeof text, number < 10 ? "%.1f %s" : "%.0f %s", number, giga ? "GB" : "MB");
  return text;
}

std::int64_t available_memory(const std::string& root) {
  if (const auto given = memory_given()) return *given;
  const auto machine = number_after(root + "/proc/meminfo", "MemAvailable:");
  return std::min(
      {machine ? 1024 * *machine : kNoLimit, left_in_groups(root), left_in_address_space(root)});
}

Expected<void> check_memory(std::int64_t bytes, const std::string& what,
                            const std::string& advice) {
  const std::int64_t available = available_memory();
  if (bytes <= available) return {};
  return fail(ErrorType::kBadInput, what + " needs " + bytes_text(bytes) + " of memory, but " +
                                        bytes_text(available) + " are available; " + advice);
}

}  // namespace lab
