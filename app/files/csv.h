#pragma once

#include <string>
#include <vector>

#include "core/matrix.h"

namespace lab {

/// A text as one field, in quotes where RFC 4180 asks for them.
std::string csv_field(const std::string& text);

/// A table with labels: a first line with an empty corner and the column labels, then one line a
/// row, its label first. Fields are quoted as RFC 4180 says; numbers have the digits that
/// read back bit for bit, at most 9; NaN, Infinity, -Infinity.
/// Pass empty labels to leave them out. Lines end in "\n".
std::string write_csv(const attention::MatrixView& values, const std::vector<std::string>& rows,
                      const std::vector<std::string>& columns);

}  // namespace lab
