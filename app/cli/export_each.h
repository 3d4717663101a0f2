#pragma once

#include <functional>
#include <string>

#include "app/document/document.h"
#include "app/document/error.h"

namespace lab {

/// A stage, and where heads have their own the head as it is written on the command line.
struct StageOfHead {
  attention::Stage stage = attention::Stage::kWeights;
  std::string head;  ///< empty where all heads have one
};

/// Writes a file "scores-head-2.svg", "output.svg" for each stage of each head into `folder`, which
/// is made where it is missing: the bytes that `encode` gives. Tells how far it is on a terminal,
/// and the end elsewhere. Stops at the first that fails.
Expected<void> export_each(
    const Document& document, const std::string& folder, const std::string& ending,
    const std::function<Expected<std::string>(const StageOfHead& what)>& encode);

}  // namespace lab
