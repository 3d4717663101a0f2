#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The decimal mark is that of the process (base/typed_number.h). Halves are rounded away from zero.

namespace lab::explain {

/// The decimals that a reader can choose.
inline constexpr int kFewestDigits = 2, kMostDigits = 6;

/// `value` with that many decimals (0 … 9): "0.70", "-0.33", never "-0.00". In scientific notation
/// with one decimal, "1.2e+06", when it would be longer than 7 characters (or decimals + 5, if that
/// is more). "NaN", "∞" and "−∞" when it is not finite. The same in every locale.
std::string format_fixed(float value, int decimals);

/// `value` as by format_fixed, but a number other than 0 below one unit of the last decimal keeps
/// its size: "7.1e-3", "-2.0e-9" for 2 decimals, "7.12e-4" for 3. Never "0.00" for what is not 0.
std::string adaptive_text(float value, int decimals);

/// `value` as by adaptive_text with `most` decimals, without zeros at its end where fewer, but at
/// least `least`, write it exactly: "0.50" and "0.333333" for 2 and 6.
std::string exact_text(float value, int least, int most);

/// `value` as by adaptive_text, then in ever shorter forms, as long as a number other than 0 does
/// not become 0: fewer decimals, "9.8e4", "1e5". Use the first that fits into a narrow space.
std::vector<std::string> shorter_texts(float value, int decimals);

/// The same for the cell of a matrix, which is read at a glance: decimals come before a form with
/// an exponent that is not much shorter: "0.0071", then "0.007", "7e-3".
std::vector<std::string> cell_texts(float value, int decimals);

/// How the numbers of one map are written: all with as many decimals, and all small ones alike.
struct CellNotation {
  enum class Small { kDecimals, kExponent, kOneDigit };  ///< "0.0071", "7.1e-3", "7e-3"

  int decimals = 2;
  Small small = Small::kDecimals;  ///< of numbers that the decimals do not show
  std::size_t longest = 0;         ///< characters of the longest of the numbers
};

/// The first notation in which none of `values` is longer than `room` characters: with `digits`
/// decimals, then with fewer; below two only where each number keeps two digits or is exact, so
/// that 0.97 is never 1.0. Nothing when there is none.
std::optional<CellNotation> cell_notation(std::span<const float> values, int digits,
                                          std::size_t room);

/// `value` in that notation; empty when it cannot be written so.
std::string cell_text(float value, const CellNotation& notation);

/// `value` with that many significant digits (1 … 9) and no trailing zeros: "0.7", "12", "1.2e+06".
/// "NaN", "∞" and "−∞" as above.
std::string format_significant(float value, int digits);

/// The sum of a row of weights with three digits, or as many as tell it from 1 when it is not: a
/// row with a number that was put there by hand sums to "0.9997".
std::string row_sum_text(float sum);

/// `text` with a minus sign, −, for each hyphen before the digits of a number or of an exponent:
/// "−0.33", "e^(−7.1e−3) =". Other hyphens stay: "well-2".
std::string with_minus_signs(std::string_view text);

/// A share of 1 in whole per cent: "42 %"; "NaN" when it is not a number.
std::string percent_text(double share);

}  // namespace lab::explain
