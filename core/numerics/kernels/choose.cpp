#include "core/numerics/kernels.h"

namespace attention {

namespace native {
extern const Kernels kKernels;
}

#ifdef ATTENTION_PORTABLE_KERNELS

namespace avx2 {
extern const Kernels kKernels;
}
namespace avx512 {
extern const Kernels kKernels;
}

namespace {

const Kernels& best() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
    return avx512::kKernels;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2::kKernels;
  return native::kKernels;
}

}  // namespace

const Kernels& kernels() {
  static const Kernels& chosen = best();
  return chosen;
}

#else

const Kernels& kernels() { return native::kKernels; }

#endif

}  // namespace attention
