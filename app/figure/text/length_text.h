#pragma once

#include <string>

#include "app/figure/colour/palette.h"

namespace lab::figure {

/// `length` rounded to hundredths, as in length_text.
double rounded_length(double length);

/// A length in points with at most 2 decimals and no trailing zeros: "12", "7.5", "-0.33", never
/// "-0". The same in every locale. "0" when it is not finite.
std::string length_text(double length);

/// A colour as six hexadecimal digits: "1b2430".
std::string hex_text(Rgb colour);

}  // namespace lab::figure
