#pragma once

#include "app/document/document.h"

namespace lab {

/// The document with the sizes of `config`; see SetSize in reducer.h for what is kept and what is
/// new. Precondition: attention::validate accepts `config`.
Document resized(const Document& document, const attention::Config& config);

}  // namespace lab
