#define POLHODE_ISA portable
#include "polhode/linear/kernels/elimination.h"

namespace polhode::linear {

/// Compiled with the flags that src/CMakeLists.txt gives for this instruction set.
LduKernels ldu_kernels_portable() { return kernel_table("portable"); }

}  // namespace polhode::linear
