#define POLHODE_ISA portable
#include "polhode/tree/kernels/kernel_table.h"

namespace polhode::tree {

/// Compiled with the flags that src/CMakeLists.txt gives for this instruction set.
Kernels kernels_portable() { return {"portable", kernel_table<double>(1), kernel_table<Lanes<2>>(2)}; }

}  // namespace polhode::tree
