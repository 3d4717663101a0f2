#pragma once

#include <cstddef>

#include "app/document/commands/command.h"
#include "app/document/document.h"

namespace lab {

/// The largest magnitude that can be typed or set in a cell: larger than needed, and small enough
/// that no stage overflows.
inline constexpr float kLargestCell = 1e6f;

/// The longest sentence that is split into tokens, in bytes.
inline constexpr std::size_t kLongestSentence = std::size_t{1} << 16;

/// The temperatures that can be set; within them no stage overflows.
inline constexpr float kSmallestTemperature = 1e-3f;
inline constexpr float kLargestTemperature = 1e3f;

/// The document after `command`; the only way an edit changes a document. Matrices that the command
/// does not touch keep their version, and one whose cells are set is copied once. Fails with
/// kBadInput, saying what was wrong and what is allowed, when the sentence has no token or too
/// many, a size or temperature is out of range, a cell does not exist, or a value is not a number,
/// is beyond ±kLargestCell, or is neither 0 nor 1 in the mask; −∞ is a number in scores and in the
/// score bias. A command that changes no number gives a document for which same_document() with the
/// given one is true.
///
/// - SetSentence, SetKvSentence, SetTokenMode: the lexicons are kept. The painted mask, the score
///   bias and overrides follow their words, and words keep their keys (see follow()); new pairs are
///   allowed and have no bias. What belongs to words that were removed is detached until they
///   return.
/// - SetSize: each matrix keeps the block that both shapes share, W_O head by head. New cells are
///   Xavier from a fixed seed in weights, 1 in gamma, 0 in biases and tables, the default embedding
///   in the lexicons; new names of dimensions are their numbers. d_out follows d_model when it was
///   equal to it. When n_kv_heads changes, each key and value head gets the matrices that the first
///   of its query heads used; when n_heads changes, n_kv_heads is lowered to a divisor.
/// - SetHeadBuild to kSplit: d_k and d_v become d_model / n_heads, and follow these from then on;
///   when n_heads changes, the same matrices are split again.
/// - SetPositions to kLearned: a table of zeros is created if there is none.
/// - After any of these: overrides of cells that no longer exist are detached and return when they
///   exist again, position tables grow with zeros.
/// - FillMask, FillMatrix of the mask or the score bias, ClearOverrides: what is detached of these
///   is forgotten too.
/// - SetCell, SetBlock, SetBlocks, FillMatrix on an absent matrix: it is created first, of zeros,
///   or of ones for gamma and the mask. A painted mask or bias that forbids or adds nothing is
///   removed.
/// - SetCell, SetBlock and SetBlocks in X or X_kv change the words' rows of that sentence's
///   lexicon, and so every position of those words in it. FillMatrix fills a matrix
///   with one row for each distinct word, in order of first occurrence, and gives each word its
///   row.
/// - In a layer of a trained model: see apply_in_layer() of model/layer_command.h.
Expected<Document> apply(const Document& document, const Command& command);

/// Fails with kBadInput when the document has no such matrix: no such head, no second sentence.
Expected<void> check_matrix(const Document& document, MatrixRef ref);

/// The editable matrix, empty when absent (such as a missing bias). Precondition: ref.head has such
/// a matrix.
const attention::SharedMatrix& matrix_of(const Document& document, MatrixRef ref);

/// The matrix, or what is used in its place when it is absent: position_table for an absent
/// position_table_kv, else a new matrix of absent_value() in the shape of shape_of(). Does not copy
/// the numbers of a matrix that is present. Precondition as above.
attention::SharedMatrix effective_matrix(const Document& document, MatrixRef ref);
/// A copy of the numbers of effective_matrix().
attention::Matrix shown_numbers(const Document& document, MatrixRef ref);

/// The shape of the matrix, or the shape it would have when it is absent; 0 × 0 for X_kv in
/// self-attention.
attention::Shape shape_of(const Document& document, MatrixRef ref);

}  // namespace lab
