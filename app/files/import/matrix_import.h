#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "app/document/commands/command.h"
#include "app/document/document.h"
#include "core/numerics/work_watch.h"

// Importing a matrix from a file into a matrix of the document.

namespace lab::files {

/// The matrix in the bytes of a .npy file or of a table (see read_csv). A one-dimensional array is
/// one row; leading dimensions of 1 are dropped. Fails with kBadInput when the bytes are neither,
/// hold no numbers, or have more dimensions. Reports the bytes read to `watch`, which may be null;
/// throws as `watch` does.
Expected<attention::Matrix> read_matrix(std::string_view bytes,
                                        attention::WorkWatch* watch = nullptr);

/// Whether a matrix fits into another one.
enum class MatrixFit {
  kAsItIs,
  kTransposed,  ///< only with rows and columns exchanged
  kNot
};

/// Whether a matrix of that shape fits into `ref`. A list of numbers fits both as a row and as a
/// column. Precondition: `ref.head` is one of the heads that have such a matrix.
MatrixFit matrix_fit(const Document& document, MatrixRef ref, attention::Shape shape);

/// The message for a matrix that does not fit as it is: "colours.csv is 4 × 8, W_Q of head 1 is 8 ×
/// 4". `name` is what the matrix is called.
std::string mismatch_text(const Document& document, MatrixRef ref, attention::Shape shape,
                          const std::string& name);

/// The steps that import data from a file into a document.
struct Import {
  std::vector<Command> commands;   ///< together they are one undo step
  std::vector<std::string> notes;  ///< what a person should know about it, one sentence each
};

/// Appends the commands that set all of `ref` to `values`, which has the same shape: blocks of
/// whole rows, each of at most kLargestBlock numbers.
void add_blocks(MatrixRef ref, const attention::Matrix& values, std::vector<Command>& commands);

/// The steps that put `values` into `ref`. Whether the numbers are allowed there is checked by
/// apply(). Fails with kBadInput when there is no such matrix or head, or the shape differs (see
/// mismatch_text) and is not that of a list.
Expected<Import> import_matrix(const Document& document, MatrixRef ref, attention::Matrix values,
                               const std::string& name);

/// `document` after all commands of `import`. Fails as apply() does.
Expected<Document> applied(const Document& document, const Import& import);

}  // namespace lab::files
