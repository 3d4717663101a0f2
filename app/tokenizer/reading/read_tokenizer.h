#pragma once

#include <string_view>

#include "app/base/error.h"
#include "app/tokenizer/tokenizer.h"
#include "core/numerics/work_watch.h"

namespace lab::tokenizer {

/// Largest tokenizer.json that is read, in bytes; the largest in use have about 35 million.
inline constexpr std::size_t kLargestTokenizer = std::size_t{1} << 28U;

/// The tokenizer that `json`, the text of a tokenizer.json, describes. Fails with kBadInput, with
/// the place, when it is damaged, too large, or has a node that is not supported. Reports at most
/// as much work as `json` has bytes to `watch`, which may be null, and throws as it does.
Expected<Tokenizer> read_tokenizer(std::string_view json, attention::WorkWatch* watch = nullptr);

}  // namespace lab::tokenizer
