#pragma once

#include <string>
#include <vector>

namespace lab::explain {

/// `value` with that many decimals (0 … 9): "0.70", "-0.33", never "-0.00". Scientific with one
/// decimal, "1.2e+06", when it would be longer than 7 characters (or decimals + 5, if that is
/// more). "NaN", "∞" and "−∞" for what is not a number. The same in every locale.
std::string format_fixed(float value, int decimals);

/// `value` as format_fixed writes it and then ever shorter, as long as a number that is not 0 does
/// not become 0: fewer decimals, "9.8e4", "1e5". For the first that fits into a narrow place.
std::vector<std::string> shorter_texts(float value, int decimals);

/// `value` with that many significant digits (1 … 9), without trailing zeros: "0.7", "12",
/// "1.2e+06". "NaN", "∞" and "−∞" as above.
std::string format_significant(float value, int digits);

/// A share of 1 in whole per cent: "42 %"; "NaN" for what is not a number.
std::string percent_text(double share);

}  // namespace lab::explain
