#pragma once

#include <functional>
#include <string>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/figure/figure_file.h"

namespace lab::cli {

/// Writes one file per stage and head, such as "scores-head-2.svg" or "output.svg", into `folder`,
/// which is created if necessary. `encode` returns the bytes of each file. Shows progress if
/// standard error is a terminal, otherwise one note at the end. Stops at the first failure.
Expected<void> export_each(
    const Document& document, const std::string& folder, const std::string& ending,
    const std::function<Expected<std::string>(const figure::StageOfHead& what)>& encode);

}  // namespace lab::cli
