#pragma once

#include <string>
#include <vector>

#include "app/document/document.h"
#include "core/layer/trace.h"

namespace lab {

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
