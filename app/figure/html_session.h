#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab {

/// The element of a page of HTML that carries `session`, JSON text; nothing for an empty one.
std::string session_element(std::string_view session);

/// The session that a page of HTML carries, as it was given. Nothing when the page carries none or
/// was cut off within it. Whether it is a session is for its reader to tell.
std::optional<std::string> session_in_html(std::string_view page);

}  // namespace lab
