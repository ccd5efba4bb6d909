#define POLHODE_ISA avx2
#include "polhode/linear/kernels/elimination.h"

namespace polhode::linear {

/// Compiled with the flags that src/CMakeLists.txt gives for this instruction set.
LduKernels ldu_kernels_avx2() { return kernel_table("avx2"); }

}  // namespace polhode::linear
