#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "app/document/commands/command.h"
#include "app/document/document.h"
#include "core/numerics/work_watch.h"

// A matrix out of a file, put into a matrix of the document.

namespace lab::files {

/// The matrix in the bytes of a .npy file or of a table (see read_csv). An array of one dimension
/// is one row; leading dimensions of 1 are dropped. Fails with kBadInput when it is neither, or has
/// no numbers, or more dimensions. Tells `watch`, which may be null, of bytes; throws as it does.
Expected<attention::Matrix> read_matrix(std::string_view bytes,
                                        attention::WorkWatch* watch = nullptr);

/// How a matrix goes into another place.
enum class MatrixFit {
  kAsItIs,
  kTransposed,  ///< only with rows and columns changed over
  kNot
};

/// How a matrix of that shape goes into `ref`. A list of numbers fits as a row and as a column.
/// Precondition: `ref.head` is one of the heads that have such a matrix.
MatrixFit matrix_fit(const Document& document, MatrixRef ref, attention::Shape shape);

/// What is said where a matrix does not fit as it is: "colours.csv is 4 × 8, W_Q of head 1 is
/// 8 × 4". `name` is what the matrix is called.
std::string misfit_text(const Document& document, MatrixRef ref, attention::Shape shape,
                        const std::string& name);

/// What brings something from a file into a document.
struct Import {
  std::vector<Command> commands;   ///< one step together
  std::vector<std::string> notes;  ///< what a person should know of it, a sentence each
};

/// Adds the commands that set all of `ref` to `values`, which has its shape: blocks of whole rows,
/// each at most kLargestBlock numbers.
void add_blocks(MatrixRef ref, const attention::Matrix& values, std::vector<Command>& commands);

/// Everything that puts `values` into `ref`: blocks of rows. Whether the numbers may stand there is
/// for apply() to say. Fails with kBadInput when there is no such matrix or head, or the shape is
/// another one (see misfit_text), unless it is that of a list.
Expected<Import> import_matrix(const Document& document, MatrixRef ref, attention::Matrix values,
                               const std::string& name);

/// `document` after all commands of `import`. Fails as apply() does.
Expected<Document> applied(const Document& document, const Import& import);

}  // namespace lab::files
