#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "app/figure/compose/range.h"
#include "app/view/toolkit/texture_sink.h"
#include "core/shared_matrix.h"

namespace lab::view {

/// Which kinds of numbers that have no colour a matrix contains.
struct NonFinite {
  bool nan = false, above = false, below = false;  ///< NaN, ∞, −∞
};

/// Matrices on the graphics card. A matrix is uploaded once, when it is first shown; its version,
/// which is unique, is the key, so that the cache need not hold the matrix itself. What was not
/// shown for a frame is released.
class ValuesCache {
 public:
  /// Textures go to `sink`, which must outlive the cache.
  explicit ValuesCache(TextureSink& sink) : sink_(sink) {}
  ~ValuesCache();
  /// Can be neither copied nor moved: it owns the textures.
  ValuesCache(const ValuesCache&) = delete;
  ValuesCache& operator=(const ValuesCache&) = delete;

  /// The texture of `matrix`, which must not be empty.
  TextureId texture(const attention::SharedMatrix& matrix);
  /// The automatic range of `matrix` as values of `stage` (see automatic_range), cached.
  figure::Range range(const attention::SharedMatrix& matrix, attention::Stage stage);
  /// Its robust range (see robust_range), cached.
  figure::Range robust_range(const attention::SharedMatrix& matrix, attention::Stage stage);
  /// The kinds of non-finite numbers in `matrix`, cached.
  const NonFinite& non_finite(const attention::SharedMatrix& matrix);
  /// Keeps the cached data of `matrix`, which is not shown in this frame but may be in the next.
  void keep(const attention::SharedMatrix& matrix);
  /// Ends a frame: releases what was not used in it.
  void end_frame();

 private:
  struct Entry {
    TextureId texture = 0;
    std::optional<figure::Range> range, robust;
    std::optional<NonFinite> non_finite;
    std::uint64_t last_used = 0;
  };
  Entry& entry(const attention::SharedMatrix& matrix);

  TextureSink& sink_;
  std::unordered_map<std::uint64_t, Entry> entries_;
  std::uint64_t frame_ = 0;
};

}  // namespace lab::view
