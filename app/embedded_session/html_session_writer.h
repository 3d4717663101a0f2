#pragma once

#include <string>
#include <string_view>

namespace lab::embedded_session {

/// JSON text in which nothing can end or open an element: "<" is written as \u003c.
std::string json_in_html(std::string_view json);

/// The element of a page of HTML that embeds `session`, JSON text; nothing for an empty one.
std::string html_session(std::string_view session);

}  // namespace lab::embedded_session
