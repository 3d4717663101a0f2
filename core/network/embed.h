#pragma once

#include <cstdint>
#include <span>

#include "core/network/network.h"
#include "core/numerics/thread_pool.h"

namespace attention::network {

/// The first rows of the residual stream, [ids × d_model]: each token's row, scaled and projected,
/// plus the rows of its position and type, normalised. `types` may be empty: all 0.
Matrix embed(const Embedding& embedding, std::span<const std::uint32_t> ids,
             std::span<const std::uint32_t> types, ThreadPool& pool);

/// Throws std::invalid_argument when there are no ids, more than there are positions for, an id
/// beyond the vocabulary, or a type that does not exist.
void check_tokens(const Embedding& embedding, std::span<const std::uint32_t> ids,
                  std::span<const std::uint32_t> types);

}  // namespace attention::network
