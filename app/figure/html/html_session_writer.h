#pragma once

#include <string>
#include <string_view>

namespace lab::figure {

/// The HTML element that carries `session`, JSON text; empty for an empty session.
std::string session_element(std::string_view session);

}  // namespace lab::figure
