#define POLHODE_ISA avx512
#include "polhode/linear/kernels/elimination.h"

namespace polhode::linear {

/// Compiled with the flags that src/CMakeLists.txt gives for this instruction set.
LduKernels ldu_kernels_avx512() { return kernel_table("avx512"); }

}  // namespace polhode::linear
