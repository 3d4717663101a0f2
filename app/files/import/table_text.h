#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "app/base/number_reading.h"

// Recognising tables of numbers and word vectors that are written as text.

namespace lab::files {

/// How many bytes at the beginning of a file are read to tell its format.
inline constexpr std::size_t kTypeBytes = std::size_t{1} << 16;

/// True for a text of words, each with its numbers: GloVe, word2vec's text form.
bool looks_like_vectors(std::string_view start);
/// True for numbers as text: CSV, or blanks between them. Labels may hold control characters.
bool looks_like_table(std::string_view start);
/// True for word2vec's binary form.
bool looks_like_binary_vectors(std::string_view start);
/// True for a list in brackets, as JSON and NumPy print it.
bool looks_like_list(std::string_view start);

/// The separator that a first line such as "sep=;" names, as Excel reads it; else nothing.
std::optional<Separator> named_separator(std::string_view start);

/// The separator between the numbers of a table that begins with `start`; nothing when it is not a
/// table.
std::optional<Separator> table_separator(std::string_view start);

}  // namespace lab::files
