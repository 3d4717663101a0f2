#include <algorithm>
#include <map>

#include "app/base/wording.h"
#include "app/document/commands/reduce.h"
#include "app/document/words/remap_cells.h"
#include "app/translation/words.h"
#include "core/initialise.h"

namespace lab {

using attention::Index;
using attention::Matrix;
using attention::RowVector;
using attention::Shape;
using attention::SharedMatrix;

Expected<void> check_matrix(const Document& document, MatrixRef ref) {
  const attention::Config& config = document.problem.config;
  const bool of_keys = ref.id == MatrixId::kXKv || ref.id == MatrixId::kPositionTableKv;
  if (of_keys && !document.problem.cross()) {
    return fail(ErrorType::kBadInput,
                tr("there is no {}: keys and values come from the same sentence as queries",
                   {matrix_in_text(document, ref)}));
  }
  if (!is_per_head(ref.id)) return {};
  if (!is_per_kv_head(ref.id)) return check_head(ref.head, config.n_heads);
  const bool grouped = config.n_kv_heads != 0;
  return grouped ? check_kv_head(ref.head, kv_head_count(config))
                 : check_head(ref.head, config.n_heads);
}

namespace {

Expected<void> check_number(MatrixId id, float value) {
  if (id == MatrixId::kScoreBias) return check_score(value);
  if (id != MatrixId::kMask || value == 0 || value == 1) return check_value(value);
  return fail(
      ErrorType::kBadInput,
      tr("{} cannot be in the mask: type 1 where the query may attend to the key, otherwise 0",
         {shortest(value)}));
}

Expected<void> check_numbers(MatrixId id, const Matrix& values) {
  for (const float value : values.reshaped<Eigen::RowMajor>()) {
    if (auto fits = check_number(id, value); !fits) return fits;
  }
  return {};
}

Expected<void> check_cell(const Document& document, const SetCell& command) {
  if (auto found = check_matrix(document, command.matrix); !found) return found;
  const Shape shape = shape_of(document, command.matrix);
  if (auto there =
          require_cell(matrix_in_text(document, command.matrix), shape, command.row, command.col);
      !there) {
    return there;
  }
  return check_number(command.matrix.id, command.value);
}

std::string size_text(Index rows, Index cols) { return grouped(rows) + " × " + grouped(cols); }

Expected<void> check_block(const Document& document, const SetBlock& command) {
  if (auto found = check_matrix(document, command.matrix); !found) return found;
  const auto& [ref, row, col, values] = command;
  const Shape shape = shape_of(document, ref);
  if (auto there = require_cell(matrix_in_text(document, ref), shape, row, col); !there)
    return there;
  const std::string size = size_text(values.rows(), values.cols());
  if (values.size() == 0 || values.size() > kLargestBlock) {
    return fail(ErrorType::kBadInput,
                tr("{} numbers cannot be set at once: use from 1 to {} numbers",
                   {size, grouped(kLargestBlock)}));
  }
  const Shape room{shape.rows - row, shape.cols - col};
  if (values.rows() > room.rows || values.cols() > room.cols) {
    return fail(ErrorType::kBadInput,
                tr("{} numbers do not fit: from row {}, column {} on, {} has room for {}",
                   {size, std::to_string(row), std::to_string(col), matrix_in_text(document, ref),
                    size_text(room.rows, room.cols)}));
  }
  return check_numbers(ref.id, values);
}

// One of the two sentences, for writing.
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

bool is_filled_with(const Matrix& values, float value) {
  return std::ranges::all_of(values.reshaped<Eigen::RowMajor>(),
                             [value](float number) { return same_number(number, value); });
}

// A mask that forbids nothing and a score bias that adds nothing are absent.
Document with_changed_numbers(const Document& document, MatrixRef ref, Matrix values) {
  const bool may_be_absent = ref.id == MatrixId::kMask || ref.id == MatrixId::kScoreBias;
  const bool is_absent = may_be_absent && is_filled_with(values, absent_value(ref.id));
  Document changed = document;
  editable_matrix(changed, ref) = is_absent ? SharedMatrix() : SharedMatrix(std::move(values));
  return changed;
}

// Stores the row only if it differs from the one that the word has without it. `document` has the
// other rows.
void store_row(Lexicon& lexicon, const Document& document, MatrixId id, const std::string& key,
               const RowVector& row) {
  const bool is_default = same_numbers(
      row, id == MatrixId::kX ? default_row(document, key) : shared_row(document, key));
  if (is_default) {
    lexicon.erase(key);
  } else {
    lexicon.insert_or_assign(key, row);
  }
}

// The second sentence may share words whose vectors have changed.
void embed_shared_tokens(Document& changed) {
  attention::Problem& problem = changed.problem;
  if (!changed.shared_tokens || !problem.cross()) return;
  Matrix values = embed_kv_tokens(changed);
  if (!same_numbers(values, *problem.embedding_kv))
    problem.embedding_kv = SharedMatrix(std::move(values));
}

// For every word in the block, its last row, counted from the first of the block.
std::map<std::string_view, Index> block_words(const std::vector<Token>& tokens, Index first,
                                              Index rows) {
  std::map<std::string_view, Index> last;
  for (Index i = 0; i < rows; ++i) last[tokens[first + i].key] = i;
  return last;
}

Expected<Document> with_embedding_block(const Document& document, const SetBlock& command) {
  Document changed = document;
  const auto [tokens, table, rows] = sentence_of(changed, command.matrix.id);
  const auto words = block_words(tokens, command.row, command.values.rows());
  Matrix values = *rows;
  for (Index i = 0; i < values.rows(); ++i) {
    const auto word = words.find(tokens[i].key);
    if (word == words.end()) continue;
    values.row(i).segment(command.col, command.values.cols()) = command.values.row(word->second);
  }
  if (same_numbers(values, *rows)) return document;
  const auto known = static_cast<Index>(table->size() + words.size());
  if (const auto fits = check_lexicon(known, values.cols()); !fits) {
    return tl::make_unexpected(fits.error());
  }
  Lexicon lexicon = *table;
  for (const auto& [key, row] : words) {
    store_row(lexicon, document, command.matrix.id, std::string(key),
              values.row(command.row + row));
  }
  table = std::make_shared<const Lexicon>(std::move(lexicon));
  rows = SharedMatrix(std::move(values));
  embed_shared_tokens(changed);
  return changed;
}

// Copies the matrix once, and not at all when no number changes.
Expected<Document> with_block(const Document& document, const SetBlock& command) {
  if (is_embedding(command.matrix.id)) return with_embedding_block(document, command);
  const auto& [ref, row, col, values] = command;
  SharedMatrix shown = effective_matrix(document, ref);
  if (same_numbers(values, shown->block(row, col, values.rows(), values.cols()))) return document;
  Matrix numbers = shown.release();
  numbers.block(row, col, values.rows(), values.cols()) = values;
  return with_changed_numbers(document, ref, std::move(numbers));
}

// For every token, the number of its word in order of first occurrence.
std::vector<Index> word_numbers(const std::vector<Token>& tokens) {
  std::map<std::string_view, Index> numbers;
  std::vector<Index> of_token;
  for (const Token& token : tokens) {
    const auto next = static_cast<Index>(numbers.size());
    of_token.push_back(numbers.emplace(token.key, next).first->second);
  }
  return of_token;
}

Matrix filled_numbers(const FillMatrix& command, Shape shape) {
  if (command.value) return Matrix::Constant(shape.rows, shape.cols, *command.value);
  return attention::filled(command.type, shape, command.seed);
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
  const Matrix of_words = filled_numbers(command, {words, d_model});
  Matrix values(std::ssize(tokens), d_model);
  for (Index i = 0; i < values.rows(); ++i) values.row(i) = of_words.row(word_of[i]);
  if (same_numbers(values, *rows)) return document;
  Lexicon lexicon = *table;
  for (Index i = 0; i < values.rows(); ++i)
    store_row(lexicon, document, command.matrix.id, tokens[i].key, values.row(i));
  table = std::make_shared<const Lexicon>(std::move(lexicon));
  rows = SharedMatrix(std::move(values));
  embed_shared_tokens(changed);
  return changed;
}

// What is detached of a matrix is replaced with the rest of it.
Document without_detached(Document document, MatrixId id) {
  if (id == MatrixId::kMask) forget_detached_mask(document);
  if (id == MatrixId::kScoreBias) forget_detached_bias(document);
  return document;
}

}  // namespace

Document with_numbers(const Document& document, MatrixRef ref, Matrix values) {
  if (same_numbers(values, *effective_matrix(document, ref))) return document;
  return with_changed_numbers(document, ref, std::move(values));
}

Document filled_with(const Document& document, MatrixRef ref, float value) {
  const Shape shape = shape_of(document, ref);
  const bool may_be_absent = ref.id == MatrixId::kMask || ref.id == MatrixId::kScoreBias;
  if (!may_be_absent || !same_number(value, absent_value(ref.id)))
    return with_numbers(document, ref, Matrix::Constant(shape.rows, shape.cols, value));
  if (matrix_of(document, ref).empty()) return document;
  Document changed = document;
  editable_matrix(changed, ref) = {};
  return changed;
}

Expected<Document> reduce(const Document& document, const SetCell& command) {
  if (const auto found = check_cell(document, command); !found) {
    return tl::make_unexpected(found.error());
  }
  const auto& [ref, row, col, value] = command;
  return with_block(document, {ref, row, col, Matrix::Constant(1, 1, value)});
}

Expected<Document> reduce(const Document& document, const SetBlock& command) {
  if (const auto found = check_block(document, command); !found) {
    return tl::make_unexpected(found.error());
  }
  return with_block(document, command);
}

Expected<Document> reduce(const Document& document, const SetBlocks& command) {
  Index numbers = 0;
  for (const SetBlock& block : command.blocks) numbers += block.values.size();
  if (command.blocks.empty() || numbers > kLargestBlock)
    return fail(ErrorType::kBadInput,
                tr("{} numbers cannot be set at once: use from 1 to {} numbers",
                   {grouped(numbers), grouped(kLargestBlock)}));
  Document changed = document;
  for (const SetBlock& block : command.blocks) {
    auto next = reduce(changed, block);
    if (!next) return next;
    changed = std::move(*next);
  }
  const auto is_as_before = [&](const SetBlock& block) {
    return same_numbers(*effective_matrix(changed, block.matrix),
                        *effective_matrix(document, block.matrix));
  };
  return std::ranges::all_of(command.blocks, is_as_before) ? document : changed;
}

Expected<Document> reduce(const Document& document, const FillMatrix& command) {
  if (const auto found = check_matrix(document, command.matrix); !found) {
    return tl::make_unexpected(found.error());
  }
  if (command.value) {
    if (const auto fits = check_number(command.matrix.id, *command.value); !fits) {
      return tl::make_unexpected(fits.error());
    }
  }
  if (is_embedding(command.matrix.id)) return with_embeddings_filled(document, command);
  if (command.value) {
    return without_detached(filled_with(document, command.matrix, *command.value),
                            command.matrix.id);
  }
  Matrix values = attention::filled(command.type, shape_of(document, command.matrix), command.seed);
  if (const auto fit = check_numbers(command.matrix.id, values); !fit) {
    return tl::make_unexpected(fit.error());
  }
  return without_detached(with_numbers(document, command.matrix, std::move(values)),
                          command.matrix.id);
}

}  // namespace lab
