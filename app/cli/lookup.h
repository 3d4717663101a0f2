#pragma once

#include <string>
#include <vector>

#include "app/base/error.h"
#include "core/matrix.h"

namespace lab::cli {

/// A place found by what a person calls it.
struct Found {
  attention::Index index = 0;
  std::string note;  ///< what to tell the person: the label stands in several places; else empty
};

/// The place that `text` names: the first label equal to it, else the position of that number.
/// `option` ("--row") is named in messages. Fails with kUsage listing what there is.
Expected<Found> find_label(const std::vector<std::string>& labels, const std::string& text,
                           const std::string& option);

}  // namespace lab::cli
