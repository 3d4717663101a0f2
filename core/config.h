#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "core/matrix.h"

namespace attention {

/// Rules for which keys a query may attend to; all enabled rules apply together. A mask given cell
/// by cell is Problem::allowed.
struct MaskRules {
  bool causal = false;  ///< query i attends to keys 0 … i only
  int key_count = 0;    ///< padding: only keys 0 … key_count − 1 exist; 0: all do
  int window = 0;       ///< sliding window: |i − j| < window; 0: any distance

  bool operator==(const MaskRules&) const = default;
  /// True when any rule is enabled.
  bool any() const { return *this != MaskRules{}; }
};

/// How the layer encodes the position of a token.
enum class Positions {
  kNone,        ///< not at all
  kSinusoidal,  ///< sines and cosines are added to the embedding (Vaswani et al. 2017, 3.5)
  kLearned,     ///< rows of Problem::position_table are added to the embedding
  kRotary,      ///< Q and K are rotated by an angle that depends on the position (RoPE; Su et al.
                ///< 2021)
  kAlibi,       ///< a penalty for distance is added to the scores (ALiBi; Press et al. 2021)
};

/// Which features of Q and K are rotated together.
enum class RotaryPairs {
  kAdjacent,  ///< 2i and 2i + 1, as in the paper
  kHalves,    ///< i and i + d_k / 2, as in Llama
};

/// Two views of the heads' weights; the numbers are the same.
enum class HeadBuild {
  kSeparate,  ///< each head has its own matrices, with any d_k and d_v
  kSplit,     ///< each head has some columns of one [d_model × d_model] matrix: n_heads · d_k and
              ///< n_heads · d_v are d_model
};

/// The sizes and switches of one multi-head attention layer.
struct Config {
  int d_model = 8;     ///< features of an embedding
  int n_heads = 1;     ///< query heads
  int n_kv_heads = 0;  ///< key and value heads, a divisor of n_heads: consecutive query heads share
                       ///< one (grouped queries; 1: multi-query); 0: one per query head
  int d_k = 8;         ///< features of a query or key, per head; independent of d_model / n_heads
  int d_v = 8;         ///< features of a value, per head
  int d_out = 8;       ///< features of the output; d_model unless a file says otherwise
  HeadBuild head_build = HeadBuild::kSeparate;

  bool scale = true;         ///< divide the scores by √d_k
  float temperature = 1.0f;  ///< divides the scaled scores; > 0
  bool biases = true;        ///< add b_Q, b_K, b_V and b_O where present
  MaskRules mask;

  bool head_norm = false;           ///< divide each query and key by its root mean square, before
                                    ///< the rotation (QK norm; Henry et al. 2020)
  float head_norm_epsilon = 1e-6f;  ///< added to the mean square; > 0
  bool head_norm_joint = false;     ///< the mean square is that of the queries, or of the keys, of
                                    ///< all heads of a token together (OLMo 2); in layers of
                                    ///< trained networks
  bool value_norm = false;          ///< divide each value by its root mean square, with the same
                                    ///< epsilon and no factors (Gemma 4); in layers of trained
                                    ///< networks
  float score_cap = 0.0f;  ///< c > 0: a scaled score s becomes c · tanh(s / c) (Gemma 2); 0: none
  bool sink = false;       ///< the softmax of each row also has a score without a key, the head's
                           ///< QueryParameters::sink, whose share goes nowhere (attention sinks;
                           ///< Xiao et al. 2023, as a number of each head in gpt-oss)

  Positions positions = Positions::kNone;
  float rotary_base = 10000.0f;  ///< pair i of d_k / 2 is rotated by position · base^(−2i / d_k); ≥
                                 ///< 1
  RotaryPairs rotary_pairs = RotaryPairs::kAdjacent;
  float rotary_scale = 1;  ///< multiplies the cosines and sines of rotary positions (YaRN; Peng et
                           ///< al. 2023); > 0

  float dropout_rate = 0.0f;       ///< fraction of the weights that is dropped, 0 ≤ rate < 1
  std::uint64_t dropout_seed = 0;  ///< determines which ones

  bool residual = false;             ///< add X to the output; requires d_out = d_model
  bool layer_norm = false;           ///< normalise each row after that
  float layer_norm_epsilon = 1e-5f;  ///< added to the variance; > 0

  bool operator==(const Config&) const = default;
};

/// The largest accepted sizes; checked before memory is allocated.
struct Limits {
  static constexpr int kSeqLen = 2048;
  static constexpr int kDModel = 4096;
  static constexpr int kHeads = 64;
  static constexpr int kHeadSize = 1024;                ///< d_k and d_v
  static constexpr Index kScores = Index{1} << 26;      ///< n_heads · seq_len · kv_len
  static constexpr Index kParameters = Index{1} << 26;  ///< numbers in all weights combined
  static constexpr Index kNumbers = Index{1} << 29;     ///< numbers in all stages combined: 2 GiB
};

/// The sink of a head that has none: softmax gives it nothing.
inline constexpr float kNoSink = -std::numeric_limits<float>::infinity();

/// Number of key and value heads: n_kv_heads, or n_heads when that is 0.
int kv_head_count(const Config& config);
/// The key and value head used by query head `head`; both count from 0. Throws std::out_of_range
/// when there is no such head.
int kv_head_of(const Config& config, int head);
/// Number of query heads that share one key and value head: n_heads / kv_head_count.
int heads_per_kv_head(const Config& config);

/// The factor that turns a score into a scaled score: 1 / (√d_k · temperature), or 1 / temperature
/// without `config.scale`.
float score_factor(const Config& config);

/// Throws std::invalid_argument naming the option, its value and its limits when `config` cannot be
/// computed: sizes below 1 or beyond Limits, an n_kv_heads that does not divide n_heads, key_count
/// or window outside 0 … Limits::kSeqLen, a temperature, head_norm_epsilon, rotary_scale or
/// layer_norm_epsilon that is not a positive normal number, a score_cap that is negative or not
/// finite, a rotary_base below 1 or not finite, a dropout rate outside 0 ≤ rate < 1, an odd d_k
/// with rotary positions, a residual with d_out ≠ d_model, split heads whose sizes do not add up to
/// d_model, or more parameters than Limits::kParameters.
void validate(const Config& config);

/// True when dropout removes the weight of query `row` and key `col` in `head` (all from 0). The
/// same seed, rate and cell give the same answer on every machine and at every sequence length: the
/// upper 24 bits of number (head · 2048 + row) · 2048 + col of the stream splitmix64(dropout_seed),
/// divided by 2^24, are below the rate.
bool is_dropped(const Config& config, Index head, Index row, Index col);

/// The factor of the weights that are kept: 1 / (1 − dropout_rate).
float dropout_factor(const Config& config);

}  // namespace attention
