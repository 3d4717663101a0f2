#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lab {

/// One of the texts that a model reads: typed, or given as token ids.
struct ModelText {
  std::optional<std::string> text;  ///< unset: ids were given, or nothing was
  std::vector<std::uint32_t> ids;   ///< of its tokens
  bool operator==(const ModelText&) const = default;
};

}  // namespace lab
