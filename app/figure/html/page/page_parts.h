#pragma once

#include <string_view>

// The files of this folder, which the build puts into the program.

namespace lab::figure {

/// page.html, with places such as {{title}} to be filled.
extern const std::string_view kPageTemplate;
/// page.css.
extern const std::string_view kPageStyle;
/// numbers.js, colours.js, map.js, page.js, compare.js and events.js, one after the other.
extern const std::string_view kPageScript;

}  // namespace lab::figure
