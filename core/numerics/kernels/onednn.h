#pragma once

#include "core/numerics/kernels/blocks.h"

namespace attention {

/// `own` with large products computed by oneDNN, which is faster there. `own` must outlive the
/// result. May be called once.
Kernels with_onednn(const Kernels& own);

/// "oneDNN 2.6.3": the version that is in use.
const char* onednn_version();

}  // namespace attention
