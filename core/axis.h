#pragma once

#include <string_view>

#include "core/config.h"

namespace attention {

struct Problem;

/// What the rows or the columns of a matrix stand for, which is also how many there are.
enum class Axis {
  kOne,            ///< 1: a single row
  kQueries,        ///< seq_len: the tokens that ask
  kKeys,           ///< kv_len: the tokens that are asked
  kPositions,      ///< as many as the longer of both sentences has tokens, or more
  kModel,          ///< d_model: the features of an embedding
  kKeyFeatures,    ///< d_k: the features of a query or key
  kValueFeatures,  ///< d_v: the features of a value
  kConcat,         ///< n_heads·d_v: the outputs of all heads side by side
  kOut,            ///< d_out: the features of the output
};

/// "1", "seq_len", "kv_len", "positions", "d_model", "d_k", "d_v", "n_heads·d_v", "d_out".
std::string_view axis_name(Axis axis);

/// How long the axis is in a layer of that config. Precondition: the axis is none of kQueries,
/// kKeys and kPositions, which the sentences decide.
Index axis_length(const Config& config, Axis axis);

/// How long the axis is in `problem`; of kPositions the least that serves.
Index axis_length(const Problem& problem, Axis axis);

}  // namespace attention
