#pragma once

#include <string>
#include <string_view>

namespace lab {

/// `text` for comparing without regard to case, in every script: "Он" and "он" give the same.
std::string casefold(std::string_view text);

}  // namespace lab
