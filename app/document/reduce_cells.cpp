#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>

#include "app/document/reduce.h"
#include "app/document/wording.h"
#include "core/embedding.h"
#include "core/initialise.h"

namespace lab {

using attention::Index;
using attention::Matrix;
using attention::RowVector;
using attention::Shape;
using attention::SharedMatrix;

namespace {

std::string name_of(MatrixRef ref) {
  std::string name(matrix_name(ref.id));
  if (is_per_head(ref.id)) name += " of head " + std::to_string(ref.head + 1);
  return name;
}

Expected<void> check_head(const Document& document, MatrixRef ref) {
  const int n_heads = document.problem.config.n_heads;
  if (!is_per_head(ref.id) || (ref.head >= 0 && ref.head < n_heads)) return {};
  return fail(ErrorKind::kBadInput, "there is no head " + std::to_string(Index{ref.head} + 1) +
                                        ": the model has heads 1 to " + std::to_string(n_heads));
}

Expected<void> check_cell(const Document& document, const SetCell& command) {
  if (auto found = check_head(document, command.matrix); !found) return found;
  const Shape shape = shape_of(document, command.matrix);
  if (command.row < 0 || command.row >= shape.rows || command.col < 0 ||
      command.col >= shape.cols) {
    return fail(ErrorKind::kBadInput, "there is no cell (" + std::to_string(command.row) + ", " +
                                          std::to_string(command.col) + ") in " +
                                          name_of(command.matrix) + ": its rows are 0 to " +
                                          std::to_string(shape.rows - 1) + ", its columns 0 to " +
                                          std::to_string(shape.cols - 1));
  }
  // Written so that NaN fails too.
  if (!(std::abs(command.value) <= kLargestCell)) {
    return fail(ErrorKind::kBadInput,
                shortest(command.value) +
                    " cannot be used: type a number between −1,000,000 and 1,000,000");
  }
  return {};
}

// What the cell shows now: 0 in a bias that is absent.
float shown_value(const SharedMatrix& matrix, Index row, Index col) {
  return matrix.empty() ? 0.0f : (*matrix)(row, col);
}

// Keeps only what differs from the default embedding.
void store_row(Lexicon& lexicon, const std::string& key, const RowVector& row) {
  if (same_numbers(row, attention::default_embedding(key, row.cols()))) {
    lexicon.erase(key);
  } else {
    lexicon.insert_or_assign(key, row);
  }
}

Expected<Document> with_embedding_cell(const Document& document, const SetCell& command) {
  const auto words = static_cast<Index>(document.lexicon->size()) + 1;
  if (const auto fits = check_lexicon(words, document.problem.config.d_model); !fits) {
    return tl::make_unexpected(fits.error());
  }
  Document changed = document;
  const std::string& key = document.tokens[command.row].key;
  changed.problem.embedding.edit([&](Matrix& X) {
    for (Index i = 0; i < X.rows(); ++i) {
      if (document.tokens[i].key == key) X(i, command.col) = command.value;
    }
  });
  Lexicon lexicon = *document.lexicon;
  store_row(lexicon, key, changed.problem.embedding->row(command.row));
  changed.lexicon = std::make_shared<const Lexicon>(std::move(lexicon));
  return changed;
}

// For every token the number of its word, counted in order of first occurrence.
std::vector<Index> word_numbers(const std::vector<Token>& tokens) {
  std::map<std::string_view, Index> numbers;
  std::vector<Index> of_token;
  for (const Token& token : tokens) {
    const auto next = static_cast<Index>(numbers.size());
    of_token.push_back(numbers.emplace(token.key, next).first->second);
  }
  return of_token;
}

Expected<Document> with_embeddings_filled(const Document& document, const FillMatrix& command) {
  const std::vector<Index> word_of = word_numbers(document.tokens);
  const Index words = *std::max_element(word_of.begin(), word_of.end()) + 1;
  const Index d_model = document.problem.config.d_model;
  const auto known = static_cast<Index>(document.lexicon->size());
  if (const auto fits = check_lexicon(known + words, d_model); !fits) {
    return tl::make_unexpected(fits.error());
  }
  const Matrix rows = attention::filled(command.kind, {words, d_model}, command.seed);
  Matrix X(document.problem.seq_len(), d_model);
  for (Index i = 0; i < X.rows(); ++i) X.row(i) = rows.row(word_of[i]);
  if (same_numbers(X, *document.problem.embedding)) return document;
  Document changed = document;
  Lexicon lexicon = *document.lexicon;
  for (Index i = 0; i < X.rows(); ++i) store_row(lexicon, document.tokens[i].key, X.row(i));
  changed.lexicon = std::make_shared<const Lexicon>(std::move(lexicon));
  changed.problem.embedding = SharedMatrix(std::move(X));
  return changed;
}

}  // namespace

Expected<Document> reduce(const Document& document, const SetCell& command) {
  if (const auto found = check_cell(document, command); !found) {
    return tl::make_unexpected(found.error());
  }
  const SharedMatrix& matrix = matrix_of(document, command.matrix);
  const float shown = shown_value(matrix, command.row, command.col);
  // The bits are compared, as −0 is another number to write down than 0.
  if (std::bit_cast<std::uint32_t>(shown) == std::bit_cast<std::uint32_t>(command.value)) {
    return document;
  }
  if (command.matrix.id == MatrixId::kX) return with_embedding_cell(document, command);
  Document changed = document;
  const Shape shape = shape_of(document, command.matrix);
  editable_matrix(changed, command.matrix).edit([&](Matrix& values) {
    if (values.size() == 0) values = Matrix::Zero(shape.rows, shape.cols);
    values(command.row, command.col) = command.value;
  });
  return changed;
}

Expected<Document> reduce(const Document& document, const FillMatrix& command) {
  if (const auto found = check_head(document, command.matrix); !found) {
    return tl::make_unexpected(found.error());
  }
  if (command.matrix.id == MatrixId::kX) return with_embeddings_filled(document, command);
  const Shape shape = shape_of(document, command.matrix);
  Matrix values = attention::filled(command.kind, shape, command.seed);
  const SharedMatrix& present = matrix_of(document, command.matrix);
  const Matrix shown = present.empty() ? Matrix::Zero(shape.rows, shape.cols) : *present;
  if (same_numbers(values, shown)) return document;
  Document changed = document;
  editable_matrix(changed, command.matrix) = SharedMatrix(std::move(values));
  return changed;
}

}  // namespace lab
