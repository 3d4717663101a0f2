#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/bad_input.h"

namespace lab::tokenizer {

/// A value in a tokenizer.json, and its path there for messages: "model.vocab". All functions
/// throw BadInput, with the path, when the value is not what is asked for.
class JsonNode {
 public:
  /// Refers to `value`. `path` is empty for the whole file.
  JsonNode(const rapidjson::Value& value, std::string path)
      : value_(&value), path_(std::move(path)) {}

  /// Throws BadInput: the path, and `problem`.
  [[noreturn]] void refuse(const std::string& problem) const;

  /// The value itself, unchecked.
  const rapidjson::Value& value() const { return *value_; }
  /// Where it stands in the file, as messages say it; empty for the whole file.
  const std::string& path() const { return path_; }

  /// The member `name` of an object.
  JsonNode member(const char* name) const;
  /// The same; nothing if it is missing or null.
  std::optional<JsonNode> find(const char* name) const;
  /// The items of a list.
  std::vector<JsonNode> items() const;

  /// A text; valid as long as the value.
  std::string_view text() const;
  /// True or false.
  bool flag() const;
  /// A whole number from 0 to `most`.
  std::uint64_t count(std::uint64_t most) const;
  /// A text of one character.
  std::string_view character() const;

  /// The member `name`, or `otherwise` if it is missing or null.
  std::string text_or(const char* name, std::string_view otherwise) const;
  /// The same for true and false.
  bool flag_or(const char* name, bool otherwise) const;

 private:
  const rapidjson::Value* value_;
  std::string path_;
};

/// The text of a JSON string.
inline std::string_view view_of(const rapidjson::Value& text) {
  return {text.GetString(), text.GetStringLength()};
}

/// The entry of `table`, which has members `name` and `value`, that `node` names. Throws BadInput
/// with all names when there is none.
template <typename Entry, std::size_t count>
auto named_value(const Entry (&table)[count], const JsonNode& node) {
  std::string known;
  for (const Entry& entry : table) {
    if (node.text() == entry.name) return entry.value;
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  node.refuse(in_quotes(node.text()) + " is not supported; supported are " + known);
}

/// Calls `read(node)` for `node`, or, if it is a node of type Sequence, for each item of its member
/// `list`, and those of Sequences in it.
template <typename Read>
void for_each_in_sequence(const JsonNode& node, const char* list, Read&& read) {
  const auto type = node.find("type");
  if (!type || type->text() != "Sequence") return read(node);
  for (const JsonNode& item : node.member(list).items()) for_each_in_sequence(item, list, read);
}

}  // namespace lab::tokenizer
