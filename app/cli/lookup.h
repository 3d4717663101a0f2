#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "core/matrix.h"

namespace lab::cli {

/// A row or column found by its label or number.
struct Found {
  attention::Index index = 0;
  std::string note;  ///< says that the label appears several times, or that a number is also the
                     ///< label of another index; else empty
};

/// Finds the index that `text` names. A whole number is always the index itself, also where a label
/// is written so; anything else is the first label equal to it, or else the first that is called
/// so, and "token:7" the first label "7". `pieces` are the labels as a vocabulary spells them, or
/// none; `option` ("--row") is named in messages. Fails with kUsage and a list of the labels.
Expected<Found> find_label(const std::vector<std::string>& labels, const std::string& text,
                           const std::string& option, const std::vector<std::string>& pieces = {});

}  // namespace lab::cli
