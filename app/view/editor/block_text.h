#pragma once

#include <string>
#include <string_view>

#include "app/base/error.h"
#include "core/matrix.h"

// Numbers in the text form of spreadsheets: a line per row, tabs between the cells.

namespace lab::view {

/// `numbers` with the fewest digits that read back bit for bit; −∞ is "-inf".
std::string block_text(const attention::Matrix& numbers);

/// Reads such a text. Line ends of any system are allowed, cells may be quoted and surrounded by
/// blanks, a comma may be the decimal point and − (U+2212) the sign. Fails with kBadInput, naming
/// the place, when it is empty, when rows differ in length, or when a cell is not a number. "nan"
/// and "inf" are read: the document decides whether they are allowed.
Expected<attention::Matrix> read_block_text(std::string_view text);

}  // namespace lab::view
