#pragma once

#include <string>

#include "app/document/commands/command.h"
#include "app/document/document.h"

namespace lab {

/// The label of row `i` of an editable matrix: a token, a dimension, a feature of a head's output
/// ("h2.0"), a position, or the matrix itself when it has one row. Printable.
std::string matrix_row_label(const Document& document, MatrixId id, attention::Index i);
/// The label of its column `j`: a token, a dimension or a number.
std::string matrix_column_label(const Document& document, MatrixId id, attention::Index j);

}  // namespace lab
