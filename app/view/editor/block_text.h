#pragma once

#include <string>
#include <string_view>

#include "app/base/error.h"
#include "core/matrix.h"

// Numbers as a spreadsheet takes and gives them: a line for each row, tabs between the cells.

namespace lab::view {

/// `numbers` with as few digits as read back bit for bit; −∞ is "-inf".
std::string block_text(const attention::Matrix& numbers);

/// Reads such a text. Line ends may be those of any system, cells may be quoted and have blanks
/// around them, a comma may be the decimal point and − (U+2212) the sign. Fails with kBadInput,
/// naming the place, when there is nothing in it, when rows are not equally long, or when a cell is
/// no number. "nan" and "inf" are read: whether they may be there is for the document to say.
Expected<attention::Matrix> read_block_text(std::string_view text);

}  // namespace lab::view
