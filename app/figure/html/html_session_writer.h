#pragma once

#include <string>
#include <string_view>

namespace lab::figure {

/// The element of a page of HTML that carries `session`, JSON text; nothing for an empty one.
std::string session_element(std::string_view session);

}  // namespace lab::figure
