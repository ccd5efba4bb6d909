#define POLHODE_ISA avx512
#include "polhode/variational/tree/kernels/kernel_table.h"

namespace polhode::variational {

/// Compiled with the flags that src/CMakeLists.txt gives for this instruction set.
NewtonKernels newton_kernels_avx512() { return kernel_table("avx512"); }

}  // namespace polhode::variational
