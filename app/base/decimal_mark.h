#pragma once

#include <string>

// The mark before the decimals of numbers for people. Files, commands and tensors always have a
// point; what people type may have either (typed_decimal.h).

namespace lab {

/// Sets the mark for the whole process, as with a language: a comma if `comma`, else a point, which
/// it is until it is set. Other threads may format numbers at the same time.
void set_decimal_comma(bool comma);

/// True if the mark is a comma.
bool decimal_comma();

/// `number`, which was written with a point, with the mark of the process: "0.52" or "0,52".
std::string with_decimal_mark(std::string number);

/// What stands between numbers in a list: ", ", or "; " if the mark is a comma.
const char* between_numbers();

}  // namespace lab
