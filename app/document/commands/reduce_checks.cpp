#include <cmath>
#include <stdexcept>

#include "app/base/wording.h"
#include "app/document/commands/reduce.h"
#include "app/translation/words.h"

// The limits of commands, and their error messages.

namespace lab {

using attention::Index;
using attention::Limits;

namespace {

// The core's validation message for `what`, as an error.
template <typename What>
Expected<void> validated(const What& what) {
  try {
    attention::validate(what);
    return {};
  } catch (const std::invalid_argument& error) {
    return fail(ErrorType::kBadInput, error.what());
  }
}

}  // namespace

Expected<void> check_head(int head, int count) {
  if (head >= 0 && head < count) return {};
  const std::string number = std::to_string(Index{head} + 1);
  return fail(ErrorType::kBadInput,
              count == 1 ? tr("there is no head {}: the model has only head 1", {number})
                         : tr("there is no head {}: the model has heads 1 to {}",
                              {number, std::to_string(count)}));
}

Expected<void> check_kv_head(int head, int count) {
  if (head >= 0 && head < count) return {};
  const std::string number = std::to_string(Index{head} + 1);
  return fail(ErrorType::kBadInput,
              count == 1
                  ? tr("there is no key and value head {}: the model has only head 1", {number})
                  : tr("there is no key and value head {}: the model has heads 1 to {}",
                       {number, std::to_string(count)}));
}

std::string matrix_in_text(const Document& document, MatrixRef ref) {
  if (document.head_names.empty() || !is_per_head(ref.id)) return matrix_in_text(ref);
  const std::string head =
      is_per_kv_head(ref.id) ? std::to_string(ref.head) : head_number(document, ref.head);
  return tr("{} of head {}", {name_in_words(matrix_name(ref.id)), head});
}

Expected<void> require_cell(const std::string& name, attention::Shape shape, int row, int col) {
  if (row >= 0 && row < shape.rows && col >= 0 && col < shape.cols) return {};
  const std::string cell = "(" + std::to_string(row) + ", " + std::to_string(col) + ")";
  if (shape == attention::Shape{}) {
    return fail(ErrorType::kBadInput, tr("there is no cell {}: the model has no {}", {cell, name}));
  }
  return fail(ErrorType::kBadInput,
              tr("there is no cell {} in {}: its rows are 0 to {}, its columns 0 to {}",
                 {cell, name, std::to_string(shape.rows - 1), std::to_string(shape.cols - 1)}));
}

Expected<void> check_value(float value) {
  // Written so that NaN fails too.
  if (std::abs(value) <= kLargestCell) return {};
  return fail(ErrorType::kBadInput,
              tr("{} cannot be used: it must be a number between −1,000,000 and 1,000,000",
                 {shortest(value)}));
}

Expected<void> check_temperature(float value) {
  // Written so that NaN fails too.
  if (value >= kSmallestTemperature && value <= kLargestTemperature) return {};
  return fail(ErrorType::kBadInput,
              tr("a temperature of {} cannot be used: it must be between 0.001 and 1,000",
                 {shortest(value)}));
}

Expected<void> check_score(float value) {
  if (std::isinf(value) && value < 0) return {};
  return check_value(value);
}

Expected<void> check_config(const attention::Config& config) { return validated(config); }

Expected<void> check_scores(Index n_heads, Index seq_len, Index kv_len) {
  if (n_heads * seq_len * kv_len <= Limits::kScores) return {};
  return fail(ErrorType::kBadInput,
              tr("{} heads × {} × {} tokens are more than the {} scores that fit; use fewer heads "
                 "or tokens",
                 {grouped(n_heads), grouped(seq_len), grouped(kv_len), grouped(Limits::kScores)}));
}

Expected<void> check_lexicon(Index words, Index d_model) {
  if (words * d_model <= Limits::kParameters) return {};
  return fail(
      ErrorType::kBadInput,
      tr("embeddings of {} words with {} numbers each are more than the {} numbers that fit",
         {grouped(words), grouped(d_model), grouped(Limits::kParameters)}));
}

Expected<Document> checked(Document changed) {
  if (const auto valid = validated(changed.problem); !valid) {
    return tl::make_unexpected(valid.error());
  }
  return changed;
}

}  // namespace lab
