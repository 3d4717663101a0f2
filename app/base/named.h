#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

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

}  // namespace lab
