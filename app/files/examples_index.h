#pragma once

#include <string_view>

namespace lab::files {

/// True when a person would take the two for the same title: the same but for the case of ASCII
/// letters, typographic or straight quotes, and white space around them.
bool same_title(std::string_view a, std::string_view b);

}  // namespace lab::files
