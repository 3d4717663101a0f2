#include "app/files/session/json_reading.h"

#include <algorithm>
#include <limits>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "core/initialise.h"

namespace lab::files {

using attention::Index;
using attention::Matrix;
using nlohmann::json;

namespace {

// The matrix described by {"fill": "xavier", "seed": 7}.
Matrix read_fill(const json& object, const std::string& path, attention::Shape shape) {
  const std::string name = read_string(require(object, path, "fill"), path + ".fill");
  const auto kind = attention::fill_from_name(name);
  if (!kind)
    wrong(path + ".fill", in_quotes(name) + ", should be one of zero, identity, normal, xavier");
  std::uint64_t seed = 0;
  if (const json* value = find(object, "seed")) seed = read_seed(*value, path + ".seed");
  return attention::filled(*kind, shape, seed);
}

void read_row(const json& list, const std::string& path, Side side, float* row) {
  if (checked_list(list, path).size() != static_cast<std::size_t>(side.size))
    wrong(path, should_be("numbers", list.size(), side));
  std::size_t j = 0;
  try {
    for (; j < list.size(); ++j) row[j] = json_float(list[j]);
  } catch (const BadInput& error) {
    wrong(indexed(path, j), error.what());
  }
}

}  // namespace

void wrong(const std::string& path, const std::string& what) { throw BadInput(path + ": " + what); }

std::string should_be(const char* unit, std::size_t count, Side side) {
  return std::to_string(count) + " " + unit + ", should be " + std::to_string(side.size) + " (" +
         side.name + ")";
}

std::string indexed(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

const json* find(const json& object, const char* name) {
  const auto at = object.find(name);
  return at == object.end() ? nullptr : &*at;
}

const json& require(const json& object, std::string_view path, const char* name) {
  const json* value = find(object, name);
  if (!value) wrong(path.empty() ? name : std::string(path) + "." + name, "is missing");
  return *value;
}

const json& checked_object(const json& value, std::string_view path) {
  if (!value.is_object()) wrong(std::string(path), json_text(value) + ", should be an object");
  return value;
}

const json& checked_list(const json& value, std::string_view path) {
  if (!value.is_array()) wrong(std::string(path), json_text(value) + ", should be a list");
  return value;
}

const json& checked_list(const json& value, std::string_view path, std::size_t most) {
  if (checked_list(value, path).size() > most)
    wrong(std::string(path), "more than " + std::to_string(most));
  return value;
}

void check_members(const json& object, const std::string& path,
                   const std::vector<std::string>& names) {
  for (const auto& [name, value] : checked_object(object, path).items()) {
    if (std::ranges::find(names, name) == names.end())
      wrong(path, "there is no member " + in_quotes(name));
  }
}

std::string read_string(const json& value, const std::string& path) {
  if (!value.is_string()) wrong(path, json_text(value) + ", should be text in quotes");
  return value.get<std::string>();
}

std::vector<std::string> read_strings(const json& list, const std::string& path) {
  std::vector<std::string> texts;
  for (const json& value : checked_list(list, path))
    texts.push_back(read_string(value, indexed(path, texts.size())));
  return texts;
}

int read_size(const json& value, const std::string& path) {
  if (!value.is_number_unsigned()) wrong(path, json_text(value) + ", should be a whole number");
  if (value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<int>::max()})
    wrong(path, json_text(value) + " is too large");
  return value.get<int>();
}

bool read_bool(const json& value, const std::string& path) {
  if (!value.is_boolean()) wrong(path, json_text(value) + ", should be true or false");
  return value.get<bool>();
}

std::uint64_t read_seed(const json& value, const std::string& path) {
  if (!value.is_number_unsigned()) wrong(path, json_text(value) + ", should be a whole number");
  return value.get<std::uint64_t>();
}

float read_float(const json& value, const std::string& path) {
  try {
    return json_float(value);
  } catch (const BadInput& error) {
    wrong(path, error.what());
  }
}

Matrix read_matrix(const json& value, const std::string& path, Side rows, Side cols) {
  if (value.is_object()) return read_fill(value, path, {rows.size, cols.size});
  if (!value.is_array()) wrong(path, json_text(value) + ", should be a list of rows or a fill");
  if (value.size() != static_cast<std::size_t>(rows.size))
    wrong(path, should_be("rows", value.size(), rows));
  Matrix matrix(rows.size, cols.size);
  for (std::size_t i = 0; i < value.size(); ++i)
    read_row(value[i], indexed(path, i), cols, matrix.row(static_cast<Index>(i)).data());
  return matrix;
}

Matrix read_vector(const json& value, const std::string& path, Side side) {
  if (value.is_object()) return read_fill(value, path, {1, side.size});
  Matrix vector(1, side.size);
  read_row(value, path, side, vector.data());
  return vector;
}

}  // namespace lab::files
