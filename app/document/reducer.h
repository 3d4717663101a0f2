#pragma once

#include <cstddef>

#include "app/document/command.h"
#include "app/document/document.h"

namespace lab {

/// Largest magnitude that can be typed or set in a cell: far beyond any use, and small enough that
/// no stage overflows.
inline constexpr float kLargestCell = 1e6f;

/// Longest sentence that is cut into tokens, in bytes.
inline constexpr std::size_t kLongestSentence = std::size_t{1} << 16;

/// The temperatures that can be set; within them no stage overflows.
inline constexpr float kSmallestTemperature = 1e-3f;
inline constexpr float kLargestTemperature = 1e3f;

/// The document after `command`; the only way an edit changes a document. Matrices that the
/// command does not touch keep their identity. Fails with kBadInput, saying what was wrong and what
/// is allowed, when the sentence has no token or too many, a size or temperature is out of range,
/// a cell does not exist, or a value is not a number or is beyond ±kLargestCell. A command that
/// changes no number gives a document that is same_document() as the given one.
///
/// - SetSentence, SetTokenMode: the lexicon stays; tokens before and after the changed words keep
///   their keys, new ones have their text as key. A mask or bias given cell by cell is dropped when
///   the number of tokens changes.
/// - SetSize: each matrix keeps the block that both shapes share, W_O head by head. What is new is
///   Xavier of a fixed seed in weights, 0 in biases and X_kv, the default embedding in the lexicon,
///   the number in the names of dimensions. d_out follows d_model when it was equal to it.
/// - SetCell, FillMatrix on a bias that is absent: it is made, of zeros first.
/// - SetCell in X changes the word's row of the lexicon, and so every position of that word.
///   FillMatrix on X fills a matrix with one row for each distinct word, in order of first
///   occurrence, and gives each word its row.
Expected<Document> apply(const Document& document, const Command& command);

/// The editable matrix, empty when absent (a bias that is not there). Precondition: ref.head is a
/// head of the document.
const attention::SharedMatrix& matrix_of(const Document& document, MatrixRef ref);

/// The shape the matrix has or, for an absent bias, would have.
attention::Shape shape_of(const Document& document, MatrixRef ref);

}  // namespace lab
