#include <cmath>
#include <stdexcept>

#include "app/document/reduce.h"
#include "app/document/wording.h"

// What a command must not do, and the words for it.

namespace lab {

using attention::Index;
using attention::Limits;

namespace {

// What the core says against `what`, as an error.
template <typename What>
Expected<void> validated(const What& what) {
  try {
    attention::validate(what);
    return {};
  } catch (const std::invalid_argument& error) {
    return fail(ErrorKind::kBadInput, error.what());
  }
}

}  // namespace

Expected<void> check_head(int head, int count, const std::string& kind) {
  if (head >= 0 && head < count) return {};
  const std::string number = std::to_string(Index{head} + 1);
  const std::string heads = count == 1 ? "head 1 alone" : "heads 1 to " + std::to_string(count);
  return fail(ErrorKind::kBadInput,
              "there is no " + kind + " " + number + ": the model has " + heads);
}

Expected<void> check_place(const std::string& name, attention::Shape shape, int row, int col) {
  if (row >= 0 && row < shape.rows && col >= 0 && col < shape.cols) return {};
  const std::string cell = "(" + std::to_string(row) + ", " + std::to_string(col) + ")";
  if (shape == attention::Shape{}) {
    return fail(ErrorKind::kBadInput, "there is no cell " + cell + ": the model has no " + name);
  }
  return fail(ErrorKind::kBadInput, "there is no cell " + cell + " in " + name +
                                        ": its rows are 0 to " + std::to_string(shape.rows - 1) +
                                        ", its columns 0 to " + std::to_string(shape.cols - 1));
}

Expected<void> check_value(float value) {
  // Written so that NaN fails too.
  if (std::abs(value) <= kLargestCell) return {};
  return fail(
      ErrorKind::kBadInput,
      shortest(value) + " cannot be used: it takes a number between −1,000,000 and 1,000,000");
}

Expected<void> check_score(float value) {
  if (std::isinf(value) && value < 0) return {};
  return check_value(value);
}

Expected<void> check_config(const attention::Config& config) { return validated(config); }

Expected<void> check_scores(Index n_heads, Index seq_len, Index kv_len) {
  if (n_heads * seq_len * kv_len <= Limits::kScores) return {};
  return fail(ErrorKind::kBadInput, grouped(n_heads) + " heads × " + grouped(seq_len) + " × " +
                                        grouped(kv_len) + " tokens are more than the " +
                                        grouped(Limits::kScores) +
                                        " scores that fit; use fewer heads or tokens");
}

Expected<void> check_lexicon(Index words, Index d_model) {
  if (words * d_model <= Limits::kParameters) return {};
  return fail(ErrorKind::kBadInput, "embeddings of " + grouped(words) + " words with " +
                                        grouped(d_model) + " numbers each are more than the " +
                                        grouped(Limits::kParameters) + " numbers that fit");
}

Expected<Document> checked(Document changed) {
  if (const auto valid = validated(changed.problem); !valid) {
    return tl::make_unexpected(valid.error());
  }
  return changed;
}

}  // namespace lab
