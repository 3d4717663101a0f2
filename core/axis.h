#pragma once

#include <string_view>

#include "core/config.h"

namespace attention {

struct Problem;

/// What the rows or columns of a matrix stand for, which also determines how many there are.
enum class Axis {
  kOne,            ///< 1: a single row
  kQueries,        ///< seq_len: the query tokens
  kKeys,           ///< kv_len: the key tokens
  kPositions,      ///< at least as many as the longer sentence has tokens
  kModel,          ///< d_model: the features of an embedding
  kKeyFeatures,    ///< d_k: the features of a query or key
  kValueFeatures,  ///< d_v: the features of a value
  kConcat,         ///< n_heads·d_v: the outputs of all heads side by side
  kOut,            ///< d_out: the features of the output
  kQueryHeads,     ///< n_heads·d_k: the queries of all heads side by side
  kKeyHeads,       ///< n_kv_heads·d_k: the keys of all heads side by side
};

/// "1", "seq_len", "kv_len", "positions", "d_model", "d_k", "d_v", "n_heads·d_v", "d_out",
/// "n_heads·d_k", "n_kv_heads·d_k".
std::string_view axis_name(Axis axis);

/// The length of the axis in a layer with this config. Precondition: the axis is not kQueries,
/// kKeys or kPositions, which depend on the sentences.
Index axis_length(const Config& config, Axis axis);

/// The length of the axis in `problem`; for kPositions, the smallest length that suffices.
Index axis_length(const Problem& problem, Axis axis);

}  // namespace attention
