#include "app/figure/model/model_figure.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lab::figure {
namespace {

using attention::Index;

std::string shortest_text(float value) {
  constexpr std::size_t kLongest = 32;
  std::array<char, kLongest> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

// The line of a cell: of `maps`, which have the same rows and columns.
std::vector<std::string> cell_line(const std::vector<ModelMap>& maps, Index row, Index column) {
  const ModelMap& first = maps.front();
  std::vector<std::string> line{
      std::to_string(row), first.row_labels[static_cast<std::size_t>(row)], std::to_string(column),
      first.column_labels[static_cast<std::size_t>(column)]};
  if (!first.tokens.empty())
    line.push_back(first.tokens[static_cast<std::size_t>(row * first.values.cols() + column)]);
  for (const ModelMap& map : maps) line.push_back(shortest_text(map.values(row, column)));
  return line;
}

bool have_one_shape(const std::vector<ModelMap>& maps) {
  return std::ranges::all_of(maps, [&](const ModelMap& map) {
    return map.values.rows() == maps.front().values.rows() &&
           map.values.cols() == maps.front().values.cols();
  });
}

ModelTable table_of_maps(const std::vector<ModelMap>& maps) {
  ModelTable table{{"row", "row_label", "column", "column_label"}, {}};
  if (!maps.front().tokens.empty()) table.header.emplace_back("token");
  for (const ModelMap& map : maps) table.header.push_back(map.name);
  for (Index row = 0; row < maps.front().values.rows(); ++row)
    for (Index column = 0; column < maps.front().values.cols(); ++column)
      table.rows.push_back(cell_line(maps, row, column));
  return table;
}

// Maps of other shapes follow one another, with their names in a first column.
ModelTable numbers_of(const ModelMaps& figure, std::size_t) {
  if (have_one_shape(figure.maps)) return table_of_maps(figure.maps);
  ModelTable table;
  for (const ModelMap& map : figure.maps) {
    ModelTable one = table_of_maps({map});
    table.header = {"map", "row", "row_label", "column", "column_label", "value"};
    for (auto& row : one.rows) {
      row.insert(row.begin(), map.name);
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

ModelTable numbers_of(const ModelBars& figure, std::size_t) {
  const std::vector<ModelBar>& bars = figure.bars;
  const bool labels = !bars.empty() && !bars.front().label.empty();
  const bool before = !bars.empty() && bars.front().before;
  ModelTable table;
  if (labels) table.header.emplace_back("place");
  table.header.insert(table.header.end(), {"token", "probability"});
  if (before) table.header.emplace_back("before");
  if (!figure.note_heading.empty()) table.header.push_back(figure.note_heading);
  for (const ModelBar& bar : bars) {
    auto& line = table.rows.emplace_back();
    if (labels) line.push_back(bar.label);
    line.insert(line.end(), {bar.token, shortest_text(bar.probability)});
    if (before) line.push_back(shortest_text(bar.before.value_or(0)));
    if (!figure.note_heading.empty()) line.push_back(bar.note);
  }
  return table;
}

// A long training has very many numbers.
ModelTable numbers_of(const ModelCurves& figure, std::size_t most_rows) {
  ModelTable table{{"curve", "step", "value"}, {}};
  for (const ModelCurve& curve : figure.curves)
    for (std::size_t i = 0; i < curve.steps.size() && table.rows.size() < most_rows; ++i)
      table.rows.push_back(
          {curve.name, std::to_string(curve.steps[i]), shortest_text(curve.values[i])});
  return table;
}

Figure figure_of(const ModelMaps& maps, const FigureOptions& options) {
  return model_maps_figure(maps, options);
}
Figure figure_of(const ModelBars& bars, const FigureOptions& options) {
  return model_bars_figure(bars, options);
}

Figure figure_of(const ModelCurves& curves, const FigureOptions& options) {
  return model_curves_figure(curves, options);
}

}  // namespace

const std::string& title_of(const ModelFigure& figure) {
  return std::visit([](const auto& one) -> const std::string& { return one.title; }, figure);
}

Figure model_figure(const ModelFigure& figure, const FigureOptions& options) {
  return std::visit([&](const auto& one) { return figure_of(one, options); }, figure);
}

ModelTable table_of(const ModelFigure& figure, std::size_t most_rows) {
  ModelTable table =
      std::visit([&](const auto& one) { return numbers_of(one, most_rows); }, figure);
  if (table.rows.size() > most_rows) table.rows.resize(most_rows);
  return table;
}

Expected<std::string> model_figure_file(const ModelFigure& figure, const FigureOptions& options,
                                        const FigureFormat& format, const WriteOptions& writing) {
  if (format.write != nullptr) return format.write(model_figure(figure, options), writing);
  return picture_page(figure, options, writing);
}

}  // namespace lab::figure
