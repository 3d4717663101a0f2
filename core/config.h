#pragma once

#include <cstdint>
#include <string>

#include "core/matrix.h"

namespace attention {

/// Which keys a query may look at, by rule; all rules that are on hold together. A mask given
/// cell by cell is Problem::allowed.
struct MaskRules {
  bool causal = false;  ///< query i looks at keys 0 … i
  int key_count = 0;    ///< padding: only keys 0 … key_count − 1 exist; 0: all do
  int window = 0;       ///< sliding window: |i − j| < window; 0: any distance

  bool operator==(const MaskRules&) const = default;
  /// True when any rule is on.
  bool any() const { return *this != MaskRules{}; }
};

/// How the layer learns where a token stands.
enum class Positions {
  kNone,        ///< not at all
  kSinusoidal,  ///< sines and cosines are added to the embedding (Vaswani et al. 2017, 3.5)
  kLearned,     ///< rows of Problem::position_table are added to the embedding
  kRotary,      ///< Q and K are rotated by an angle for each position (RoPE; Su et al. 2021)
  kAlibi,       ///< a penalty for distance is added to the scores (ALiBi; Press et al. 2021)
};

/// Which features of Q and K a rotary position turns together.
enum class RotaryPairs {
  kAdjacent,  ///< 2i and 2i + 1, as in the paper
  kHalves,    ///< i and i + d_k / 2, as in Llama
};

/// Two ways to speak of the heads' weights; the numbers are the same.
enum class HeadBuild {
  kSeparate,  ///< each head has matrices of its own, of any d_k and d_v
  kSplit,     ///< each head has its columns of one [d_model × d_model] matrix: n_heads · d_k and
              ///< n_heads · d_v are d_model
};

/// The sizes and switches of one multi-head attention layer.
struct Config {
  int d_model = 8;     ///< features of an embedding
  int n_heads = 1;     ///< query heads
  int n_kv_heads = 0;  ///< key and value heads, a divisor of n_heads: each serves as many heads in
                       ///< a row (grouped queries; 1: multi-query); 0: one for each head
  int d_k = 8;         ///< features of a query or key, per head; free of d_model / n_heads
  int d_v = 8;         ///< features of a value, per head
  int d_out = 8;       ///< features of the output; d_model unless a file says otherwise
  HeadBuild head_build = HeadBuild::kSeparate;

  bool scale = true;         ///< divide the scores by √d_k
  float temperature = 1.0f;  ///< divides the scaled scores; > 0
  bool biases = true;        ///< add those of b_Q, b_K, b_V and b_O that are there
  MaskRules mask;

  Positions positions = Positions::kNone;
  float rotary_base = 10000.0f;  ///< pair i of d_k / 2 turns by position · base^(−2i / d_k); ≥ 1
  RotaryPairs rotary_pairs = RotaryPairs::kAdjacent;

  float dropout_rate = 0.0f;  ///< share of the weights that is dropped, 0 ≤ rate < 1; 0: none
  std::uint64_t dropout_seed = 0;  ///< which ones

  bool residual = false;             ///< add X to the output; d_out is d_model then
  bool layer_norm = false;           ///< normalise each row after that
  float layer_norm_epsilon = 1e-5f;  ///< added to the variance; > 0

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
  static constexpr Index kNumbers = Index{1} << 29;     ///< numbers in all stages together: 2 GiB
};

/// Number of key and value heads: n_kv_heads, or n_heads when that is 0.
int kv_head_count(const Config& config);
/// The key and value head that serves query head `head`; both from 0. Throws std::out_of_range when
/// there is no such head.
int kv_head_of(const Config& config, int head);
/// Number of query heads that share one key and value head: n_heads / kv_head_count.
int heads_per_kv_head(const Config& config);

/// The factor that turns a score into a scaled score: 1 / (√d_k · temperature), the root only
/// with `config.scale`.
float score_factor(const Config& config);

/// Throws std::invalid_argument naming the number, its value and its limits when `config` is not
/// one that can be computed: sizes below 1 or beyond Limits, n_kv_heads no divisor of n_heads,
/// key_count or window outside 0 … Limits::kSeqLen, a temperature or layer_norm_epsilon that is no
/// positive normal number, a rotary_base below 1 or not finite, a dropout rate outside
/// 0 ≤ rate < 1, an odd d_k with rotary positions, a residual with d_out ≠ d_model, split heads
/// whose sizes do not make up d_model, or more parameters than Limits::kParameters.
void validate(const Config& config);

}  // namespace attention
