#pragma once

#include <functional>
#include <string>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/figure/compose/stage_of_head.h"

namespace lab::cli {

/// Writes a file "scores-head-2.svg", "output.svg" for each stage of each head into `folder`, which
/// is made where it is missing: the bytes that `encode` gives. Tells how far it is on a terminal,
/// and the end elsewhere. Stops at the first that fails.
Expected<void> export_each(
    const Document& document, const std::string& folder, const std::string& ending,
    const std::function<Expected<std::string>(const figure::StageOfHead& what)>& encode);

}  // namespace lab::cli
