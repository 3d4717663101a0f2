#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "app/base/bad_input.h"
#include "core/numerics/work_watch.h"

namespace lab {

/// Most values in a file that has no narrower limit of its own.
inline constexpr std::size_t kMostJsonValues = std::size_t{1} << 25;

/// Limits of JSON from outside, besides its depth of 64 levels.
struct JsonLimits {
  std::size_t most_values = kMostJsonValues;
  std::size_t text_or_list_counts =
      4;  ///< number of values that a string, list or object counts as
  std::size_t most_members = kMostJsonValues;  ///< per object
  bool nested_objects = true;                  ///< whether an object may stand within another value
};

/// Thrown by parse_json; its parts let a caller word the message itself.
struct BadJson : BadInput {
  enum class Problem { kSyntax, kNumber, kRepeatedMember, kLimit };

  /// What throws it sets `at` or `member`, where they apply.
  BadJson(Problem type, const std::string& message) : BadInput(message), problem(type) {}

  Problem problem;
  std::size_t at = 0;  ///< of kSyntax: the byte offset, from 0
  std::string member;  ///< of kRepeatedMember: its name
};

/// Parses JSON from outside. Throws BadJson, with line and column where possible, when the text is
/// not JSON, contains a NUL byte, is nested deeper than 64 levels, repeats a member within an
/// object, has a number beyond double, or exceeds `limits`.
/// Numbers with decimals are rounded to float32 directly from their digits, so that the output of
/// append_float reads back bit for bit; a number beyond float32 stays a double. Reports the bytes
/// of `text` to `watch`, which may be null, as it parses; throws as `watch` does.
nlohmann::json parse_json(std::string_view text, const JsonLimits& limits,
                          attention::WorkWatch* watch = nullptr);
/// The same with no limit but `most_values`.
nlohmann::json parse_json(std::string_view text, std::size_t most_values = kMostJsonValues,
                          attention::WorkWatch* watch = nullptr);

/// The number in `value`: a JSON number, or "NaN", "Infinity", "-Infinity". Throws BadInput when it
/// is something else or beyond float32.
float json_float(const nlohmann::json& value);

/// `value` as a message shows it: the number, the text in quotes, "a list", "an object", "nothing".
std::string json_text(const nlohmann::json& value);

}  // namespace lab
