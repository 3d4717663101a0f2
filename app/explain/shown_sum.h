#pragma once

#include <string>

// Whether a reader who computes with the numbers on the screen gets the results on the screen.

namespace lab::explain {

/// The number that `text` shows, with a decimal point or comma; NaN when it shows none.
double shown_value(const std::string& text);

/// True when `exact`, rounded to as many digits as `result` has, is the number that `result` shows;
/// half a unit more or less is not. True as well when one of them is not a finite number.
bool is_rounding_of(double exact, const std::string& result);

}  // namespace lab::explain
