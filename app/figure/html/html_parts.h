#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

// What the writers of pages share.

namespace lab::figure {

/// `text` as the content of an element or of a double-quoted attribute; what cannot be shown is
/// written as by printable().
std::string escaped_html(std::string_view text);

/// "sha256-…", the name of the style or script `text` in a Content-Security-Policy.
std::string policy_hash(std::string_view text);

/// The texts that the script of the page looks up, as a JSON object: English to the language of the
/// process; empty in English.
nlohmann::json script_texts();

/// The translation of a text in the template of the page, as the content of an element or an
/// attribute.
std::string template_text(std::string_view english);

/// How much larger figures are on a page than on paper, whose text is small beside that of a page.
inline constexpr double kOnScreen = 1.5;

// The files of page/, which the build embeds in the program.

/// page.html, with placeholders such as {{title}}.
extern const std::string_view kPageTemplate;
/// page.css.
extern const std::string_view kPageStyle;
/// numbers.js, colours.js, map.js, page.js, compare.js and events.js, concatenated.
extern const std::string_view kPageScript;

}  // namespace lab::figure
