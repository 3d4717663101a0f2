#include <csv.h>

#include <algorithm>
#include <new>
#include <utility>

#include "app/base/bad_input.h"
#include "app/files/file_kind.h"
#include "app/files/import/csv.h"

namespace lab::files {
namespace {

using attention::Index;
using Fields = std::vector<std::string>;

std::string field_count(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " field" : " fields");
}

std::string place(int line) { return "line " + std::to_string(line); }

// Wraps libcsv and stores its results for the caller, because exceptions must not pass through it.
class RecordParser {
 public:
  explicit RecordParser(char separator) {
    if (csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI) != 0) throw std::bad_alloc();
    csv_set_delim(&parser_, static_cast<unsigned char>(separator));
    csv_set_blk_size(&parser_, std::size_t{1} << 12);
  }
  RecordParser(const RecordParser&) = delete;
  RecordParser& operator=(const RecordParser&) = delete;
  ~RecordParser() { csv_free(&parser_); }

  // Reads one line, which ends in "\n". False when a quote is misplaced.
  bool parse(std::string_view line) {
    const std::size_t count =
        csv_parse(&parser_, line.data(), line.size(), on_field, on_record, this);
    check_memory();
    return count == line.size();
  }
  // False when a quote is not closed at the end.
  bool finish() {
    const int failed = csv_fini(&parser_, on_field, on_record, this);
    check_memory();
    return failed == 0;
  }
  // The records read since the last call.
  std::vector<Fields> take() { return std::exchange(records_, {}); }

 private:
  static void on_field(void* text, std::size_t size, void* self) {
    static_cast<RecordParser*>(self)->keep([&](RecordParser& parser) {
      parser.fields_.emplace_back(static_cast<const char*>(text), size);
    });
  }
  static void on_record(int, void* self) {
    static_cast<RecordParser*>(self)->keep(
        [](RecordParser& parser) { parser.records_.push_back(std::exchange(parser.fields_, {})); });
  }
  template <typename Keep>
  void keep(Keep&& what) noexcept {
    try {
      what(*this);
    } catch (const std::bad_alloc&) {
      out_of_memory_ = true;
    }
  }
  void check_memory() {
    if (out_of_memory_ || csv_error(&parser_) == CSV_ENOMEM) throw std::bad_alloc();
  }

  csv_parser parser_{};
  Fields fields_;
  std::vector<Fields> records_;
  bool out_of_memory_ = false;
};

// Digits with points, commas or blanks as thousands separators: not the label of a row.
bool is_misspelt_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return text.find_first_of("0123456789") != text.npos &&
         text.find_first_not_of("0123456789.,' ") == text.npos;
}

// Collects records into a table of numbers and its labels.
class Table {
 public:
  Table(bool decimal_comma, std::int64_t most_numbers)
      : decimal_comma_(decimal_comma), most_numbers_(most_numbers) {}

  void add(Fields fields, int line) {
    if (fields.size() > 1 && fields.back().empty() && fields.size() != fields_) fields.pop_back();
    if (labels_ == 0 && fields_ == 0 && is_heading(fields)) {
      labels_ = fields.size();
      labelled_rows_ = fields.front().empty() && fields.size() > 1;
      heading_ = std::move(fields);
      return;
    }
    if (fields_ == 0) begin(fields, line);
    if (fields.size() != fields_)
      throw BadInput(place(line) + " has " + field_count(fields.size()) + ", " +
                     place(first_line_) + " has " + std::to_string(fields_));
    const std::size_t columns = column_count();
    if (static_cast<std::int64_t>(values_.size() + columns) > most_numbers_)
      throw BadInput("more than " + std::to_string(most_numbers_) + " numbers");
    for (std::size_t i = fields_ - columns; i < fields_; ++i) add_number(fields[i], line, i + 1);
    if (labelled_rows_) rows_.push_back(std::move(fields.front()));
  }

  LabelledTable table() const {
    if (values_.empty()) throw BadInput("it holds no numbers");
    const auto columns = static_cast<Index>(column_count());
    LabelledTable table{Eigen::Map<const attention::Matrix>(
                            values_.data(), static_cast<Index>(values_.size()) / columns, columns),
                        rows_, heading_};
    if (heading_.size() > column_count()) table.columns.erase(table.columns.begin());
    return table;
  }

 private:
  std::size_t column_count() const { return fields_ - (labelled_rows_ ? 1 : 0); }

  bool is_heading(const Fields& fields) const {
    if (fields.front().empty() && fields.size() > 1) return true;
    const auto words = std::ranges::count_if(
        fields, [&](const std::string& field) { return !is_number(field, decimal_comma_); });
    return 2 * static_cast<std::size_t>(words) > fields.size();
  }

