#pragma once

#include <optional>
#include <string_view>

#include "core/config.h"

// The names of the variants of the layer in files, commands and messages.

namespace lab {

/// "none", "sinusoidal", "learned", "rotary", "alibi".
std::string_view positions_name(attention::Positions positions);
/// The positions of that name, or nothing.
std::optional<attention::Positions> positions_from_name(std::string_view name);
/// Every name of positions, for messages.
inline constexpr const char* kPositionsNames = "none, sinusoidal, learned, rotary or alibi";

/// "adjacent", "halves".
std::string_view rotary_pairs_name(attention::RotaryPairs pairs);
/// The pairs of that name, or nothing.
std::optional<attention::RotaryPairs> rotary_pairs_from_name(std::string_view name);
/// Every name of pairs, for messages.
inline constexpr const char* kRotaryPairsNames = "adjacent or halves";

/// "separate", "split".
std::string_view head_build_name(attention::HeadBuild build);
/// The way to build heads with that name, or nothing.
std::optional<attention::HeadBuild> head_build_from_name(std::string_view name);
/// Every name of a way to build heads, for messages.
inline constexpr const char* kHeadBuildNames = "separate or split";

}  // namespace lab
