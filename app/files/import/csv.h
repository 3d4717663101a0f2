#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "app/files/tensors/elements.h"
#include "core/matrix.h"
#include "core/numerics/work_watch.h"

namespace lab::files {

/// A text as one field, in quotes where RFC 4180 asks for them.
std::string csv_field(const std::string& text);

/// A table with labels: a first line with an empty corner and the column labels, then one line a
/// row, its label first. Fields are quoted as RFC 4180 says; numbers have the digits that
/// read back bit for bit, at most 9; NaN, Infinity, -Infinity.
/// Pass empty labels to leave them out. Lines end in "\n".
std::string write_csv(const attention::MatrixView& values, const std::vector<std::string>& rows,
                      const std::vector<std::string>& columns);

/// Longest line that is read, in bytes, fields in quotes that go on over several lines included.
inline constexpr std::size_t kLongestCsvLine = std::size_t{1} << 20;

/// The numbers of a table [lines × fields]: what write_csv writes, and what others do. Commas,
/// semicolons, tabs or blanks stand between fields, whichever its beginning shows; numbers are
/// those of read_number, with a decimal comma where commas do not separate. A line of labels at the
/// beginning, a label at the beginning of each line, a byte order mark, empty lines and comments
/// (from # on, as numpy.savetxt writes them) are left out. Fails with kBadInput naming line and
/// field when one is no number, lines differ in length, quotes do not match, a line is longer than
/// kLongestCsvLine, or there are more than `most_numbers`. Tells `watch`, which may be null, of the
/// bytes that were read; throws as it does.
Expected<attention::Matrix> read_csv(std::string_view text, attention::WorkWatch* watch = nullptr,
                                     std::int64_t most_numbers = kMostElements);

}  // namespace lab::files
