#pragma once

#include <functional>
#include <string>

#include "core/embedding.h"
#include "core/layer/trace.h"

namespace attention::test {

/// A matrix of about N(0, 1) numbers.
Matrix random_matrix(Index rows, Index cols, PortableRandom& random);
/// A mask of zeros and ones, of which about `share` are ones.
Matrix random_mask(Index rows, Index cols, double share, PortableRandom& random);
/// A whole number in 0 … count − 1.
Index random_below(Index count, PortableRandom& random);
/// True in about half of all calls.
bool random_bool(PortableRandom& random);

/// The query weights of one head for `config`, without a bias, sized so that scores stay moderate.
QueryParameters random_query_head(const Config& config, PortableRandom& random);
/// The key and value weights of one key and value head, likewise.
KeyValueParameters random_kv_head(const Config& config, PortableRandom& random);

/// A problem of that shape, without biases and masks; `kv_len` 0: self-attention. With learned
/// positions it has one table of two more rows than the longer side.
Problem random_problem(const Config& config, Index seq_len, Index kv_len, PortableRandom& random);
/// Gives the problem every bias, and the weights of the norms that it has.
void add_biases(Problem& problem, PortableRandom& random);

/// Scores by distance for a problem: rows for distances up to 3, farther ones share the last.
RelativePositions random_relative(const Problem& problem, bool content_to_position,
                                  bool position_to_content, PortableRandom& random);
/// Gives the problem's scores by distance maps of their own, with biases.
void add_position_maps(Problem& problem, PortableRandom& random);

/// Three heads of d_k 4 and d_v 3 on 6 features, 5 out.
Config variant_config();
/// Problems that between them have every optional part and every variant of the layer: the first
/// is plain self-attention, the second has masks of both kinds, a dead row and an additive bias,
/// the third is cross-attention, the last has everything at once.
std::vector<Problem> problem_variants();
/// Rotary positions, grouped queries, norms of heads, a cap, biases, every mask, dropout, residual,
/// layer norm, a mix and overrides in one.
Problem problem_with_everything(PortableRandom& random);

/// The message of the exception that validate() throws for `problem` after `change`; empty when it
/// accepts it.
std::string complaint(Problem problem, const std::function<void(Problem&)>& change);

/// The number of heads that have a matrix of that stage: 1 where there is one for all.
Index head_count(const Trace& trace, Stage stage);

}  // namespace attention::test
