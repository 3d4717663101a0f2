#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace attention::training {

/// Largest text that is learned from.
inline constexpr std::size_t kMostTextBytes = std::size_t{4} << 20;

/// The marks that are tokens of their own wherever they stand, as a regular expression; apostrophes
/// and hyphens belong to the words around them.
inline constexpr std::string_view kMarks = "[!-&(-,./:-@\\[-`{-~¡«»¿–—‘“”„…]";

/// The words and marks of a text in UTF-8, in order: views of it.
std::vector<std::string_view> words_of(std::string_view text);

}  // namespace attention::training
