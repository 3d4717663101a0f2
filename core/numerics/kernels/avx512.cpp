#define Eigen EigenForAvx512
#define KERNELS_NAME "AVX-512"
#define KERNELS_NAMESPACE avx512

#include "core/numerics/kernels/body.inc"
