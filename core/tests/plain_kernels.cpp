// The kernels without instructions that only some machines have, for kernels_test.cpp: whatever the
// tests are compiled for, this file is compiled for every x86-64 machine.

#define Eigen EigenForPlain
#define KERNELS_NAME "plain"
#define KERNELS_NAMESPACE plain

#include "core/numerics/kernels/body.inc"
