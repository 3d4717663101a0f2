#pragma once

#include <optional>
#include <string_view>

#include "app/document/commands/command.h"
#include "app/document/variant_names.h"

namespace lab {

/// How the values of an enumeration are spelt in JSON: their names, and all of them for a message.
template <typename Id>
struct Spelling;

/// The names that two functions of the enumeration give and read.
template <auto name_of, auto id_of>
struct SpelledBy {
  /// The name of a value.
  static std::string_view name(auto id) { return name_of(id); }
  /// The value of that name; std::nullopt if there is none.
  static auto id(std::string_view name) { return id_of(name); }
};

template <>
struct Spelling<TokenMode> : SpelledBy<token_mode_name, token_mode_from_name> {
  static constexpr const char* kAllowed = "words, characters or tokenizer";
};

template <>
struct Spelling<SizeId> : SpelledBy<size_name, size_from_name> {
  static constexpr const char* kAllowed = "one of d_model, n_heads, d_k, d_v, n_kv_heads";
};

template <>
struct Spelling<attention::HeadBuild> : SpelledBy<head_build_name, head_build_from_name> {
  static constexpr const char* kAllowed = kHeadBuildNames;
};

template <>
struct Spelling<attention::Positions> : SpelledBy<positions_name, positions_from_name> {
  static constexpr const char* kAllowed = kPositionsNames;
};

template <>
struct Spelling<attention::RotaryPairs> : SpelledBy<rotary_pairs_name, rotary_pairs_from_name> {
  static constexpr const char* kAllowed = kRotaryPairsNames;
};

template <>
struct Spelling<attention::FillType> : SpelledBy<attention::fill_name, attention::fill_from_name> {
  static constexpr const char* kAllowed = "one of zero, identity, normal, xavier";
};

/// The enumerations that have a Spelling.
template <typename Id>
concept Spelt = requires {
  Spelling<Id>::kAllowed;
};

}  // namespace lab
