#include "app/shell/statistics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/base/machine_numbers.h"

namespace lab::shell {
namespace {

// The value below which `share` of `values` lie; 0 when there are none.
double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto rank =
      static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)));
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(rank));
  return values[rank];
}

// The peak resident memory in MiB.
double largest_resident_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

double milliseconds_since_start() {
  std::ifstream file("/proc/self/stat");
  std::stringstream text;
  text << file.rdbuf();
  // The name of the program is in brackets and may contain spaces; the start time, in clock ticks
  // since boot, is the 20th field after it.
  const std::string stat = text.str();
  const auto name_end = stat.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(stat.substr(name_end + 1));
  std::string field;
  for (int i = 0; i < 20; ++i) fields >> field;
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  const double started =
      parse_number<double>(field).value_or(0) * 1000 / static_cast<double>(sysconf(_SC_CLK_TCK));
  return static_cast<double>(now.tv_sec) * 1000 + static_cast<double>(now.tv_nsec) / 1e6 - started;
}

void Statistics::add_frame(double build_ms) {
  if (build_ms_.empty()) first_frame_ms_ = milliseconds_since_start();
  build_ms_.push_back(build_ms);
}

std::string Statistics::json(std::uint64_t uploads) const {
  const nlohmann::ordered_json all{
      {"first_frame_ms", first_frame_ms_},
      {"frames", build_ms_.size()},
      {"build_ms_median", quantile(build_ms_, 0.5)},
      {"build_ms_p95", quantile(build_ms_, 0.95)},
      {"uploads", uploads},
      {"recompute_ms_median", quantile(recompute_ms_, 0.5)},
      {"rss_mb", largest_resident_mb()},
  };
  return all.dump(1) + "\n";
}

}  // namespace lab::shell
