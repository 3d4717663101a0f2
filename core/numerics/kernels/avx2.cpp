#define Eigen EigenForAvx2
#define KERNELS_NAME "AVX2"
#define KERNELS_NAMESPACE avx2

#include "core/numerics/kernels/body.inc"
