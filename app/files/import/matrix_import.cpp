#include "app/files/import/matrix_import.h"

#include <algorithm>
#include <map>

#include "app/base/bad_input.h"
#include "app/document/commands/reducer.h"
#include "app/files/file_formats.h"
#include "app/files/import/csv.h"
#include "app/files/tensors/elements.h"
#include "app/files/tensors/tensors.h"
#include "app/translation/words.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Shape;

Expected<Matrix> as_matrix(const Tensor& tensor) {
  std::vector<std::int64_t> sides = tensor.shape;
  while (sides.size() > 2 && sides.front() == 1) sides.erase(sides.begin());
  if (sides.size() == 1) sides.insert(sides.begin(), 1);
  if (sides.size() > 2)
    return fail(ErrorType::kBadInput, "the array is " + shape_text(tensor.shape) +
                                          "; a matrix has two dimensions: save "
                                          "one part of it, such as array[0]");
  if (tensor.values.empty()) return fail(ErrorType::kBadInput, "the array holds no numbers");
  if (sides.empty()) sides = {1, 1};
  return Matrix(Eigen::Map<const Matrix>(tensor.values.data(), sides[0], sides[1]));
}

std::string side_text(Shape shape) { return shape_text({shape.rows, shape.cols}); }

bool is_list(Shape shape) { return shape.rows == 1 || shape.cols == 1; }

// A word with rows that differ, or nothing.
std::string ambiguous_word(const std::vector<Token>& tokens, const Matrix& values) {
  std::map<std::string_view, Index> first;
  for (Index i = 0; i < values.rows(); ++i) {
    const Token& token = tokens[static_cast<std::size_t>(i)];
    const auto [found, is_new] = first.emplace(token.key, i);
    const auto same = [](float a, float b) { return attention::same_bits(a, b); };
    if (!is_new && !std::ranges::equal(values.row(i), values.row(found->second), same))
      return token.text;
  }
  return {};
}

void note_ambiguous_rows(const Document& document, MatrixRef ref, const Matrix& values,
                         std::vector<std::string>& notes) {
  if (ref.id != MatrixId::kX && ref.id != MatrixId::kXKv) return;
  const auto& tokens = ref.id == MatrixId::kX ? document.tokens : document.kv_tokens;
  const std::string word = ambiguous_word(tokens, values);
  if (word.empty()) return;
  notes.push_back(tr(
      "the rows of equal words, such as {}, differ; the last row of each is taken for all of them",
      {in_quotes(word)}));
}

}  // namespace

Expected<Matrix> read_matrix(std::string_view bytes, attention::WorkWatch* watch) {
  const FileType type = file_type(bytes);
  if (type == FileType::kTable) return read_csv(bytes, watch);
  if (type == FileType::kNpy || type == FileType::kNpyStack)
    return read_npy(bytes).and_then(as_matrix);
  return tl::make_unexpected(refusal(type));
}

MatrixFit matrix_fit(const Document& document, MatrixRef ref, Shape shape) {
  const Shape expected = shape_of(document, ref);
  if (shape == expected) return MatrixFit::kAsItIs;
  if (Shape{shape.cols, shape.rows} != expected) return MatrixFit::kNot;
  return is_list(shape) ? MatrixFit::kAsItIs : MatrixFit::kTransposed;
}

std::string mismatch_text(const Document& document, MatrixRef ref, Shape shape,
                          const std::string& name) {
  return tr("{} is {}, {} is {}",
            {name, side_text(shape), matrix_in_text(ref), side_text(shape_of(document, ref))});
}

void add_blocks(MatrixRef ref, const Matrix& values, std::vector<Command>& commands) {
  const Index rows = std::max<Index>(1, kLargestBlock / std::max<Index>(1, values.cols()));
  for (Index row = 0; row < values.rows(); row += rows) {
    const Index count = std::min(rows, values.rows() - row);
    commands.emplace_back(SetBlock{ref, static_cast<int>(row), 0, values.middleRows(row, count)});
  }
}

Expected<Import> import_matrix(const Document& document, MatrixRef ref, Matrix values,
                               const std::string& name) {
  if (auto there = check_matrix(document, ref); !there) return tl::make_unexpected(there.error());
  const Shape shape{values.rows(), values.cols()};
  if (matrix_fit(document, ref, shape) != MatrixFit::kAsItIs)
    return fail(ErrorType::kBadInput, mismatch_text(document, ref, shape, name));
  if (shape != shape_of(document, ref)) values = Matrix(values.transpose());
  Import import;
  note_ambiguous_rows(document, ref, values, import.notes);
  add_blocks(ref, values, import.commands);
  return import;
}

Expected<Document> applied(const Document& document, const Import& import) {
  Expected<Document> changed = document;
  for (const Command& command : import.commands) {
    if (!changed) break;
    changed = lab::apply(*changed, command);
  }
  return changed;
}

}  // namespace lab::files
