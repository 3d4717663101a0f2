#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"

// Reading the parts of a JSON file one by one. Everything here throws BadInput, "path: what it is,
// what it should be", when it finds something unexpected.

namespace lab::files {

/// Throws BadInput: "path: what".
[[noreturn]] void wrong(const std::string& path, const std::string& what);
/// "path[index]".
std::string indexed(const std::string& path, std::size_t index);

/// The member of that name, or null.
const nlohmann::json* find(const nlohmann::json& object, const char* name);
/// The member of that name, which must exist; `path` is that of the object, empty for the root.
const nlohmann::json& require(const nlohmann::json& object, std::string_view path,
                              const char* name);
/// `value`, which must be an object.
const nlohmann::json& checked_object(const nlohmann::json& value, std::string_view path);
/// `value`, which must be a list.
const nlohmann::json& checked_list(const nlohmann::json& value, std::string_view path);
/// `value`, which must be a list of at most `most` elements.
const nlohmann::json& checked_list(const nlohmann::json& value, std::string_view path,
                                   std::size_t most);
/// Throws when the object has a member that is not in `names`.
void check_members(const nlohmann::json& object, const std::string& path,
                   const std::vector<std::string>& names);

/// A text.
std::string read_string(const nlohmann::json& value, const std::string& path);
/// A list of texts.
std::vector<std::string> read_strings(const nlohmann::json& list, const std::string& path);
/// true or false.
bool read_bool(const nlohmann::json& value, const std::string& path);
/// A number, or one of the strings "NaN", "Infinity", "-Infinity".
float read_float(const nlohmann::json& value, const std::string& path);
/// An integer from 0 that fits into an int.
int read_size(const nlohmann::json& value, const std::string& path);
/// An integer from 0 to 2⁶⁴ − 1.
std::uint64_t read_seed(const nlohmann::json& value, const std::string& path);

/// One side of a matrix: its expected length and what that size is called.
struct Side {
  attention::Index size = 0;
  const char* name = "";
};
/// "3 rows, should be 4 (d_model)".
std::string should_be(const char* unit, std::size_t count, Side side);

/// A list of rows, or {"fill": "xavier", "seed": 7}: [rows × cols].
attention::Matrix read_matrix(const nlohmann::json& value, const std::string& path, Side rows,
                              Side cols);
/// A list of numbers, or a fill: [1 × side].
attention::Matrix read_vector(const nlohmann::json& value, const std::string& path, Side side);

}  // namespace lab::files
