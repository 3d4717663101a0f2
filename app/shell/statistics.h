#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lab::shell {

/// Milliseconds since this process started, to 10 ms; 0 when the system does not provide it.
double milliseconds_since_start();

/// The time measurements of a run of the window, for --stats.
class Statistics {
 public:
  /// Records a frame that was built (everything except rasterising) in that time.
  void add_frame(double build_ms);
  /// Records an evaluation that took that time.
  void add_recompute(double milliseconds) { recompute_ms_.push_back(milliseconds); }
  /// One JSON object: first_frame_ms, frames, build_ms_median, build_ms_p95, uploads,
  /// recompute_ms_median, rss_mb.
  std::string json(std::uint64_t uploads) const;

 private:
  double first_frame_ms_ = 0;
  std::vector<double> build_ms_, recompute_ms_;
};

}  // namespace lab::shell
