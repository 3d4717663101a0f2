#pragma once

#include <optional>

#include "core/problem.h"

namespace attention {

/// The same weights as Parameters, with the heads' matrices side by side in one: head h has columns
/// h · d_k … (h + 1) · d_k − 1 of W_Q and b_Q, and key and value head g has its columns of W_K,
/// W_V, b_K and b_V in the same way. n_kv_heads is kv_head_count(config) here.
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
  SharedMatrix norm_Q{}, norm_K{};  ///< as in Parameters
  SharedMatrix sink{};              ///< [1 × n_heads], a column for each head, or empty
};

/// The heads' matrices joined; W_O, b_O and those below it are the same handles. A bias or sink
/// that only some heads have is 0 for the others; one that no head has is empty. Throws
/// std::invalid_argument as validate(config) does, when the number of heads does not fit `config`,
/// and when a head's matrix does not, naming the matrix, its shape and the expected one; W_O, b_O
/// and those below it are not checked.
JoinedParameters join(const Parameters& parameters, const Config& config);

/// Each head's columns of the joined matrices; the inverse of join, bit for bit, where all heads
/// have the same biases. Throws std::invalid_argument as validate(config) does, and naming the
/// matrix, its shape and the expected one when a joined matrix does not fit `config`; W_O, b_O and
/// those below it are not checked.
Parameters split(const JoinedParameters& joined, const Config& config);

/// True when `config` allows HeadBuild::kSplit: n_heads · d_k and n_heads · d_v are d_model.
/// Accepts any config, even one that validate() rejects; so does split_config.
bool can_split(const Config& config);

/// `config` with the sizes that splitting gives: d_k = d_v = d_model / n_heads, head_build kSplit;
/// nothing when n_heads is below 1 or does not divide d_model. Other rules (rotary positions need
/// an even d_k) are left to validate().
std::optional<Config> split_config(const Config& config);

/// The number of values in each matrix of a layer, over all heads.
struct ParameterCounts {
  Index W_Q = 0, W_K = 0, W_V = 0, W_O = 0;
  Index b_Q = 0, b_K = 0, b_V = 0, b_O = 0;
  Index gamma = 0, beta = 0, norm_Q = 0, norm_K = 0, sink = 0;

  /// The sum of all.
  Index total() const {
    return W_Q + W_K + W_V + W_O + b_Q + b_K + b_V + b_O + gamma + beta + norm_Q + norm_K + sink;
  }
  bool operator==(const ParameterCounts&) const = default;
};

/// The counts for a layer with this config and everything it switches on: all biases with biases,
/// gamma and beta with layer_norm, norm_Q and norm_K with head_norm, a sink of each head. Joining
/// or splitting the heads does not change them. For a config that validate() rejects, they are the
/// plain products of the sizes.
ParameterCounts parameter_counts(const Config& config);

/// The parameter counts of both ways to build the heads of a layer.
struct BuildCounts {
  std::optional<ParameterCounts> split;  ///< with d_k = d_v = d_model / n_heads; nothing when
                                         ///< split_config gives nothing
  ParameterCounts separate;              ///< with the d_k and d_v of the config
};

/// parameter_counts() of split_config(config) and of `config` itself.
BuildCounts compare_builds(const Config& config);

}  // namespace attention
