#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Names of choices, and names for files.

namespace lab {

/// The value of the enumeration `Id` called `name`, or nothing. `names` lists the names in the
/// order of the enumeration.
template <typename Id, std::size_t n>
std::optional<Id> id_from_name(const std::array<std::string_view, n>& names,
                               std::string_view name) {
  for (std::size_t i = 0; i < n; ++i) {
    if (names[i] == name) return static_cast<Id>(i);
  }
  return std::nullopt;
}

/// The name of `id`; `names` lists the names in the order of the enumeration.
template <typename Id, std::size_t n>
constexpr std::string_view name_of_id(const std::array<std::string_view, n>& names, Id id) {
  return names.at(static_cast<std::size_t>(id));
}

/// The first name in `known` that `name` was probably meant to be: they differ only in case and
/// punctuation or, if the name is long enough to tell, in one or two letters. Empty when there is
/// none.
std::string suggested_name(std::string_view name, const std::vector<std::string>& known);

/// A name for a file from the first words of `text`: letters and digits of any script in lower
/// case, with dashes between words: "the-animal-didnt-cross-the". At most five words and about 40
/// bytes; empty when there are none.
std::string short_name(std::string_view text);

}  // namespace lab
