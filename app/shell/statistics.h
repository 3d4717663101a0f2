#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lab::shell {

/// Milliseconds since this process was started, to 10 ms; 0 where the system does not tell.
double milliseconds_since_start();

/// What a run of the window took, for --stats.
class Statistics {
 public:
  /// One frame was built (all but the rasteriser) in that time.
  void add_frame(double build_ms);
  /// One evaluation took that time.
  void add_recompute(double milliseconds) { recompute_ms_.push_back(milliseconds); }
  /// One JSON object: first_frame_ms, frames, build_ms_median, build_ms_p95, uploads,
  /// recompute_ms_median, rss_mb.
  std::string json(std::uint64_t uploads) const;

 private:
  double first_frame_ms_ = 0;
  std::vector<double> build_ms_, recompute_ms_;
};

}  // namespace lab::shell
