#pragma once

#include <cstddef>
#include <string>

#include "app/base/json_cursor.h"
#include "core/matrix.h"

// Matrices in JSON: a list of rows, or {"fill": "xavier", "seed": 7}. Everything here throws
// BadInput when it finds something else.

namespace lab::files {

/// One side of a matrix: its expected length and what that size is called.
struct Side {
  attention::Index size = 0;
  const char* name = "";
};
/// "3 rows, should be 4 (d_model)".
std::string should_be(const char* unit, std::size_t count, Side side);

/// A list of rows, or a fill: [rows × cols].
attention::Matrix read_matrix(const JsonCursor& value, Side rows, Side cols);
/// A list of numbers, or a fill: [1 × side].
attention::Matrix read_vector(const JsonCursor& value, Side side);

}  // namespace lab::files
