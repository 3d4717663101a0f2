#pragma once

#include <optional>
#include <string_view>

#include "app/document/commands/command.h"
#include "app/document/variant_names.h"

namespace lab {

/// How the values of an enumeration are spelt in the text form of a command: their names, and all
/// of them for a message.
template <typename Id>
struct Spelling;

template <>
struct Spelling<TokenMode> {
  static std::string_view name(TokenMode id) { return token_mode_name(id); }
  static std::optional<TokenMode> id(std::string_view name) { return token_mode_from_name(name); }
  static constexpr const char* kAllowed = "words, characters or tokenizer";
};

template <>
struct Spelling<SizeId> {
  static std::string_view name(SizeId id) { return size_name(id); }
  static std::optional<SizeId> id(std::string_view name) { return size_from_name(name); }
  static constexpr const char* kAllowed = "one of d_model, n_heads, d_k, d_v, n_kv_heads";
};

template <>
struct Spelling<attention::HeadBuild> {
  static std::string_view name(attention::HeadBuild id) { return head_build_name(id); }
  static std::optional<attention::HeadBuild> id(std::string_view name) {
    return head_build_from_name(name);
  }
  static constexpr const char* kAllowed = kHeadBuildNames;
};

template <>
struct Spelling<attention::Positions> {
  static std::string_view name(attention::Positions id) { return positions_name(id); }
  static std::optional<attention::Positions> id(std::string_view name) {
    return positions_from_name(name);
  }
  static constexpr const char* kAllowed = kPositionsNames;
};

template <>
struct Spelling<attention::RotaryPairs> {
  static std::string_view name(attention::RotaryPairs id) { return rotary_pairs_name(id); }
  static std::optional<attention::RotaryPairs> id(std::string_view name) {
    return rotary_pairs_from_name(name);
  }
  static constexpr const char* kAllowed = kRotaryPairsNames;
};

template <>
struct Spelling<attention::FillKind> {
  static std::string_view name(attention::FillKind id) { return attention::fill_name(id); }
  static std::optional<attention::FillKind> id(std::string_view name) {
    return attention::fill_from_name(name);
  }
  static constexpr const char* kAllowed = "one of zero, identity, normal, xavier";
};

/// The enumerations that have a Spelling.
template <typename Id>
concept Spelt = requires {
  Spelling<Id>::kAllowed;
};

}  // namespace lab
