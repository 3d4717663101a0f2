#include <Eigen/Core>

#include "core/numerics/kernels.h"
#ifdef ATTENTION_ONEDNN
#include "core/numerics/kernels/blocks.h"
#endif

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
#endif

namespace {

// The kernels for the best instruction set.
const Kernels& own() {
#ifdef ATTENTION_PORTABLE_KERNELS
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("f16c")) {
    return avx512::kKernels;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c")) {
    return avx2::kKernels;
  }
#endif
  return native::kKernels;
}

}  // namespace

#ifdef ATTENTION_ONEDNN

const Kernels& kernels() {
  static const Kernels chosen = with_onednn(own());
  return chosen;
}

const char* product_library() { return onednn_version(); }

#else

const Kernels& kernels() {
  static const Kernels& chosen = own();
  return chosen;
}

#define ATTENTION_TEXT(number) #number
#define ATTENTION_VERSION(world, major, minor) \
  "Eigen " ATTENTION_TEXT(world) "." ATTENTION_TEXT(major) "." ATTENTION_TEXT(minor)

const char* product_library() {
  return ATTENTION_VERSION(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION);
}

#endif

}  // namespace attention
