#include "app/files/import/table_text.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "app/base/machine_numbers.h"
#include "app/base/strings.h"
#include "app/base/unicode_text.h"

namespace lab::files {
namespace {

bool has_control_characters(std::string_view bytes) {
  return std::ranges::any_of(bytes, [](unsigned char c) {
    return c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f';
  });
}

// A first line "count dimension", as word2vec writes it, gives the dimension; else 0.
std::size_t promised_dimension(std::string_view line) {
  const auto fields = split_fields(line, Separator::kBlanks);
  if (fields.size() != 2 || !parse_number<std::size_t>(fields[0])) return 0;
  return parse_number<std::size_t>(fields[1]).value_or(0);
}

// The fields of a line; separators in quotes are part of their field.
std::vector<std::string_view> quoted_fields(std::string_view line, Separator separator) {
  if (separator == Separator::kBlanks || line.find('"') == line.npos)
    return split_fields(line, separator);
  const char end = separator == Separator::kComma ? ',' : separator == Separator::kTab ? '\t' : ';';
  std::vector<std::string_view> fields;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i == line.size() || (line[i] == end && !quoted)) {
      fields.push_back(trimmed_field(line.substr(begin, i - begin)));
      begin = i + 1;
    } else if (line[i] == '"') {
      quoted = i == begin || (quoted ? false : begin < i && line[begin] == '"');
    }
  }
  return fields;
}

std::string_view without_quotes(std::string_view field) {
  const bool quoted = field.size() > 1 && field.front() == '"' && field.back() == '"';
  return quoted ? field.substr(1, field.size() - 2) : field;
}

// Placeholders for a missing number, accepted here so that the reader of the table can name their
// place.
bool is_hole(std::string_view field) {
  constexpr std::array<std::string_view, 5> kHoles{"", "NA", "N/A", "null", "None"};
  return std::ranges::find(kHoles, field) != kHoles.end();
}

// True for a line of numbers, which may begin with a label and have holes between them.
bool is_table_line(std::string_view line, Separator separator) {
  auto fields = quoted_fields(line, separator);
  if (fields.size() > 2 && fields.back().empty()) fields.pop_back();
  const bool blanks = separator == Separator::kBlanks;
  const std::size_t labels = blanks ? 0 : 1;
  if (fields.size() <= labels) return false;
  const std::span values = std::span(fields).subspan(labels);
  const auto number = [&](std::string_view field) {
    const std::string_view text = without_quotes(field);
    return is_number(text, allows_decimal_comma(separator) || text.size() != field.size());
  };
  return std::ranges::any_of(values, number) &&
         std::ranges::all_of(values, [&](auto field) { return number(field) || is_hole(field); });
}

// True for a word, which may contain blanks, followed by at least two numbers.
bool is_vector_line(std::string_view line) {
  const auto fields = split_fields(line, Separator::kBlanks);
  return fields.size() > 2 && !is_number(fields.front()) && is_number(fields.back()) &&
         is_number(fields[fields.size() - 2]);
}

constexpr std::array kSeparators = {Separator::kComma, Separator::kSemicolon, Separator::kTab,
                                    Separator::kBlanks};

// Counts the lines at the beginning of a text that look like words with vectors, and like tables.
struct Votes {
  int vectors = 0;
  std::array<int, kSeparators.size()> tables{};

  void add(std::string_view line) {
    if (trimmed_field(line).empty() || line == "#" || line.starts_with("# ")) return;
    if (is_vector_line(line)) ++vectors;
    for (std::size_t i = 0; i < kSeparators.size(); ++i)
      if (is_table_line(line, kSeparators[i])) ++tables[i];
  }
  int best_table() const { return *std::ranges::max_element(tables); }
};

Votes votes_of(std::string_view text) {
  constexpr int kLines = 20;
  Votes votes;
  text = without_byte_order_mark(text);
  const std::size_t last_end = text.find_last_of('\n');
  // The last line may be incomplete.
  if (text.size() > kTypeBytes / 2 && last_end != text.npos) text = text.substr(0, last_end);
  for (int i = 0; i < kLines && !text.empty(); ++i) votes.add(take_line(text));
  return votes;
}

bool begins_as_word2vec(std::string_view text) {
  text = without_byte_order_mark(text);
  const std::size_t dimension = promised_dimension(take_line(text));
  return dimension > 0 && split_fields(take_line(text), Separator::kBlanks).size() > dimension;
}

// True for UTF-8 whose last character may be cut off. Labels of a table may hold control
// characters.
bool is_utf8_beginning(std::string_view bytes) {
  constexpr std::size_t kLongestCharacter = 4;
  const std::size_t end = bytes.size() - std::min(bytes.size(), kLongestCharacter - 1);
  std::size_t at = 0;
  while (at < end) {
    const CodePoint point = code_point_at(bytes, at);
    if (!point.valid()) return false;
    at += point.size;
  }
  return true;
}

}  // namespace

bool looks_like_vectors(std::string_view start) {
  if (has_control_characters(start)) return false;
  if (begins_as_word2vec(start)) return true;
  const Votes votes = votes_of(start);
  return votes.vectors > votes.best_table();
}

bool looks_like_table(std::string_view start) {
  if (!has_control_characters(start)) return votes_of(start).best_table() > 0;
  return is_utf8_beginning(start) && table_separator(start);
}

bool looks_like_binary_vectors(std::string_view start) {
  return has_control_characters(start) && promised_dimension(take_line(start)) > 0;
}

bool looks_like_list(std::string_view start) {
  return !has_control_characters(start) &&
         trimmed_field(without_byte_order_mark(start)).starts_with('[');
}

std::optional<Separator> named_separator(std::string_view start) {
  std::string_view rest = without_byte_order_mark(start);
  const std::string_view line = without_quotes(trimmed_field(take_line(rest)));
  if (line == "sep=,") return Separator::kComma;
  if (line == "sep=;") return Separator::kSemicolon;
  if (line == "sep=" || line == "sep=\t") return Separator::kTab;
  return std::nullopt;
}

std::optional<Separator> table_separator(std::string_view start) {
  if (const auto named = named_separator(start)) return named;
  const Votes votes = votes_of(start.substr(0, kTypeBytes));
  const auto best = std::ranges::max_element(votes.tables);
  if (*best == 0) return std::nullopt;
  return kSeparators[static_cast<std::size_t>(best - votes.tables.begin())];
}

}  // namespace lab::files
