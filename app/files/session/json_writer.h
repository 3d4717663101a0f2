#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/base/machine_numbers.h"
#include "core/matrix.h"

namespace lab::files {

/// Lays out JSON for people: one member per line, nested values indented by two, one matrix row per
/// line.
class JsonWriter {
 public:
  /// The text written so far, ended by a line end.
  std::string take();

  /// Opens an object or a list, given its opening bracket.
  void begin(char bracket);
  /// Closes an object or a list, given its closing bracket.
  void end(char bracket);
  /// Begins the next element of a list, on a line of its own.
  void element();
  /// Begins the next member of an object.
  void member(std::string_view name);

  /// Writes JSON as it is.
  void raw(std::string_view text) { text_ += text; }
  /// Writes a text.
  void string(std::string_view text) { text_ += json_string(text); }
  /// Writes a number that reads back bit for bit.
  void number(float value) { append_json_float(text_, value); }
  /// Writes a list on one line; `values` is any row of an Eigen matrix.
  void row(const auto& values) {
    text_ += '[';
    for (attention::Index j = 0; j < values.size(); ++j) {
      if (j > 0) text_ += ", ";
      number(values(j));
    }
    text_ += ']';
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
  bool first_ = true;
};

}  // namespace lab::files
