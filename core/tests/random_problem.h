#pragma once

#include "core/embedding.h"
#include "core/trace.h"

namespace attention::test {

/// A matrix of about N(0, 1) numbers.
Matrix random_matrix(Index rows, Index cols, PortableRandom& random);
/// A mask of zeros and ones, of which about `share` are ones.
Matrix random_mask(Index rows, Index cols, double share, PortableRandom& random);
/// A whole number in 0 … count − 1.
Index random_below(Index count, PortableRandom& random);
/// True in about half of all calls.
bool random_bool(PortableRandom& random);

/// The weights of one head for `config`, without biases, sized so that scores stay moderate.
HeadParameters random_head(const Config& config, PortableRandom& random);

/// A problem of that shape, without biases and masks; `kv_len` 0: self-attention.
Problem random_problem(const Config& config, Index seq_len, Index kv_len, PortableRandom& random);

/// Problems that between them have every optional part: biases, masks, an additive bias,
/// cross-attention, no scaling, a temperature, d_v other than d_k, dead rows.
std::vector<Problem> problem_variants();

/// The number of heads that have a matrix of that stage: 1 where there is one for all.
Index head_count(const Trace& trace, Stage stage);

}  // namespace attention::test
