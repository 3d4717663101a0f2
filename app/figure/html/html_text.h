#pragma once

#include <string>
#include <string_view>

namespace lab::figure {

/// `text` as the content of an element or of a double-quoted attribute; what cannot be shown is
/// written as by printable().
std::string escaped_html(std::string_view text);

/// "sha256-…", the name of the style or script `text` in a Content-Security-Policy.
std::string policy_hash(std::string_view text);

}  // namespace lab::figure
