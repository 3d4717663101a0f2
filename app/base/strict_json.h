#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "app/base/bad_input.h"
#include "core/numerics/work_watch.h"

namespace lab {

/// Most values of a file that no narrower limit is known for.
inline constexpr std::size_t kMostJsonValues = std::size_t{1} << 25;

/// What JSON from outside may hold at most, beyond its depth of 64 levels.
struct JsonLimits {
  std::size_t most_values = kMostJsonValues;
  std::size_t text_or_list_counts = 4;  ///< how many values a string, list or object counts as
  std::size_t most_members = kMostJsonValues;  ///< of one object
  bool nested_objects = true;                  ///< an object may stand within another value
};

/// What parse_json throws, for a caller that says it in its own words.
struct BadJson : BadInput {
  enum class Problem { kSyntax, kNumber, kRepeatedMember, kLimit };

  BadJson(Problem kind, const std::string& message) : BadInput(message), problem(kind) {}

  Problem problem;
  std::size_t at = 0;  ///< of kSyntax: the byte, from 0
  std::string member;  ///< of kRepeatedMember
};

/// Parses JSON that came from outside. Throws BadJson, with line and column where it can, when
/// the text is no JSON, holds a NUL byte, is nested deeper than 64 levels, has a member twice in
/// one object, a number beyond double, or more than `limits` allow.
/// Numbers that are not whole are rounded to float32 straight from their digits, so that what
/// append_float wrote reads back bit for bit; one that float32 cannot hold stays a double.
/// Tells `watch`, which may be null, of some of the bytes of `text` as it comes past them; throws
/// as it does.
nlohmann::json parse_json(std::string_view text, const JsonLimits& limits,
                          attention::WorkWatch* watch = nullptr);
/// The same with no limit but `most_values`.
nlohmann::json parse_json(std::string_view text, std::size_t most_values = kMostJsonValues,
                          attention::WorkWatch* watch = nullptr);

/// The number in `value`: a JSON number, or "NaN", "Infinity", "-Infinity". Throws BadInput when it
/// is something else or beyond float32.
float json_float(const nlohmann::json& value);

/// `value` for a message: the number, the text in quotes, "a list", "an object", "nothing".
std::string json_text(const nlohmann::json& value);

}  // namespace lab
