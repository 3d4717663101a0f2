#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/bad_input.h"

namespace lab {

/// How one kind of JSON words its refusals.
struct JsonWording {
  const char* text;  ///< what a text should be: "text in quotes"
  /// The sentence about `value` at `path`, which should be `expected`.
  std::string (*wrong)(const std::string& path, const nlohmann::json& value,
                       const std::string& expected);
  /// The sentence about a member that must be there and is not.
  std::string (*missing)(const std::string& path);
  /// The sentence about a member of the object at `path` that nobody knows.
  std::string (*unknown)(const std::string& path, const std::string& name);
};

/// Of files: "heads[2].W_Q: 3, should be a list"; a text should be "text in quotes".
extern const JsonWording kFileWording;
/// The same, where a text should be "a text".
extern const JsonWording kTextWording;
/// The same without the value: "curve.step: should be a list".
extern const JsonWording kShortWording;

/// A value in JSON from outside and its path there, which messages name: "heads[2].W_Q". All
/// functions throw BadInput, in the sentences of the wording, when the value is not what is asked
/// for. It refers to the value, which must outlive it.
class JsonCursor {
 public:
  /// A whole file. Its members are called by their names alone; messages about itself call it
  /// `name`.
  explicit JsonCursor(const nlohmann::json& root, const char* name = "",
                      const JsonWording& wording = kFileWording)
      : value_(&root), root_(name), wording_(&wording) {}
  /// The value at `path`; the members of one at "curve." are called "curve.step" too.
  JsonCursor(const nlohmann::json& value, std::string path,
             const JsonWording& wording = kFileWording)
      : value_(&value), path_(std::move(path)), wording_(&wording) {}

  /// The JSON value itself, unchecked.
  const nlohmann::json& value() const { return *value_; }
  /// What messages call it.
  std::string path() const { return path_.empty() ? root_ : path_; }
  /// What messages call its member of that name.
  std::string path_of(std::string_view member) const;

  /// Throws BadInput: "path: what".
  [[noreturn]] void refuse(const std::string& what) const;
  /// Throws BadInput: "path: 5, should be `expected`".
  [[noreturn]] void wrong(const std::string& expected) const;

  /// Whether it is an object with that member, also null.
  bool has(std::string_view name) const;
  /// The member of that name, if it is there.
  std::optional<JsonCursor> find(std::string_view name) const;
  /// The member of that name, which must be there.
  JsonCursor at(std::string_view name) const;
  /// The item of a list.
  JsonCursor item(std::size_t index) const;

  /// Itself, which must be an object.
  const JsonCursor& object() const;
  /// Itself, which must be an object whose members are all among `names`.
  const JsonCursor& object_of(std::span<const std::string_view> names) const;
  /// As above, for names written out at the call.
  const JsonCursor& object_of(std::initializer_list<std::string_view> names) const {
    return object_of(std::span(names.begin(), names.size()));
  }
  /// Itself, which must be a list of at most `most` items.
  const JsonCursor& list(std::size_t most = std::numeric_limits<std::size_t>::max()) const;
  /// Itself, which must be a list of `count` numbers.
  const JsonCursor& numbers(std::size_t count) const;
  /// What `read(item)` makes of each item of a list of at most `most`.
  template <typename Read>
  auto read_each(Read&& read, std::size_t most = std::numeric_limits<std::size_t>::max()) const {
    std::vector<decltype(read(*this))> results;
    for (std::size_t i = 0; i < list(most).value_->size(); ++i) results.push_back(read(item(i)));
    return results;
  }
  /// Calls `visit(item)` for each item of a list.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < list().value_->size(); ++i) visit(item(i));
  }

  /// A text.
  std::string text() const;
  /// A list of texts.
  std::vector<std::string> texts() const;
  /// true or false.
  bool flag() const;
  /// A whole number from 0 that fits an int.
  int whole() const;
  /// A whole number from 0 to 2⁶⁴ − 1.
  std::uint64_t seed() const;
  /// A number within float32, or one of the strings "NaN", "Infinity", "-Infinity".
  float number() const;
  /// What `from_name` makes of a text; where that is nothing, refuses the text, in quotes, and
  /// `problem` after it.
  template <typename FromName>
  auto named(FromName from_name, const std::string& problem) const {
    const std::string name = text();
    const auto value = from_name(name);
    if (!value) refuse(in_quotes(name) + problem);
    return *value;
  }

 private:
  const nlohmann::json* value_;
  std::string path_;  // empty: the whole file
  const char* root_ = "";
  const JsonWording* wording_;
};

}  // namespace lab
