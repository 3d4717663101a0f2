#pragma once

#include <string_view>

namespace lab::files {

/// True when a person would take the two for the same title: they differ only in the case of ASCII
/// letters, typographic or straight quotes, and surrounding white space.
bool same_title(std::string_view a, std::string_view b);

}  // namespace lab::files
