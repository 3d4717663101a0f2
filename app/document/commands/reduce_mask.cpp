#include "app/document/commands/reduce.h"
#include "app/translation/words.h"

// Masks by rule and cell by cell, and what is added to the scores.

namespace lab {

namespace {

constexpr MatrixRef kMask{MatrixId::kMask, 0}, kBias{MatrixId::kScoreBias, 0};

Document with_number(const Document& document, MatrixRef ref, int row, int col, float value) {
  attention::Matrix values = shown_numbers(document, ref);
  values(row, col) = value;
  return with_numbers(document, ref, std::move(values));
}

// Where every number is what an absent matrix stands for, it is absent from then on.
Document filled_with(const Document& document, MatrixRef ref, float value) {
  const attention::Shape shape = shape_of(document, ref);
  if (!same_number(value, absent_value(ref.id))) {
    return with_numbers(document, ref, attention::Matrix::Constant(shape.rows, shape.cols, value));
  }
  if (matrix_of(document, ref).empty()) return document;
  Document changed = document;
  editable_matrix(changed, ref) = {};
  return changed;
}

}  // namespace

Expected<Document> reduce(const Document& document, const SetMask& command) {
  return with_config(document, [&](attention::Config& config) {
    config.mask.causal = command.causal.value_or(config.mask.causal);
    config.mask.key_count = command.key_count.value_or(config.mask.key_count);
    config.mask.window = command.window.value_or(config.mask.window);
  });
}

Expected<Document> reduce(const Document& document, const SetMaskCell& command) {
  const attention::Shape shape = shape_of(document, kMask);
  if (auto there = check_place(tr("the mask"), shape, command.row, command.col); !there) {
    return tl::make_unexpected(there.error());
  }
  return with_number(document, kMask, command.row, command.col, command.allowed ? 1.0f : 0.0f);
}

Expected<Document> reduce(const Document& document, const FillMask& command) {
  return filled_with(document, kMask, command.allowed ? 1.0f : 0.0f);
}

Expected<Document> reduce(const Document& document, const SetBiasCell& command) {
  const attention::Shape shape = shape_of(document, kBias);
  if (auto there = check_place(tr("the score bias"), shape, command.row, command.col); !there) {
    return tl::make_unexpected(there.error());
  }
  if (auto fits = check_score(command.value); !fits) return tl::make_unexpected(fits.error());
  return with_number(document, kBias, command.row, command.col, command.value);
}

Expected<Document> reduce(const Document& document, const FillBias& command) {
  if (auto fits = check_score(command.value); !fits) return tl::make_unexpected(fits.error());
  return filled_with(document, kBias, command.value);
}

}  // namespace lab
