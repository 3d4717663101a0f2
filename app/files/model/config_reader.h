#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/base/json_cursor.h"
#include "core/matrix.h"

namespace lab::files {

/// A whole number from 1 to 2³⁰. Throws BadInput.
attention::Index read_size(const JsonCursor& value);

/// A member of a config.json that is itself an object, or the whole file. All functions throw
/// BadInput, with the member's name, when a value is not what is asked for. A member that is null
/// is not missing: only the functions whose name begins with "optional" take it, as the reference
/// takes null only for members whose type says so.
class ConfigReader {
 public:
  /// Refers to `object`. `prefix` is empty for the whole file, else such as "rope_parameters.".
  explicit ConfigReader(const nlohmann::json& object, const std::string& prefix = "");

  /// Throws BadInput: the member and `problem`.
  [[noreturn]] void refuse(const char* name, const std::string& problem) const {
    throw BadInput(object_.path_of(name) + ": " + problem);
  }

  /// The largest size and count.
  static constexpr attention::Index kLargestSize = attention::Index{1} << 30;

  /// True when it is there and not null.
  bool has(const char* name) const { return object_.has(name) && !says_null(name); }
  /// True when it is there and null.
  bool says_null(const char* name) const {
    return object_.has(name) && object_.at(name).value().is_null();
  }
  /// A whole number from 1 to 2³⁰, which must be there.
  attention::Index size(const char* name) const;
  /// A whole number from 1 to `most`; `otherwise` when it is missing.
  attention::Index size_or(const char* name, attention::Index otherwise,
                           attention::Index most = kLargestSize) const;
  /// A whole number from 1 to 2³⁰; std::nullopt when it is missing or null.
  std::optional<attention::Index> optional_size(const char* name) const;
  /// A whole number from 0 to 2³⁰; `otherwise` when it is missing.
  attention::Index count_or(const char* name, attention::Index otherwise) const;
  /// A finite number; `otherwise` when it is missing.
  double number_or(const char* name, double otherwise) const;
  /// A finite number; std::nullopt when it is missing or null.
  std::optional<double> optional_number(const char* name) const;
  /// true or false; `otherwise` when it is missing.
  bool flag_or(const char* name, bool otherwise) const;
  /// A text; `otherwise` when it is missing.
  std::string text_or(const char* name, const std::string& otherwise) const;
  /// A list of texts; empty when it is missing or null.
  std::vector<std::string> texts(const char* name) const;
  /// A list of finite numbers, which must be there.
  std::vector<double> numbers(const char* name) const;
  /// An object; std::nullopt when it is missing or null.
  std::optional<ConfigReader> object(const char* name) const;
  /// A member of any type, also null; a null pointer when it is missing.
  const nlohmann::json* find(const char* name) const;
  /// All members.
  const nlohmann::json& value() const { return object_.value(); }

 private:
  JsonCursor object_;
};

}  // namespace lab::files
