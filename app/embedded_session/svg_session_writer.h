#pragma once

#include <string>
#include <string_view>

namespace lab::embedded_session {

/// The element of an SVG picture that embeds `session`, JSON text; nothing for an empty one.
std::string svg_session(std::string_view session);

}  // namespace lab::embedded_session
