#define POLHODE_ISA portable
#include "polhode/variational/tree/kernels/kernel_table.h"

namespace polhode::variational {

/// Compiled with the flags that src/CMakeLists.txt gives for this instruction set.
NewtonKernels newton_kernels_portable() { return kernel_table("portable"); }

}  // namespace polhode::variational
