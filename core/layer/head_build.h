#pragma once

#include <optional>

#include "core/problem.h"

namespace attention {

/// The same weights as Parameters, with the heads' matrices side by side in one: head h has columns
/// h · d_k … (h + 1) · d_k − 1 of W_Q and b_Q, key and value head g those of W_K, W_V, b_K and b_V
/// in the same way. n_kv_heads is kv_head_count(config) here.
struct JoinedParameters {
  SharedMatrix W_Q;    ///< [d_model × n_heads·d_k]
  SharedMatrix W_K;    ///< [d_model × n_kv_heads·d_k]
  SharedMatrix W_V;    ///< [d_model × n_kv_heads·d_v]
  SharedMatrix b_Q;    ///< [1 × n_heads·d_k] or empty
  SharedMatrix b_K;    ///< [1 × n_kv_heads·d_k] or empty
  SharedMatrix b_V;    ///< [1 × n_kv_heads·d_v] or empty
  SharedMatrix W_O;    ///< [n_heads·d_v × d_out], as in Parameters, as are those below
  SharedMatrix b_O;    ///< [1 × d_out] or empty
  SharedMatrix gamma;  ///< [1 × d_out] or empty
  SharedMatrix beta;   ///< [1 × d_out] or empty
};

/// The heads' matrices joined; W_O, b_O, gamma and beta are the same handles. A bias that some
/// heads have and others have not is 0 for the others, one that none has is empty. Throws
/// std::invalid_argument as validate(config) does, and naming the matrix, its shape and the wanted
/// one when a matrix of a head does not fit `config`, or when the number of heads does not; W_O,
/// b_O, gamma and beta are not looked at.
JoinedParameters join(const Parameters& parameters, const Config& config);

/// Each head's columns of the joined matrices; the inverse of join, bit for bit, where all heads
/// have the same biases. Throws std::invalid_argument as validate(config) does, and naming the
/// matrix, its shape and the wanted one when a joined matrix does not fit `config`; W_O, b_O, gamma
/// and beta are not looked at.
Parameters split(const JoinedParameters& joined, const Config& config);

/// True when `config` allows HeadBuild::kSplit: n_heads · d_k and n_heads · d_v are d_model. Any
/// config may be asked about, also one that validate() refuses; the same goes for split_config.
bool can_split(const Config& config);

/// `config` with the sizes that splitting gives: d_k = d_v = d_model / n_heads, head_build kSplit;
/// nothing when n_heads is below 1 or no divisor of d_model. Whether it can be computed otherwise
/// (rotary positions want an even d_k) is for validate() to say.
std::optional<Config> split_config(const Config& config);

/// How many numbers the matrices of a layer hold, over all heads.
struct ParameterCounts {
  Index W_Q = 0, W_K = 0, W_V = 0, W_O = 0;
  Index b_Q = 0, b_K = 0, b_V = 0, b_O = 0;
  Index gamma = 0, beta = 0;

  /// All of them together.
  Index total() const { return W_Q + W_K + W_V + W_O + b_Q + b_K + b_V + b_O + gamma + beta; }
  bool operator==(const ParameterCounts&) const = default;
};

/// The counts of a layer of that `config` that has everything the config switches on: all biases
/// with biases, gamma and beta with layer_norm. The number is the same for one large matrix as for
/// the heads' own: what joins or splits is the same numbers. `config` should be one that validate()
/// accepts: of other sizes the products are given as they are.
ParameterCounts parameter_counts(const Config& config);

/// Both ways to build the heads of a layer side by side.
struct BuildCounts {
  std::optional<ParameterCounts> split;  ///< with d_k = d_v = d_model / n_heads; nothing when
                                         ///< split_config gives nothing
  ParameterCounts separate;              ///< with the d_k and d_v of the config
};

/// The counts of parameter_counts for split_config(config) and for `config` as it is.
BuildCounts compare_builds(const Config& config);

}  // namespace attention
