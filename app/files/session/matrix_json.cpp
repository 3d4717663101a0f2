#include "app/files/session/matrix_json.h"

#include "app/base/strict_json.h"
#include "core/initialise.h"

namespace lab::files {

using attention::Index;
using attention::Matrix;

namespace {

// The matrix described by {"fill": "xavier", "seed": 7}.
Matrix read_fill(const JsonCursor& object, attention::Shape shape) {
  const auto type = object.at("fill").named(attention::fill_from_name,
                                            ", should be one of zero, identity, normal, xavier");
  const auto seed = object.find("seed");
  return attention::filled(type, shape, seed ? seed->seed() : 0);
}

void read_row(const JsonCursor& list, Side side, float* row) {
  const auto& values = list.list().value();
  if (values.size() != static_cast<std::size_t>(side.size))
    list.refuse(should_be("numbers", values.size(), side));
  std::size_t j = 0;
  try {
    for (; j < values.size(); ++j) row[j] = json_float(values[j]);
  } catch (const BadInput& error) {
    list.item(j).refuse(error.what());
  }
}

}  // namespace

std::string should_be(const char* unit, std::size_t count, Side side) {
  return std::to_string(count) + " " + unit + ", should be " + std::to_string(side.size) + " (" +
         side.name + ")";
}

Matrix read_matrix(const JsonCursor& value, Side rows, Side cols) {
  if (value.value().is_object()) return read_fill(value, {rows.size, cols.size});
  if (!value.value().is_array()) value.wrong("a list of rows or a fill");
  const std::size_t given = value.value().size();
  if (given != static_cast<std::size_t>(rows.size)) value.refuse(should_be("rows", given, rows));
  Matrix matrix(rows.size, cols.size);
  for (Index i = 0; i < rows.size; ++i)
    read_row(value.item(static_cast<std::size_t>(i)), cols, matrix.row(i).data());
  return matrix;
}

Matrix read_vector(const JsonCursor& value, Side side) {
  if (value.value().is_object()) return read_fill(value, {1, side.size});
  Matrix vector(1, side.size);
  read_row(value, side, vector.data());
  return vector;
}

}  // namespace lab::files
