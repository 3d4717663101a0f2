#pragma once

#include "app/document/document.h"
#include "core/layer/trace.h"

namespace lab {

/// A document and its trace at one point in time. Copies share their matrices.
struct Snapshot {
  Document document;
  attention::Trace trace;
};

}  // namespace lab
