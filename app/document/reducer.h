#pragma once

#include "app/document/command.h"
#include "app/document/document.h"

namespace lab {

/// Largest magnitude that can be typed or set in a cell: far beyond any use, and small enough that
/// no stage overflows.
inline constexpr float kLargestCell = 1e6f;

/// The document after `command`; the only way an edit changes a document. Matrices that the
/// command does not touch keep their identity. Fails with kBadInput, saying what was wrong and what
/// is allowed, when the sentence has no token or too many, a size or temperature is out of range,
/// a cell does not exist, or a value is not a number or is beyond ±kLargestCell.
Expected<Document> apply(const Document& document, const Command& command);

/// The editable matrix, empty when absent (a bias that is not there). Precondition: ref.head is a
/// head of the document.
const attention::SharedMatrix& matrix_of(const Document& document, MatrixRef ref);

/// The shape the matrix has or, for an absent bias, would have.
attention::Shape shape_of(const Document& document, MatrixRef ref);

}  // namespace lab
