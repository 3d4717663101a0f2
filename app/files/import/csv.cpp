#include "app/files/import/csv.h"

#include "app/base/float_text.h"

namespace lab::files {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string quoted_field = "\"";
  for (const char c : text) {
    if (c == '"') quoted_field += '"';
    quoted_field += c;
  }
  return quoted_field + '"';
}

std::string csv_text(const std::vector<std::string>& header,
                     const std::vector<std::vector<std::string>>& lines) {
  std::string text;
  const auto add = [&](const std::vector<std::string>& line) {
    for (std::size_t i = 0; i < line.size(); ++i) text += (i > 0 ? "," : "") + csv_field(line[i]);
    text += '\n';
  };
  add(header);
  for (const auto& line : lines) add(line);
  return text;
}

std::string write_csv(const attention::MatrixView& values, const std::vector<std::string>& rows,
                      const std::vector<std::string>& columns) {
  std::string text;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (j > 0 || !rows.empty()) text += ',';
    text += csv_field(columns[j]);
  }
  if (!columns.empty()) text += '\n';
  for (attention::Index i = 0; i < values.rows(); ++i) {
    if (!rows.empty()) text += csv_field(rows[static_cast<std::size_t>(i)]);
    for (attention::Index j = 0; j < values.cols(); ++j) {
      if (j > 0 || !rows.empty()) text += ',';
      append_float(text, values(i, j));
    }
    text += '\n';
  }
  return text;
}

}  // namespace lab::files
