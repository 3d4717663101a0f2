// The kernels compiled for the same instruction set as the rest of the program.

#if defined(__AVX512F__)
#define KERNELS_NAME "AVX-512"
#elif defined(__AVX2__)
#define KERNELS_NAME "AVX2"
#elif defined(__SSE2__)
#define KERNELS_NAME "SSE2"
#else
#define KERNELS_NAME "scalar"
#endif
#define KERNELS_NAMESPACE native

#include "core/numerics/kernels/body.inc"
