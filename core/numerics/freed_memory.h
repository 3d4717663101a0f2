#pragma once

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace attention {

/// Lets the process keep up to 64 MB of freed memory for matrices that are allocated later. Without
/// it the C library may return the memory of each layer to the system as soon as the next one is
/// computed, and asking for it again takes about a seventh of a forward pass of GPT-2's sizes. For
/// programs to call once when they begin; does nothing where the C library has no such setting.
inline void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kMegabyte = 1 << 20;
  mallopt(M_TRIM_THRESHOLD, 64 * kMegabyte);
  mallopt(M_MMAP_THRESHOLD, 32 * kMegabyte);
#endif
}

}  // namespace attention
