#include <csv.h>

#include <algorithm>
#include <new>
#include <utility>

#include "app/base/bad_input.h"
#include "app/files/import/csv.h"
#include "app/files/import/table_text.h"

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
bool is_malformed_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return text.find_first_of("0123456789") != text.npos &&
         text.find_first_not_of("0123456789.,' ") == text.npos;
}

// True for a quoted "0,25" or "1,5", whose comma is a decimal comma; "1,250" may mean thousands.
bool has_decimal_comma(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos || text.find(',', comma + 1) != text.npos) return false;
  std::string_view whole = text.substr(0, comma);
  if (whole.starts_with('-') || whole.starts_with('+')) whole.remove_prefix(1);
  constexpr std::size_t kThousands = 3;
  return whole == "0" || text.size() - comma - 1 != kThousands;
}

// Collects records into a table of numbers and its labels. Whether the first fields are labels, and
// whether the first line is one of labels, may be known only at the end: numbers can be tokens.
class Table {
 public:
  Table(bool decimal_comma, std::int64_t most_numbers)
      : decimal_comma_(decimal_comma), most_numbers_(most_numbers) {}

  void add(Fields fields, int line) {
    const std::size_t expected = fields_ > 0 ? fields_ : first_.size();
    if (fields.size() > 1 && fields.back().empty() && fields.size() != expected) fields.pop_back();
    if (heading_.empty() && first_.empty() && fields_ == 0) {
      if (is_heading(fields)) {
        labelled_rows_ = fields.front().empty() && fields.size() > 1;
        heading_ = std::move(fields);
        return;
      }
      if (may_be_heading(fields)) {
        first_ = std::move(fields), first_line_ = line;
        return;
      }
    }
    add_row(std::move(fields), line);
  }

  LabelledTable table() {
    settle_first();
    if (fields_ == 0) throw BadInput("it holds no numbers");
    if (!labelled_rows_ && heading_.size() == fields_ && fields_ > 1 &&
        std::equal(heading_.begin() + 1, heading_.end(), rows_.begin(), rows_.end()))
      labelled_rows_ = true;
    if (!labelled_rows_ && !word_.empty()) throw BadInput(word_);
    const auto columns = static_cast<Index>(fields_ - (labelled_rows_ ? 1 : 0));
    const auto rows = static_cast<Index>(lines_.size());
    LabelledTable table{attention::Matrix(rows, columns), {}, heading_, lines_};
    const Eigen::Map<const attention::Matrix> all(values_.data(), rows,
                                                  static_cast<Index>(fields_));
    table.values = all.rightCols(columns);
    if (labelled_rows_) table.rows = rows_;
    const bool last_is_empty = labelled_rows_ && !heading_.empty() && heading_.front().empty() &&
                               heading_.size() + 1 == fields_;
    if (last_is_empty) table.columns.emplace_back();
    if (table.columns.size() > static_cast<std::size_t>(columns))
      table.columns.erase(table.columns.begin());
    return table;
  }

 private:
  bool is_heading(const Fields& fields) const {
    if (fields.front().empty() && fields.size() > 1) return true;
    const auto words = std::ranges::count_if(
        fields, [&](const std::string& field) { return !is_number(field, decimal_comma_); });
    return 2 * static_cast<std::size_t>(words) > fields.size();
  }

  // A word in the corner, and tokens of which some are numbers.
  bool may_be_heading(const Fields& fields) const {
    return fields.size() > 1 && !is_number(fields.front(), decimal_comma_) &&
           !is_malformed_number(fields.front());
  }

  // The first line is one of labels when the first fields of the others are the same labels.
  void settle_first() {
    if (first_.empty()) return;
    Fields first = std::exchange(first_, {});
    if (!rows_.empty() && first.size() == fields_ &&
        std::equal(first.begin() + 1, first.end(), rows_.begin(), rows_.end())) {
      heading_ = std::move(first);
      labelled_rows_ = true;
      return;
    }
    Table alone(decimal_comma_, most_numbers_);
    alone.add_row(std::move(first), first_line_);
    values_.insert(values_.begin(), alone.values_.begin(), alone.values_.end());
    rows_.insert(rows_.begin(), alone.rows_.front());
    lines_.insert(lines_.begin(), first_line_);
    labelled_rows_ = true, fields_ = alone.fields_;
  }

  // The first line of numbers determines the layout of all.
  void begin(const Fields& fields, int line) {
    fields_ = fields.size(), numbers_line_ = line;
    const bool label = fields.size() > 1 && !is_number(fields.front(), decimal_comma_);
    const std::size_t labels = heading_.size();
    labelled_rows_ = labelled_rows_ || label || (labels > 0 && labels + 1 == fields_);
    if (labels > 0 && labels != fields_ && labels + 1 != fields_)
      throw BadInput(place(line) + " has " + field_count(fields_) + ", the line of labels has " +
                     std::to_string(labels));
    if (fields_ == 1 && labelled_rows_) throw BadInput(place(line) + " has no number");
    if (label && labels == 0 && is_malformed_number(fields.front()))
      throw BadInput(place(line) + ", field 1: " + in_quotes(fields.front()) + " is not a number");
  }

