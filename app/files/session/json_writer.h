#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/base/machine_numbers.h"
#include "core/matrix.h"

namespace lab::files {

/// How an object or a list is laid out.
enum class JsonLayout {
  kLines,    ///< for people: one member or item per line, nested values indented by two
  kOneLine,  ///< on one line, with blanks, together with all that is in it
  kCompact,  ///< without blanks, together with all that is in it
};

/// Writes JSON, by default for people, with one matrix row per line.
class JsonWriter {
 public:
  /// The text written so far, ended by a line end.
  std::string take();

  /// The text written so far, without a line end.
  const std::string& text() const { return text_; }

  /// Opens an object or a list, given its opening bracket. Within one that is not laid out in lines
  /// its own layout counts.
  void begin(char bracket, JsonLayout layout = JsonLayout::kLines);
  /// Closes an object or a list, given its closing bracket.
  void end(char bracket);
  /// Writes an object, whose members write() writes.
  void object(auto&& write) {
    begin('{');
    write();
    end('}');
  }
  /// Writes a list, whose items write(item) writes.
  void list(const auto& items, auto&& write, JsonLayout layout = JsonLayout::kLines) {
    begin('[', layout);
    for (const auto& item : items) {
      element();
      write(item);
    }
    end(']');
  }
  /// Begins the next element of a list, on a separate line where the list has lines.
  void element();
  /// Begins the next member of an object.
  void member(std::string_view name);

  /// Writes JSON as it is.
  void raw(std::string_view text) { text_ += text; }
  /// Writes a text.
  void string(std::string_view text) { text_ += json_string(text); }
  /// Writes a number that reads back bit for bit.
  void number(float value) { append_json_float(text_, value); }
  /// Writes true or false.
  void flag(bool value) { text_ += value ? "true" : "false"; }
  /// Writes a whole number.
  void whole(auto value) { text_ += std::to_string(value); }
  /// Writes a list on one line; `values` is any row of an Eigen matrix.
  void row(const auto& values) {
    text_ += '[';
    for (attention::Index j = 0; j < values.size(); ++j) {
      if (j > 0) text_ += ", ";
      number(values(j));
    }
    text_ += ']';
  }
  /// Writes a list of the rows, each on a line.
  void rows(const attention::Matrix& values) {
    list(values.rowwise(), [&](const auto& one) { row(one); });
  }
  /// Writes a list of whole numbers on one line.
  void whole_numbers(const auto& numbers) {
    std::string list;
    for (const auto& number : numbers) list += (list.empty() ? "" : ", ") + std::to_string(number);
    raw("[" + list + "]");
  }
  /// Writes a list of texts on one line.
  void strings(const std::vector<std::string>& texts);

 private:
  void line();

  std::string text_;
  int indent_ = 0;
  int flat_ = 0;  // how many of the open objects and lists are not laid out in lines
  JsonLayout layout_ = JsonLayout::kLines;  // of the outermost of them
  bool first_ = true;
};

}  // namespace lab::files
