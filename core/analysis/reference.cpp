#include "core/analysis/reference.h"

#include "core/analysis/reference_trace.h"

namespace attention {

ReferenceTrace reference_trace(const Problem& problem) {
  validate(problem);
  const auto read = [](const SharedMatrix& matrix) -> MatrixD { return matrix->cast<double>(); };
  return reference::trace_of<double>({problem, read});
}

}  // namespace attention
