#define POLHODE_ISA avx2
#include "polhode/variational/tree/kernels/kernel_table.h"

namespace polhode::variational {

/// Compiled with the flags that src/CMakeLists.txt gives for this instruction set.
NewtonKernels newton_kernels_avx2() { return kernel_table("avx2"); }

}  // namespace polhode::variational
