#define POLHODE_ISA avx2
#include "polhode/tree/kernels/kernel_table.h"

namespace polhode::tree {

/// Compiled with the flags that src/CMakeLists.txt gives for this instruction set.
Kernels kernels_avx2() { return {"avx2", kernel_table<double>(1), kernel_table<Lanes<4>>(4)}; }

}  // namespace polhode::tree
