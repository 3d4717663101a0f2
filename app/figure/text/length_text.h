#pragma once

#include <string>

#include "app/figure/colour/palette.h"

namespace lab::figure {

/// `length` rounded to hundredths, as length_text writes it.
double rounded_length(double length);

/// A length in points with at most 2 decimals, none of them a trailing zero: "12", "7.5", "-0.33",
/// never "-0". The same in every locale. "0" for what is no finite number.
std::string length_text(double length);

/// "1b2430".
std::string hex_text(Rgb colour);

}  // namespace lab::figure
