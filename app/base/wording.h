#pragma once

#include <ctime>
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

/// A point in time in words, in local time: "today at 14:32", "yesterday at 9:05", "on 3 March at
/// 14:32", with the year when it is not the current one. `now` is the current time.
std::string time_in_words(std::time_t then, std::time_t now);

}  // namespace lab
