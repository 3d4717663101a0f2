#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "app/files/tensors/elements.h"
#include "core/matrix.h"
#include "core/numerics/work_watch.h"

namespace lab::files {

/// `text` as one field, in quotes where RFC 4180 requires them.
std::string csv_field(const std::string& text);

/// The same for a label, which is also in quotes where its blanks, another separator, a control
/// character or a # at its beginning would not come back.
std::string csv_label(const std::string& text);

/// A table of text: `header`, then the lines, of as many fields each; they end in "\n".
std::string csv_text(const std::vector<std::string>& header,
                     const std::vector<std::vector<std::string>>& lines);

/// A table with labels: a first line with an empty corner and the column labels, then a line per
/// row that begins with its label. Pass empty labels to omit them. Fields are quoted as in RFC
/// 4180, and where other readers would take them for something else (see csv_label); numbers have
/// at most 9 digits and read back bit for bit; NaN, Infinity, -Infinity. Lines end in "\n".
std::string write_csv(const attention::MatrixView& values, const std::vector<std::string>& rows,
                      const std::vector<std::string>& columns);

/// Longest line that is accepted, in bytes, including quoted fields that span several lines.
inline constexpr std::size_t kLongestCsvLine = std::size_t{1} << 20;

/// A table with its labels; empty where it has none.
struct LabelledTable {
  attention::Matrix values;
  std::vector<std::string> rows, columns;
  std::vector<int> lines;  ///< where each row ends in the text, from 1
};

/// Reads the numbers of a table [lines × fields], from write_csv or any other program. Fields are
/// separated by commas, semicolons, tabs or blanks, whichever the beginning of the table suggests;
/// or as a first line "sep=;" says. Lines end in "\n", "\r\n" or "\r". Numbers are read by
/// read_number, with a decimal comma where commas do not separate fields or where the field is in
/// quotes, unless it could be a separator of thousands. Skips a line of labels at the beginning, a
/// label at the beginning of each line, a byte order mark, empty lines and comments (from # on, as
/// numpy.savetxt writes them). Where the first fields of the lines are the labels of the columns,
/// they are labels too, even if they are numbers. Fails with kBadInput naming
/// line and field when a field is not a number, lines differ in length, quotes do not match, a line
/// is longer than kLongestCsvLine, or there are more than `most_numbers` numbers. Reports the bytes
/// read to `watch`, which may be null; throws as `watch` does.
Expected<attention::Matrix> read_csv(std::string_view text, attention::WorkWatch* watch = nullptr,
                                     std::int64_t most_numbers = kMostElements);
/// The same with the labels.
Expected<LabelledTable> read_labelled_csv(std::string_view text,
                                          attention::WorkWatch* watch = nullptr,
                                          std::int64_t most_numbers = kMostElements);

}  // namespace lab::files
