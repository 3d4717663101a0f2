#pragma once

#include <ctime>
#include <string>

namespace lab::view {

/// A moment as a person says it, in local time: "today at 14:32", "yesterday at 9:05", "on 3 March
/// at 14:32", with the year where it is not this one. `now` is the present time.
std::string time_in_words(std::time_t then, std::time_t now);

}  // namespace lab::view
