#pragma once

#include <string>
#include <vector>

#include "core/matrix.h"

namespace lab {

/// A table with labels: a first line with an empty corner and the column labels, then one line a
/// row, its label first. Fields are quoted as RFC 4180 says; numbers have 9 significant digits.
/// Pass empty labels to leave them out. Lines end in "\n".
std::string write_csv(const attention::MatrixView& values, const std::vector<std::string>& rows,
                      const std::vector<std::string>& columns);

}  // namespace lab
