#pragma once

#include <string>
#include <vector>

#include "app/document/commands/command.h"
#include "app/document/document.h"
#include "core/layer/trace.h"

namespace lab {

/// The label of row `i` of an editable matrix: a token, a dimension, a feature of a head's output
/// ("h2.0"), a position, or the matrix itself when it has one row. Printable.
std::string matrix_row_label(const Document& document, MatrixId id, attention::Index i);
/// The label of its column `j`: a token, a dimension or a number.
std::string matrix_column_label(const Document& document, MatrixId id, attention::Index j);

/// The labels of the rows of a stage: the queries' tokens, or the keys'; empty when it is absent.
std::vector<std::string> row_labels(const Document& document, attention::Stage stage);

/// The labels of the `count` columns of a stage: the keys' tokens, the names of the dimensions (X,
/// and outputs as wide as X), or 0, 1, 2 …
std::vector<std::string> column_labels(const Document& document, attention::Stage stage,
                                       attention::Index count);

/// The same for files: tokens and names of dimensions unchanged, byte for byte, where they are
/// UTF-8.
std::vector<std::string> row_texts(const Document& document, attention::Stage stage);
/// The same for columns; `count` of them.
std::vector<std::string> column_texts(const Document& document, attention::Stage stage,
                                      attention::Index count);

}  // namespace lab