  // The first line of numbers determines the layout of all.
  void begin(const Fields& fields, int line) {
    fields_ = fields.size(), first_line_ = line;
    const bool label = fields.size() > 1 && !is_number(fields.front(), decimal_comma_);
    labelled_rows_ = labelled_rows_ || label || (labels_ > 0 && labels_ + 1 == fields_);
    if (labels_ > 0 && labels_ != fields_ && labels_ + 1 != fields_)
      throw BadInput(place(line) + " has " + field_count(fields_) + ", the line of labels has " +
                     std::to_string(labels_));
    if (fields_ == 1 && labelled_rows_) throw BadInput(place(line) + " has no number");
    if (label && labels_ == 0 && is_misspelt_number(fields.front()))
      throw BadInput(place(line) + ", field 1: " + in_quotes(fields.front()) + " is not a number");
  }

  void add_number(const std::string& text, int line, std::size_t number) {
    const NumberField field = read_number(text, decimal_comma_);
    const std::string where = place(line) + ", field " + std::to_string(number);
    if (field.status == NumberStatus::kTooLarge)
      throw BadInput(where + ": " + in_quotes(text) + " is beyond the range of float32");
    if (field.status == NumberStatus::kNone)
      throw BadInput(text.empty() ? where + " is empty"
                                  : where + ": " + in_quotes(text) + " is not a number");
    values_.push_back(field.value);
  }

  bool decimal_comma_;
  std::int64_t most_numbers_;
  std::size_t labels_ = 0;      // fields of the line of labels
  std::size_t fields_ = 0;      // of every other line; 0 until there is one
  int first_line_ = 0;          // that had them
  bool labelled_rows_ = false;  // the first field of a line is no number
  std::vector<float> values_;
  Fields heading_, rows_;
};

// A label that begins with # is followed by the separator or by numbers; a comment is not.
bool is_comment(std::string_view line, Separator separator) {
  if (!line.starts_with('#')) return false;
  if (separator == Separator::kBlanks || line.starts_with("# ")) return true;
  return !is_number(split_fields(line, separator).back(), allows_decimal_comma(separator));
}

char character(Separator separator) {
  constexpr char kCharacters[] = {',', ';', '\t', ' '};
  return kCharacters[static_cast<std::size_t>(separator)];
}

// Reads line by line; a quoted field may span several.
class CsvReader {
 public:
  CsvReader(Separator separator, std::int64_t most_numbers)
      : separator_(separator),
        parser_(character(separator)),
        table_(allows_decimal_comma(separator), most_numbers) {}

  void add_line(std::string_view line) {
    ++line_;
    if (open_ == 0 && is_comment(line, separator_)) return;
    open_ += line.size() + 1;
    if (open_ > kLongestCsvLine)
      throw BadInput(place(line_) + " is longer than " + std::to_string(kLongestCsvLine) +
                     " bytes, or quotes before it are not closed");
    if (!parser_.parse(as_parsed(line)))
      throw BadInput(place(line_) + " has a misplaced quote; double it in quoted fields");
    if (trimmed_field(line).empty() && open_ == line.size() + 1) open_ = 0;
    take_records();
  }

  LabelledTable finish() {
    if (!parser_.finish()) throw BadInput("the file ends inside quotes");
    take_records();
    return table_.table();
  }

 private:
  // Normalises separators: one blank between fields and none around them, where blanks separate.
  std::string as_parsed(std::string_view line) const {
    if (separator_ != Separator::kBlanks) return std::string(line) + '\n';
    std::string parsed;
    for (const std::string_view field : split_fields(line, separator_)) {
      if (!parsed.empty()) parsed += ' ';
      parsed += field;
    }
    return parsed + '\n';
  }
  void take_records() {
    for (Fields& fields : parser_.take()) {
      table_.add(std::move(fields), line_);
      open_ = 0;
    }
  }

  Separator separator_;
  RecordParser parser_;
  Table table_;
  int line_ = 0;
  std::size_t open_ = 0;  // bytes since the last record
};

LabelledTable read(std::string_view text, attention::WorkWatch* watch, std::int64_t most_numbers) {
  const auto separator = table_separator(text);
  if (!separator)
    throw BadInput(
        "none of its first lines holds numbers, with commas, semicolons, "
        "tabs or blanks between them");
  CsvReader reader(*separator, most_numbers);
  for (text = without_byte_order_mark(text); !text.empty();) {
    const std::size_t before = text.size();
    reader.add_line(take_line(text));
    attention::report_work(watch, static_cast<Index>(before - text.size()));
  }
  return reader.finish();
}

}  // namespace

Expected<attention::Matrix> read_csv(std::string_view text, attention::WorkWatch* watch,
                                     std::int64_t most_numbers) {
  return read_labelled_csv(text, watch, most_numbers).map([](LabelledTable&& table) {
    return std::move(table.values);
  });
}

Expected<LabelledTable> read_labelled_csv(std::string_view text, attention::WorkWatch* watch,
                                          std::int64_t most_numbers) {
  return guarded([&] { return read(text, watch, most_numbers); });
}

}  // namespace lab::files
