#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/matrix.h"

namespace lab::files {

/// A member of a config.json that is itself an object, or the whole file. All functions throw
/// BadInput, with the member's name, when a value is not what is asked for; a member that is null
/// counts as missing.
class ConfigReader {
 public:
  /// Refers to `object`. `place` is empty for the whole file, else such as "rope_parameters.".
  explicit ConfigReader(const nlohmann::json& object, std::string place = "");

  /// Throws BadInput: the member and `problem`.
  [[noreturn]] void refuse(const char* name, const std::string& problem) const;

  /// The largest size and count.
  static constexpr attention::Index kLargestSize = attention::Index{1} << 30;

  /// True when it is there and not null.
  bool has(const char* name) const { return find(name) != nullptr; }
  /// True when it is there and null.
  bool says_null(const char* name) const;
  /// A whole number from 1 to `most`.
  attention::Index size(const char* name, attention::Index most = kLargestSize) const;
  /// A whole number from 1 to 2³⁰; `otherwise` when it is missing.
  attention::Index size_or(const char* name, attention::Index otherwise) const;
  /// A whole number from 0 to 2³⁰; `otherwise` when it is missing.
  attention::Index count_or(const char* name, attention::Index otherwise) const;
  /// A finite number; `otherwise` when it is missing.
  double number_or(const char* name, double otherwise) const;
  /// true or false; `otherwise` when it is missing.
  bool flag_or(const char* name, bool otherwise) const;
  /// A text; `otherwise` when it is missing.
  std::string text_or(const char* name, const std::string& otherwise) const;
  /// A list of texts; empty when it is missing.
  std::vector<std::string> texts(const char* name) const;
  /// An object; nothing when it is missing.
  std::optional<ConfigReader> object(const char* name) const;
  /// A member of any type; null when it is missing.
  const nlohmann::json* find(const char* name) const;

 private:
  const nlohmann::json* object_;
  std::string place_;
};

}  // namespace lab::files
