#pragma once

#include "core/matrix.h"

namespace attention {

/// Which keys a query may look at, by rule. A mask given cell by cell is Problem::allowed.
enum class MaskKind {
  kNone,    ///< every query looks at every key
  kCausal,  ///< query i looks at keys 0 … i
};

/// The sizes and switches of one multi-head attention layer.
struct Config {
  int d_model = 8;           ///< features of an embedding
  int n_heads = 1;           ///< heads
  int d_k = 8;               ///< features of a query or key, per head; free of d_model / n_heads
  int d_v = 8;               ///< features of a value, per head
  int d_out = 8;             ///< features of the output; d_model unless a file says otherwise
  bool scale = true;         ///< divide the scores by √d_k
  float temperature = 1.0f;  ///< divides the scaled scores; > 0
  MaskKind mask = MaskKind::kNone;

  bool operator==(const Config&) const = default;
};

/// The largest sizes that are accepted; each is checked before memory is taken.
struct Limits {
  static constexpr int kSeqLen = 2048;
  static constexpr int kDModel = 4096;
  static constexpr int kHeads = 64;
  static constexpr int kHeadSize = 1024;                ///< d_k and d_v
  static constexpr Index kScores = Index{1} << 26;      ///< n_heads · seq_len · kv_len
  static constexpr Index kParameters = Index{1} << 26;  ///< numbers in all weights together
};

/// The factor that turns a score into a scaled score: 1 / (√d_k · temperature), the root only
/// with `config.scale`.
float score_factor(const Config& config);

/// Throws std::invalid_argument naming the size, its value and its limits when `config` is not
/// one that can be computed: sizes below 1 or beyond Limits, temperature not a positive number,
/// or more parameters than Limits::kParameters.
void validate(const Config& config);

}  // namespace attention
