#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/numerics/work_watch.h"

namespace lab {

/// Most values of a file that no narrower limit is known for.
inline constexpr std::size_t kMostJsonValues = std::size_t{1} << 25;

/// Parses JSON that came from outside. Throws BadInput, with line and column where it can, when
/// the text is no JSON, holds a NUL byte, is nested deeper than 64 levels, has a member twice in
/// one object, or has more than `most_values` values (a string, list or object counts as four).
/// Numbers that are not whole are rounded to float32 straight from their digits, so that what
/// append_float wrote reads back bit for bit; one that float32 cannot hold stays a double.
/// Tells `watch`, which may be null, of some of the bytes of `text` as it comes past them; throws
/// as it does.
nlohmann::json parse_json(std::string_view text, std::size_t most_values = kMostJsonValues,
                          attention::WorkWatch* watch = nullptr);

/// The number in `value`: a JSON number, or "NaN", "Infinity", "-Infinity". Throws BadInput when it
/// is something else or beyond float32.
float json_float(const nlohmann::json& value);

/// `value` for a message: the number, the text in quotes, "a list", "an object", "nothing".
std::string json_text(const nlohmann::json& value);

}  // namespace lab
