#pragma once

#include <string_view>

// The files of this folder, which the build embeds in the program.

namespace lab::figure {

/// page.html, with placeholders such as {{title}}.
extern const std::string_view kPageTemplate;
/// page.css.
extern const std::string_view kPageStyle;
/// numbers.js, colours.js, map.js, page.js, compare.js and events.js, concatenated.
extern const std::string_view kPageScript;

}  // namespace lab::figure
