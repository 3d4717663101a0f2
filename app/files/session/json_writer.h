#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/base/float_text.h"
#include "core/matrix.h"

namespace lab::files {

/// Lays out JSON for people: one member a line, what is nested indented by two, a matrix row a
/// line.
class JsonWriter {
 public:
  /// The text that was written, and a line end.
  std::string take();

  /// Opens and closes an object or a list, by its bracket.
  void begin(char bracket);
  void end(char bracket);
  /// Begins the next element of a list, on a line of its own.
  void element();
  /// Begins the next member of an object.
  void member(std::string_view name);

  /// Values: JSON as it is, a text, a number that reads back bit for bit.
  void raw(std::string_view text) { text_ += text; }
  void string(std::string_view text) { text_ += json_string(text); }
  void number(float value) { append_json_float(text_, value); }
  /// Lists on one line; `values` is any row of an Eigen matrix.
  void row(const auto& values) {
    text_ += '[';
    for (attention::Index j = 0; j < values.size(); ++j) {
      if (j > 0) text_ += ", ";
      number(values(j));
    }
    text_ += ']';
  }
  void strings(const std::vector<std::string>& texts);

 private:
  void line();

  std::string text_;
  int indent_ = 0;
  bool first_ = true;
};

}  // namespace lab::files
