#include "app/files/import/csv.h"

#include <algorithm>

#include "app/base/machine_numbers.h"

namespace lab::files {

namespace {

std::string in_csv_quotes(const std::string& text) {
  std::string quoted_field = "\"";
  for (const char c : text) {
    if (c == '"') quoted_field += '"';
    quoted_field += c;
  }
  return quoted_field + '"';
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

std::string csv_field(const std::string& text) {
  return text.find_first_of(",\"\r\n") == text.npos ? text : in_csv_quotes(text);
}

std::string csv_label(const std::string& text) {
  if (text.empty()) return text;
  const bool blanks = is_blank(text.front()) || is_blank(text.back());
  const bool control =
      std::ranges::any_of(text, [](unsigned char c) { return c < ' ' || c == 0x7F; });
  const bool other = text.find_first_of(";\"") != text.npos || text.front() == '#';
  return blanks || control || other ? in_csv_quotes(text) : csv_field(text);
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
    text += csv_label(columns[j]);
  }
  if (!columns.empty()) text += '\n';
  for (attention::Index i = 0; i < values.rows(); ++i) {
    if (!rows.empty()) text += csv_label(rows[static_cast<std::size_t>(i)]);
    for (attention::Index j = 0; j < values.cols(); ++j) {
      if (j > 0 || !rows.empty()) text += ',';
      append_float(text, values(i, j));
    }
    text += '\n';
  }
  return text;
}

}  // namespace lab::files
