#include "app/files/model/json/model_edits_json.h"

#include <set>
#include <stdexcept>
#include <tuple>

#include "app/document/model/layer_name.h"
#include "app/files/session/json_fields.h"
#include "app/files/session/matrix_json.h"
#include "core/network/layer_matrix.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::Matrix;
using attention::MatrixId;
using attention::MatrixInfo;
using attention::Shape;
using attention::network::Attention;
using attention::network::LayerId;
using attention::network::Network;

// A matrix of one layer.
struct LayerMatrix {
  LayerId at;
  MatrixId id{};
  Index head = 0;
};

Matrix numbers_of(const Attention& attention, const LayerMatrix& which) {
  return layer_matrix_values(attention, which.id, which.head);
}

struct Cell {
  Index row, col;
};

std::vector<Cell> different_cells(const Matrix& a, const Matrix& b) {
  std::vector<Cell> cells;
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j)
      if (!attention::same_bits(a(i, j), b(i, j))) cells.push_back({i, j});
  return cells;
}

void write_cells(JsonWriter& out, const std::vector<Cell>& cells, const Matrix& values) {
  out.member("cells");
  out.list(cells, [&](const Cell& cell) {
    out.raw("[" + std::to_string(cell.row) + ", " + std::to_string(cell.col) + ", ");
    out.number(values(cell.row, cell.col));
    out.raw("]");
  });
}

void write_edit(JsonWriter& out, const LayerMatrix& which, const std::vector<Cell>& cells,
                const Matrix& values) {
  constexpr std::size_t kNumbersOfACell = 3;
  out.element();
  out.begin('{');
  write_member(out, "layer", layer_name(which.at));
  write_member(out, "matrix", std::string(matrix_name(which.id)));
  if (is_per_head(which.id)) write_member(out, "head", which.head);
  if (kNumbersOfACell * cells.size() < static_cast<std::size_t>(values.size())) {
    write_cells(out, cells, values);
  } else {
    out.member("values");
    out.rows(values);
  }
  out.end('}');
}

// Calls visit(which) for every matrix of the layers that the networks do not share.
template <typename Visit>
void for_each_edited(const Network& original, const Network& edited, Visit visit) {
  for (const LayerId& at : all_layer_ids(original)) {
    const Attention &a = *find_attention(original, at), &b = *find_attention(edited, at);
    for (const MatrixInfo& info : attention::kMatrixInfos)
      for (Index head = 0; head < layer_matrix_count(a, info.id); ++head)
        if (!same_layer_matrix(a, b, info.id, head)) visit(LayerMatrix{at, info.id, head}, a, b);
  }
}

LayerMatrix read_which(const JsonCursor& object, const Network& network) {
  const JsonCursor layer = object.at("layer");
  const auto at = layer_from_name(layer.text());
  const Attention* const attention = at ? find_attention(network, *at) : nullptr;
  if (attention == nullptr)
    layer.refuse(at ? without_attention(network, *at)
                    : "the model has no layer " + in_quotes(layer.text()));
  const std::string name = object.at("matrix").text();
  const auto id = attention::matrix_from_name(name);
  const Index count = id ? layer_matrix_count(*attention, *id) : 0;
  if (count == 0)
    object.at("matrix").refuse(in_quotes(name) +
                               ", should be one of W_Q, W_K, W_V, W_O, b_Q, b_K, "
                               "b_V, b_O, or norm_Q, norm_K or sink where the model has them");
  if (!is_per_head(*id)) {
    if (const auto head = object.find("head")) head->refuse("all heads share " + name);
    return {*at, *id, 0};
  }
  const Index head = object.at("head").whole();
  if (head >= count)
    object.at("head").refuse(std::to_string(head) + ", should be 0 to " +
                             std::to_string(count - 1));
  return {*at, *id, head};
}

void read_cells(const JsonCursor& list, Matrix& values) {
  std::set<std::pair<int, int>> visited;
  list.for_each([&](const JsonCursor& cell) {
    if (cell.list().value().size() != 3) cell.refuse("should be [row, column, number]");
    const int row = cell.item(0).whole(), col = cell.item(1).whole();
    if (row >= values.rows() || col >= values.cols())
      cell.refuse("there is no such cell: the matrix is " + std::to_string(values.rows()) + " × " +
                  std::to_string(values.cols()));
    if (!visited.emplace(row, col).second) cell.refuse("this cell is there twice");
    values(row, col) = cell.item(2).number();
  });
}

void read_edit(const JsonCursor& object, const LayerMatrix& which, Network& network) {
  Attention& attention = *find_attention(network, which.at);
  const auto cells = object.find("cells"), values = object.find("values");
  if (cells.has_value() == values.has_value()) object.refuse("should have either cells or values");
  const Shape shape = layer_matrix_shape(attention, which.id);
  Matrix numbers;
  if (cells) {
    numbers = numbers_of(attention, which);
    read_cells(*cells, numbers);
  } else {
    numbers = read_matrix(values->list(), {shape.rows, "rows of the matrix"},
                          {shape.cols, "its columns"});
  }
  try {
    set_layer_matrix(attention, which.id, which.head, numbers);
  } catch (const std::invalid_argument& refused) {
    object.refuse(refused.what());
  }
}

}  // namespace

void write_weight_edits(JsonWriter& out, const Network& original, const Network& edited) {
  bool any = false;
  for_each_edited(original, edited, [&](const LayerMatrix& which, const auto& a, const auto& b) {
    const Matrix values = numbers_of(b, which);
    const std::vector<Cell> cells = different_cells(numbers_of(a, which), values);
    if (cells.empty()) return;
    if (!any) out.member("weights"), out.begin('[');
    any = true;
    write_edit(out, which, cells, values);
  });
  if (any) out.end(']');
}

void read_weight_edits(const JsonCursor& list, Network& network) {
  using Key = std::tuple<attention::network::Sublayer, Index, MatrixId, Index>;
  std::set<Key> visited;
  list.for_each([&](const JsonCursor& edit) {
    edit.object_of({"layer", "matrix", "head", "cells", "values"});
    const LayerMatrix which = read_which(edit, network);
    if (!visited.emplace(which.at.sublayer, which.at.layer, which.id, which.head).second)
      edit.refuse("this matrix is there twice");
    read_edit(edit, which, network);
  });
}

}  // namespace lab::files
