#include "app/files/import/text_vectors.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <unordered_map>

#include "app/base/bad_input.h"
#include "app/base/letter_case.h"
#include "app/base/machine_numbers.h"
#include "app/base/number_reading.h"
#include "app/base/unicode_text.h"
#include "app/base/wording.h"
#include "core/config.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::RowVector;
using LineFields = std::vector<std::string_view>;

std::string in_lower_case(const std::string& word) {
  return is_utf8(word) ? lower_case(word) : word;
}

// Takes lines and keeps the vectors of the requested words.
class VectorReader {
 public:
  explicit VectorReader(const std::vector<std::string>& words)
      : words_(words.begin(), words.end()) {
    for (const std::string& word : words_) {
      requested_.emplace(word, RowVector());
      requested_.emplace(in_lower_case(word), RowVector());
    }
    missing_ = words_.size();
  }

  // True as long as words are missing.
  bool wants_more() const { return missing_ > 0; }

  void add(std::string_view line) {
    ++line_;
    if (line.size() > kLongestVectorLine) refuse_length();
    if (line_ == 1) line = without_byte_order_mark(line);
    line = trimmed_field(line);
    if (line.empty() || (line_ == 1 && take_first_line(line))) return;
    if (dimension_ == 0) set_dimension(numbers_at_end(split_fields(line, Separator::kBlanks)));
    ++vectors_;
    // The line must be split only if a word contains blanks or a number is wrong.
    const auto blanks = static_cast<std::size_t>(std::ranges::count(line, ' '));
    if (blanks == dimension_) return keep(line.substr(0, line.find(' ')), line);
    keep(word_of(line), line);
  }

  [[noreturn]] void refuse_length() const {
    throw BadInput(place() + " is longer than " + std::to_string(kLongestVectorLine) + " bytes");
  }

  WordVectors result() const {
    if (wants_more() && vectors_ < promised_)
      throw BadInput("the file ends after " + grouped(static_cast<Index>(vectors_)) + " of the " +
                     grouped(static_cast<Index>(promised_)) +
                     " words that its first line promises");
    if (dimension_ == 0) throw BadInput("it holds no word with a vector");
    WordVectors result;
    result.dimension = static_cast<Index>(dimension_);
    for (const std::string& word : words_) add_found(word, result);
    return result;
  }

 private:
  std::string place() const { return "line " + std::to_string(line_); }

  // Reads "count dimension", the first line of word2vec; false when it is already a vector.
  bool take_first_line(std::string_view line) {
    const LineFields fields = split_fields(line, Separator::kBlanks);
    if (fields.size() != 2) return false;
    const auto count = parse_number<std::uint64_t>(fields[0]),
               dimension = parse_number<std::uint64_t>(fields[1]);
    if (!count || !dimension) return false;
    promised_ = *count;
    set_dimension(*dimension);
    return true;
  }

  // The first field is the word, whether or not it is a number.
  std::size_t numbers_at_end(const LineFields& fields) const {
    std::size_t count = 0;
    while (count + 1 < fields.size() && is_number(fields[fields.size() - 1 - count])) ++count;
    if (count == 0) throw BadInput(place() + " is not a word followed by numbers");
    return count;
  }

  void set_dimension(std::uint64_t dimension) {
    constexpr std::uint64_t kMost = attention::Limits::kDModel;
    if (dimension < 1 || dimension > kMost)
      throw BadInput(place() + ": vectors of " + std::to_string(dimension) +
                     " numbers; there may be 1 to " + std::to_string(kMost));
    dimension_ = dimension;
  }

  std::string_view word_of(std::string_view line) const {
    const LineFields fields = split_fields(line, Separator::kBlanks);
    const std::size_t words = fields.size() - std::min(fields.size(), dimension_);
    const bool too_many = words > 1 && is_number(fields[words - 1]);
    if (words == 0 || too_many)
      throw BadInput(place() + " has " +
                     std::to_string(too_many ? numbers_at_end(fields) : fields.size() - 1) +
                     " numbers after its word, there should be " + std::to_string(dimension_));
    const std::string_view last = fields[words - 1];
    return line.substr(0, static_cast<std::size_t>(last.data() + last.size() - line.data()));
  }

