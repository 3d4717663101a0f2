#pragma once

#include <ctime>
#include <string>

namespace lab::view {

/// A point in time in words, in local time: "today at 14:32", "yesterday at 9:05", "on 3 March at
/// 14:32", with the year when it is not the current one. `now` is the current time.
std::string time_in_words(std::time_t then, std::time_t now);

}  // namespace lab::view
