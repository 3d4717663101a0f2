#pragma once

#include "app/document/document.h"
#include "core/layer/trace.h"

namespace lab {

/// What measures of heads read: a problem and the part of its trace that they need, which are the
/// weights of the heads, concat and output.
struct MeasuredLayer {
  attention::Problem problem;
  attention::Trace trace;
};

/// True when the sentence that is shown ends with padding.
bool ends_with_padding(const Document& document);

/// The layer without the queries and keys that only fill its sentence up, which no measure counts.
/// `trace` is that of the document's problem.
MeasuredLayer without_padding(const Document& document, const attention::Trace& trace);

}  // namespace lab