  void keep(std::string_view word, std::string_view line) {
    const auto found = requested_.find(std::string(word));
    if (found == requested_.end() || found->second.size() > 0) return;
    found->second = numbers_of(line);
    if (words_.contains(word)) --missing_;
  }

  RowVector numbers_of(std::string_view line) const {
    const LineFields fields = split_fields(line, Separator::kBlanks);
    if (fields.size() <= dimension_) (void)word_of(line);
    RowVector row(static_cast<Index>(dimension_));
    for (std::size_t i = 0; i < dimension_; ++i) {
      const std::string_view text = fields[fields.size() - dimension_ + i];
      const NumberField field = read_number(text);
      if (field.status != NumberStatus::kNumber)
        throw BadInput(place() + ", number " + std::to_string(i + 1) + ": " + in_quotes(text) +
                       (field.status == NumberStatus::kNone ? " is not a number"
                                                            : " is beyond the range of float32"));
      row[static_cast<Index>(i)] = field.value;
    }
    return row;
  }

  void add_found(const std::string& word, WordVectors& result) const {
    const RowVector& exact = requested_.at(word);
    const RowVector& lower = requested_.at(in_lower_case(word));
    if (exact.size() == 0 && lower.size() == 0) {
      result.missing.push_back(word);
      return;
    }
    if (exact.size() == 0) result.lowered.push_back(word);
    result.rows.emplace(word, exact.size() > 0 ? exact : lower);
  }

  std::set<std::string, std::less<>> words_;
  std::unordered_map<std::string, RowVector> requested_;  // empty rows until they are found
  std::size_t missing_ = 0;  // words whose exact spelling was not found yet
  std::size_t line_ = 0, vectors_ = 0;
  std::size_t dimension_ = 0;  // 0 until it is known
  std::uint64_t promised_ = 0;
};

// Fills a buffer and returns the number of bytes; 0 at the end.
using ReadSome = std::function<std::size_t(char* buffer, std::size_t size)>;

void read_lines(VectorReader& reader, const ReadSome& read_some, attention::WorkWatch* watch) {
  std::string chunk(std::size_t{1} << 16, '\0');
  std::string pending;
  while (reader.wants_more()) {
    const std::size_t count = read_some(chunk.data(), chunk.size());
    attention::report_work(watch, static_cast<Index>(count));
    if (count == 0) break;
    pending.append(chunk, 0, count);
    std::string_view rest = pending;
    while (reader.wants_more() && rest.find('\n') != rest.npos) reader.add(take_line(rest));
    pending.erase(0, pending.size() - rest.size());
    if (pending.size() > kLongestVectorLine) break;
  }
  if (!pending.empty() && reader.wants_more()) reader.add(pending);
}

Expected<WordVectors> read_vectors(const std::vector<std::string>& words, const ReadSome& read_some,
                                   attention::WorkWatch* watch) {
  return guarded([&] {
    VectorReader reader(words);
    read_lines(reader, read_some, watch);
    return reader.result();
  });
}

tl::unexpected<Error> cannot_read(const std::string& path) {
  return fail(ErrorType::kIo,
              "cannot read " + in_quotes(path) + ": " + std::generic_category().message(errno));
}

}  // namespace

Expected<WordVectors> read_text_vectors(std::string_view text,
                                        const std::vector<std::string>& words,
                                        attention::WorkWatch* watch) {
  attention::expect_work(watch, static_cast<Index>(text.size()));
  return read_vectors(
      words,
      [&](char* buffer, std::size_t size) {
        const std::size_t count = text.copy(buffer, size);
        text.remove_prefix(count);
        return count;
      },
      watch);
}

Expected<WordVectors> read_text_vectors_at(const std::string& path,
                                           const std::vector<std::string>& words,
                                           attention::WorkWatch* watch) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                             std::fclose);
  if (!file) return cannot_read(path);
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  attention::expect_work(watch, error ? 0 : static_cast<Index>(size));
  auto vectors = read_vectors(
      words,
      [&](char* buffer, std::size_t room) { return std::fread(buffer, 1, room, file.get()); },
      watch);
  if (std::ferror(file.get()) != 0) return cannot_read(path);
  return vectors;
}

}  // namespace lab::files
