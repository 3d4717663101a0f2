#include "core/shared_matrix.h"

#include <atomic>

namespace attention {

// Owners in other threads read before they release; the fence orders those reads before our writes.
Matrix SharedMatrix::release() {
  const std::shared_ptr<Numbers> numbers = std::exchange(numbers_, nullptr);
  if (numbers == nullptr) return {};
  if (numbers.use_count() > 1) return numbers->matrix;
  std::atomic_thread_fence(std::memory_order_acquire);
  return std::move(numbers->matrix);
}

Matrix SharedMatrix::recycle(Shape requested) {
  if (shape() == requested && numbers_.use_count() == 1) return release();
  *this = {};
  return Matrix(requested.rows, requested.cols);
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
