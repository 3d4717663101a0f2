#include "core/shared_matrix.h"

#include <atomic>

namespace attention {

// Owners in other threads read before they let go; the fence orders those reads before our writes.
Matrix SharedMatrix::release() {
  const std::shared_ptr<Matrix> values = std::exchange(values_, nullptr);
  version_ = 0;
  if (values == nullptr) return {};
  if (values.use_count() > 1) return *values;
  std::atomic_thread_fence(std::memory_order_acquire);
  return std::move(*values);
}

Matrix SharedMatrix::recycle(Shape wanted) {
  if (shape() == wanted && values_.use_count() == 1) return release();
  *this = {};
  return Matrix(wanted.rows, wanted.cols);
}

const Matrix& SharedMatrix::nothing() {
  static const Matrix empty;
  return empty;
}

// Each thread takes versions in blocks, because a counter that all threads share is slow.
std::uint64_t SharedMatrix::next_version() {
  constexpr std::uint64_t kBlock = 4096;
  static std::atomic<std::uint64_t> blocks{0};
  thread_local std::uint64_t last = 0;
  if (last % kBlock == 0) last = kBlock * blocks.fetch_add(1, std::memory_order_relaxed);
  return ++last;
}

}  // namespace attention
