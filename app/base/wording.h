#pragma once

#include <string>
#include <string_view>

#include "core/matrix.h"

namespace lab {

/// `count` with thousands separators, as in "2,113".
std::string grouped(attention::Index count);

/// `value` with the fewest digits that read back to the same float; "NaN", "∞" and "−∞" for the
/// other values.
std::string shortest(float value);

/// The name of a stage or a matrix as it appears in a sentence: in the language of the process if
/// it is a word ("weights"), unchanged if it is a symbol ("W_Q").
std::string name_in_words(std::string_view name);

}  // namespace lab
