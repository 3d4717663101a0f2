#pragma once

#include <string>
#include <string_view>

namespace lab {

/// Replaces every occurrence of `from`, which must not be empty, by `to`. Replacements are not
/// searched again.
inline void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace lab