  void add_row(Fields fields, int line) {
    if (!first_.empty() && fields.size() != first_.size())
      throw BadInput(place(line) + " has " + field_count(fields.size()) + ", " +
                     place(first_line_) + " has " + std::to_string(first_.size()));
    if (fields_ == 0) begin(fields, line);
    if (fields.size() != fields_)
      throw BadInput(place(line) + " has " + field_count(fields.size()) + ", " +
                     place(numbers_line_) + " has " + std::to_string(fields_));
    const std::size_t labels = labelled_rows_ ? lines_.size() + 1 : 0;
    if (static_cast<std::int64_t>(values_.size() + fields_ - labels) > most_numbers_)
      throw BadInput("more than " + std::to_string(most_numbers_) + " numbers");
    add_first(fields.front(), line);
    for (std::size_t i = 1; i < fields_; ++i) add_number(fields[i], line, i + 1);
    rows_.push_back(std::move(fields.front()));
    lines_.push_back(line);
  }

  // A label, or a number that may turn out to be one. A word after numbers can only be a label of a
  // table whose line of labels has it at the same place.
  void add_first(const std::string& text, int line) {
    const std::size_t at = lines_.size() + 1;
    const bool word = !is_number(text, decimal_comma_);
    if (word && !labelled_rows_ && at < heading_.size() && heading_[at] == text && word_.empty())
      word_ = place(line) + ", field 1: " + in_quotes(text) + " is not a number";
    if (labelled_rows_ || !first_.empty() || (word && !word_.empty())) {
      values_.push_back(0);
    } else {
      add_number(text, line, 1);
    }
  }

  void add_number(const std::string& text, int line, std::size_t number) {
    const NumberField field = read_number(text, decimal_comma_ || has_decimal_comma(text));
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
  std::size_t fields_ = 0;      // of every line but that of labels; 0 until there is one
  int numbers_line_ = 0;        // the first that had them
  bool labelled_rows_ = false;  // the first field of a line is no number
  std::vector<float> values_;   // of all fields; 0 in place of a label
  Fields heading_, rows_;       // the line of labels; the first fields of the others
  Fields first_;                // the first line, as long as it may be one of labels
  int first_line_ = 0;
  std::string word_;  // what to say of a word among numbers, unless it turns out to be a label
  std::vector<int> lines_;
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

  // Takes the next line off `text`. Inside quotes only "\n" ends it, so that each "\r" of a field
  // stays.
  void take(std::string_view& text) {
    ++line_;
    std::string_view rest = text;
    if (!in_quotes_ && text.starts_with('#') && is_comment(take_line(rest), separator_)) {
      text = rest;
      return;
    }
    add(quoted_line(text));
  }

  // Takes a line off `text` that is not part of the table.
  void skip(std::string_view& text) {
    ++line_;
    (void)take_line(text);
  }

  LabelledTable finish() {
    if (!parser_.finish()) throw BadInput("the file ends inside quotes");
    take_records();
    return table_.table();
  }

 private:
  std::string_view quoted_line(std::string_view& text) {
    std::size_t end = 0;
    for (; end < text.size() && text[end] != '\n'; ++end) {
      if (text[end] == '"') in_quotes_ = !in_quotes_;
      if (text[end] == '\r' && (!in_quotes_ || separator_ == Separator::kBlanks)) break;
    }
    const std::string_view line = text.substr(0, end);
    const bool both = text.substr(end).starts_with("\r\n");
    text.remove_prefix(std::min(text.size(), end + (both ? 2 : 1)));
    return line;
  }

  void add(std::string_view line) {
    open_ += line.size() + 1;
    if (open_ > kLongestCsvLine)
      throw BadInput(place(line_) + " is longer than " + std::to_string(kLongestCsvLine) +
                     " bytes, or quotes before it are not closed");
    if (!parser_.parse(as_parsed(line)))
      throw BadInput(place(line_) + " has a misplaced quote; double it in quoted fields");
    if (trimmed_field(line).empty() && open_ == line.size() + 1) open_ = 0;
    take_records();
  }

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
      in_quotes_ = false;
      table_.add(std::move(fields), line_);
      open_ = 0;
    }
  }

  Separator separator_;
  RecordParser parser_;
  Table table_;
  int line_ = 0;
  std::size_t open_ = 0;    // bytes since the last record
  bool in_quotes_ = false;  // the next line continues a field
};

LabelledTable read(std::string_view text, attention::WorkWatch* watch, std::int64_t most_numbers) {
  const auto separator = table_separator(text);
  if (!separator)
    throw BadInput(
        "none of its first lines holds numbers, with commas, semicolons, "
        "tabs or blanks between them");
  CsvReader reader(*separator, most_numbers);
  text = without_byte_order_mark(text);
  if (named_separator(text)) reader.skip(text);
  while (!text.empty()) {
    const std::size_t before = text.size();
    reader.take(text);
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
