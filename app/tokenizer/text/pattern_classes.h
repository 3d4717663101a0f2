#pragma once

#include <string>
#include <string_view>

namespace lab::tokenizer {

/// `expression` (Oniguruma) with every property of characters that the reference has a table for
/// (\p{L}, \P{Nd}, \p{^Lu}, \p{Han}, \w, \W, \d, \D) written out as ranges of code points, because
/// each version of the library has the tables of another version of Unicode. Other properties stay.
std::string with_reference_classes(std::string_view expression);

}  // namespace lab::tokenizer
