#pragma once

#include <string>
#include <string_view>

#include "core/matrix.h"

namespace lab {

/// `count` with its thousands separated, as in "2,113".
std::string grouped(attention::Index count);

/// `value` with as few digits as read back to the same float; "NaN", "∞", "−∞" for the rest.
std::string shortest(float value);

/// The name of a stage or a matrix as it stands in a sentence: in the language of the process where
/// it is a word ("weights"), as it is where it is a symbol ("W_Q").
std::string name_in_words(std::string_view name);

}  // namespace lab
