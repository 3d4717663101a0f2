#pragma once

#include "app/document/document.h"

namespace lab {

/// The document with the sizes of `config`; see SetSize in reducer.h for what stays and what is
/// new. `config` must be one that attention::validate accepts.
Document resized(const Document& document, const attention::Config& config);

}  // namespace lab
