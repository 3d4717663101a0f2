#pragma once

#include <string>

#include "core/matrix.h"

namespace lab {

/// `count` with its thousands separated, as in "2,113".
std::string grouped(attention::Index count);

/// `value` with as few digits as read back to the same float; "NaN", "∞", "−∞" for the rest.
std::string shortest(float value);

}  // namespace lab
