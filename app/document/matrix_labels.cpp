#include "app/document/matrix_labels.h"

#include "app/base/unicode_text.h"
#include "app/document/heads.h"

namespace lab {
namespace {

using attention::Axis;
using attention::Index;
using attention::Stage;

// Number i of those of all heads side by side, each of `features`.
std::string head_feature(const Document& document, Index i, Index features) {
  const Index head = i / features + first_head_number(document);
  return "h" + std::to_string(head) + "." + std::to_string(i % features);
}

template <typename Label>
std::vector<std::string> labels_of(Index count, const Label& label) {
  std::vector<std::string> labels;
  labels.reserve(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) labels.push_back(label(i));
  return labels;
}

// The text behind a label, or the label itself if the text cannot be written to a file.
std::string text_behind(const std::string& label, const std::string* text) {
  return text != nullptr && is_utf8(*text) ? *text : label;
}

const std::string* token_text(const Document& document, bool of_keys, Index i) {
  const bool second = of_keys && document.problem.cross();
  const std::vector<Token>& tokens = second ? document.kv_tokens : document.tokens;
  return i < std::ssize(tokens) ? &tokens[static_cast<std::size_t>(i)].text : nullptr;
}

const std::string* column_text(const Document& document, Stage stage, Index j) {
  if (attention::has_key_columns(stage)) return token_text(document, true, j);
  const bool known = has_dimension_columns(document, stage) && j < std::ssize(document.dimensions);
  return known ? &document.dimensions[static_cast<std::size_t>(j)] : nullptr;
}

}  // namespace

std::string matrix_row_label(const Document& document, MatrixId id, Index i) {
  switch (attention::matrix_info(id).rows) {
    case Axis::kQueries:
      return row_label(document, i);
    case Axis::kKeys:
      return key_label(document, i);
    case Axis::kConcat:
      return head_feature(document, i, document.problem.config.d_v);
    case Axis::kModel:
      return dimension_label(document, i);
    case Axis::kPositions:
      return std::to_string(i);
    default:
      return std::string(matrix_name(id));
  }
}

std::string matrix_column_label(const Document& document, MatrixId id, Index j) {
  const Axis columns = column_axis(document.problem.config, id);
  if (columns == Axis::kKeys) return key_label(document, j);
  if (columns == Axis::kQueryHeads || columns == Axis::kKeyHeads)
    return head_feature(document, j, document.problem.config.d_k);
  const bool numbered = columns == Axis::kKeyFeatures || columns == Axis::kValueFeatures ||
                        columns == Axis::kOne ||
                        (columns == Axis::kOut && document.problem.input_parts);
  return numbered ? std::to_string(j) : dimension_label(document, j);
}

std::vector<std::string> row_labels(const Document& document, Stage stage) {
  const Index count = stage_shape(document.problem, stage).rows;
  return labels_of(count, [&](Index i) { return row_label(document, stage, i); });
}

std::vector<std::string> column_labels(const Document& document, Stage stage, Index count) {
  return labels_of(count, [&](Index j) { return column_label(document, stage, j); });
}

std::vector<std::string> row_texts(const Document& document, Stage stage) {
  const bool of_keys = attention::has_key_rows(stage);
  return labels_of(stage_shape(document.problem, stage).rows, [&](Index i) {
    return text_behind(row_label(document, stage, i), token_text(document, of_keys, i));
  });
}

std::vector<std::string> column_texts(const Document& document, Stage stage, Index count) {
  return labels_of(count, [&](Index j) {
    return text_behind(column_label(document, stage, j), column_text(document, stage, j));
  });
}

}  // namespace lab
