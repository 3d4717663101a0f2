#pragma once

#include <string>
#include <string_view>

namespace lab::figure {

/// JSON text in which nothing can end or open an element: "<" is written as \u003c.
std::string json_in_html(std::string_view json);

/// `text` as the content of an element or of an attribute in double quotes; what cannot be shown is
/// written as printable() does.
std::string escaped_html(std::string_view text);

/// "sha256-…", as a Content-Security-Policy names the style or the script that is `text`.
std::string policy_hash(std::string_view text);

}  // namespace lab::figure
