#pragma once

#include <string>

namespace lab::cli {

/// `session`, or, with a note on standard error, nothing when it is longer than a figure can carry.
std::string short_enough_to_embed(std::string session);

}  // namespace lab::cli
