#pragma once

#include <string>
#include <string_view>

namespace lab {

/// `bytes` encoded in base64.
std::string base64(std::string_view bytes);

}  // namespace lab
