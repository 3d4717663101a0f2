#include "app/view/maps/values_cache.h"

#include <cmath>

#include "core/analysis/non_finite.h"

namespace lab::view {
namespace {

NonFinite found_in(const attention::Matrix& matrix) {
  NonFinite found;
  if (attention::all_finite(matrix)) return found;
  for (const float value : matrix.reshaped()) {
    if (std::isfinite(value)) continue;
    (std::isnan(value) ? found.nan : value > 0 ? found.above : found.below) = true;
  }
  return found;
}

}  // namespace

ValuesCache::~ValuesCache() {
  for (auto& [version, entry] : entries_) {
    if (entry.texture != 0) sink_.destroy(entry.texture);
  }
}

ValuesCache::Entry& ValuesCache::entry(const attention::SharedMatrix& matrix) {
  Entry& found = entries_[matrix.version()];
  found.last_used = frame_;
  return found;
}

TextureId ValuesCache::texture(const attention::SharedMatrix& matrix) {
  Entry& found = entry(matrix);
  if (found.texture == 0) found.texture = sink_.create_values(*matrix);
  return found.texture;
}

figure::Range ValuesCache::range(const attention::SharedMatrix& matrix, attention::Stage stage) {
  Entry& found = entry(matrix);
  if (!found.range) found.range = figure::automatic_range(stage, *matrix);
  return *found.range;
}

figure::Range ValuesCache::robust_range(const attention::SharedMatrix& matrix,
                                        attention::Stage stage) {
  Entry& found = entry(matrix);
  if (!found.robust) found.robust = figure::robust_range(stage, *matrix);
  return *found.robust;
}

const NonFinite& ValuesCache::non_finite(const attention::SharedMatrix& matrix) {
  Entry& found = entry(matrix);
  if (!found.non_finite) found.non_finite = found_in(*matrix);
  return *found.non_finite;
}

void ValuesCache::keep(const attention::SharedMatrix& matrix) {
  const auto found = entries_.find(matrix.version());
  if (found != entries_.end()) found->second.last_used = frame_;
}

void ValuesCache::end_frame() {
  std::erase_if(entries_, [this](auto& item) {
    const bool stale = item.second.last_used < frame_;
    if (stale && item.second.texture != 0) sink_.destroy(item.second.texture);
    return stale;
  });
  ++frame_;
}

}  // namespace lab::view
