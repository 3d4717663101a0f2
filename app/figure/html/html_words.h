#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace lab::figure {

/// The words that the script of the page looks up, as a JSON object: English to the language of the
/// process; empty in English.
nlohmann::json words_of_script();

/// The translation of a text in the template of the page, as the content of an element or an
/// attribute.
std::string word_of_template(std::string_view english);

}  // namespace lab::figure
