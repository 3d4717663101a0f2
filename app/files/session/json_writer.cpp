#include "app/files/session/json_writer.h"

#include <utility>

namespace lab::files {

std::string JsonWriter::take() {
  text_ += '\n';
  return std::move(text_);
}

void JsonWriter::begin(char bracket, JsonLayout layout) {
  text_ += bracket;
  if (flat_ == 0) layout_ = layout;
  if (layout_ == JsonLayout::kLines) {
    indent_ += 2;
  } else {
    ++flat_;
  }
  first_ = true;
}

void JsonWriter::end(char bracket) {
  if (flat_ == 0) {
    indent_ -= 2;
    if (!first_) line();
  } else if (--flat_ == 0) {
    layout_ = JsonLayout::kLines;
  }
  text_ += bracket;
  first_ = false;
}

void JsonWriter::element() {
  if (!first_) text_ += layout_ == JsonLayout::kOneLine ? ", " : ",";
  first_ = false;
  if (layout_ == JsonLayout::kLines) line();
}

void JsonWriter::member(std::string_view name) {
  element();
  text_ += json_string(name) + (layout_ == JsonLayout::kCompact ? ":" : ": ");
}

void JsonWriter::strings(const std::vector<std::string>& texts) {
  text_ += '[';
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) text_ += ", ";
    string(texts[i]);
  }
  text_ += ']';
}

void JsonWriter::line() {
  text_ += '\n';
  text_.append(static_cast<std::size_t>(indent_), ' ');
}

}  // namespace lab::files
