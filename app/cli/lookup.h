#pragma once

#include <string>
#include <vector>

#include "app/document/document.h"
#include "app/document/error.h"
#include "core/trace.h"

namespace lab {

/// What the rows of a stage are called: the queries' tokens, or the keys'; none when it is absent.
std::vector<std::string> row_labels(const Document& document, attention::Stage stage);

/// What the columns of a stage are called, `count` of them: the keys' tokens, the names of the
/// dimensions (X, and outputs as wide as X), or 0, 1, 2 …
std::vector<std::string> column_labels(const Document& document, attention::Stage stage,
                                       attention::Index count);

/// A place found by what a person calls it.
struct Found {
  attention::Index index = 0;
  std::string note;  ///< what to tell the person: the label stands in several places; else empty
};

/// The place that `text` names: the first label equal to it, else the position of that number.
/// `option` ("--row") is named in messages. Fails with kUsage listing what there is.
Expected<Found> find_label(const std::vector<std::string>& labels, const std::string& text,
                           const std::string& option);

}  // namespace lab
