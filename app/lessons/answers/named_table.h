#pragma once

#include <string_view>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/lessons/lesson.h"

namespace lab::lessons {

/// The matrix that an author names, as in an expression but without row and column: "X", "Q[1]",
/// "W_Q[head 2]"; or a table about a trained model, see model_table(). Without a head, the first.
/// Fails with kBadInput if there is no such stage or matrix.
Expected<NamedTable> named_table(std::string_view text);

/// Fails with kBadInput if the document has no such matrix.
Expected<void> table_exists(const NamedTable& table, const Document& document);

}  // namespace lab::lessons
