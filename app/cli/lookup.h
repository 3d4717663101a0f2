#pragma once

#include <string>
#include <vector>

#include "app/base/error.h"
#include "core/matrix.h"

namespace lab::cli {

/// A row or column found by its label or number.
struct Found {
  attention::Index index = 0;
  std::string note;  ///< says that the label appears several times; else empty
};

/// Finds the index that `text` names: that of the first label equal to it, else the number itself.
/// `option` ("--row") is named in messages. Fails with kUsage and a list of the labels.
Expected<Found> find_label(const std::vector<std::string>& labels, const std::string& text,
                           const std::string& option);

}  // namespace lab::cli
