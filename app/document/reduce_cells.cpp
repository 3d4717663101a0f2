#include <algorithm>
#include <map>

#include "app/document/reduce.h"
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

Expected<void> check_matrix(const Document& document, MatrixRef ref) {
  const attention::Config& config = document.problem.config;
  if (ref.id == MatrixId::kXKv && !document.problem.cross()) {
    return fail(ErrorKind::kBadInput,
                "there is no X_kv: keys and values come from the same sentence as queries");
  }
  if (!is_per_head(ref.id)) return {};
  if (!is_per_kv_head(ref.id)) return check_head(ref.head, config.n_heads);
  const bool grouped = config.n_kv_heads != 0;
  return check_head(ref.head, kv_head_count(config), grouped ? "key and value head" : "head");
}

Expected<void> check_cell(const Document& document, const SetCell& command) {
  if (auto found = check_matrix(document, command.matrix); !found) return found;
  const Shape shape = shape_of(document, command.matrix);
  if (auto there = check_place(name_of(command.matrix), shape, command.row, command.col); !there) {
    return there;
  }
  return check_value(command.value);
}

// The numbers of the matrix, also where it is absent.
Matrix shown_numbers(const Document& document, MatrixRef ref) {
  const SharedMatrix& matrix = matrix_of(document, ref);
  const Shape shape = shape_of(document, ref);
  if (matrix.shape() == shape) return *matrix;
  Matrix shown = Matrix::Constant(shape.rows, shape.cols, absent_value(ref.id));
  if (!matrix.empty()) shown.topRows(matrix->rows()) = *matrix;  // a table that is too short
  return shown;
}

// One of the two sentences, to be changed.
struct Sentence {
  const std::vector<Token>& tokens;
  std::shared_ptr<const Lexicon>& lexicon;
  SharedMatrix& rows;
};

Sentence sentence_of(Document& document, MatrixId id) {
  attention::Problem& problem = document.problem;
  if (id == MatrixId::kX) return {document.tokens, document.lexicon, problem.embedding};
  return {document.kv_tokens, document.kv_lexicon, problem.embedding_kv};
}

bool is_embedding(MatrixId id) { return id == MatrixId::kX || id == MatrixId::kXKv; }

// Keeps only what differs from the default embedding.
void store_row(Lexicon& lexicon, const std::string& key, const RowVector& row) {
  if (same_numbers(row, attention::default_embedding(key, row.cols()))) {
    lexicon.erase(key);
  } else {
    lexicon.insert_or_assign(key, row);
  }
}

Expected<Document> with_embedding_cell(const Document& document, const SetCell& command) {
  Document changed = document;
  const Sentence sentence = sentence_of(changed, command.matrix.id);
  const auto words = static_cast<Index>(sentence.lexicon->size()) + 1;
  if (const auto fits = check_lexicon(words, document.problem.config.d_model); !fits) {
    return tl::make_unexpected(fits.error());
  }
  const std::string& key = sentence.tokens[command.row].key;
  sentence.rows.edit([&](Matrix& values) {
    for (Index i = 0; i < values.rows(); ++i) {
      if (sentence.tokens[i].key == key) values(i, command.col) = command.value;
    }
  });
  Lexicon lexicon = *sentence.lexicon;
  store_row(lexicon, key, sentence.rows->row(command.row));
  sentence.lexicon = std::make_shared<const Lexicon>(std::move(lexicon));
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
  Document changed = document;
  const auto [tokens, table, rows] = sentence_of(changed, command.matrix.id);
  const std::vector<Index> word_of = word_numbers(tokens);
  const Index words = *std::max_element(word_of.begin(), word_of.end()) + 1;
  const Index d_model = document.problem.config.d_model;
  const auto known = static_cast<Index>(table->size());
  if (const auto fits = check_lexicon(known + words, d_model); !fits) {
    return tl::make_unexpected(fits.error());
  }
  const Matrix of_words = attention::filled(command.kind, {words, d_model}, command.seed);
  Matrix values(std::ssize(tokens), d_model);
  for (Index i = 0; i < values.rows(); ++i) values.row(i) = of_words.row(word_of[i]);
  if (same_numbers(values, *rows)) return document;
  Lexicon lexicon = *table;
  for (Index i = 0; i < values.rows(); ++i) store_row(lexicon, tokens[i].key, values.row(i));
  table = std::make_shared<const Lexicon>(std::move(lexicon));
  rows = SharedMatrix(std::move(values));
  return changed;
}

}  // namespace

Expected<Document> reduce(const Document& document, const SetCell& command) {
  if (const auto found = check_cell(document, command); !found) {
    return tl::make_unexpected(found.error());
  }
  Matrix values = shown_numbers(document, command.matrix);
  float& cell = values(command.row, command.col);
  // The bits are compared, as −0 is another number to write down than 0.
  if (same_number(cell, command.value)) return document;
  if (is_embedding(command.matrix.id)) return with_embedding_cell(document, command);
  cell = command.value;
  Document changed = document;
  editable_matrix(changed, command.matrix) = SharedMatrix(std::move(values));
  return changed;
}

Expected<Document> reduce(const Document& document, const FillMatrix& command) {
  if (const auto found = check_matrix(document, command.matrix); !found) {
    return tl::make_unexpected(found.error());
  }
  if (is_embedding(command.matrix.id)) return with_embeddings_filled(document, command);
  Matrix values = attention::filled(command.kind, shape_of(document, command.matrix), command.seed);
  if (same_numbers(values, shown_numbers(document, command.matrix))) return document;
  Document changed = document;
  editable_matrix(changed, command.matrix) = SharedMatrix(std::move(values));
  return changed;
}

}  // namespace lab
