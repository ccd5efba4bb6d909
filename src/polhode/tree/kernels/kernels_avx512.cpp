#define POLHODE_ISA avx512
#include "polhode/tree/kernels/kernel_table.h"

namespace polhode::tree {

/// Compiled with the flags that src/CMakeLists.txt gives for this instruction set.
Kernels kernels_avx512() { return {"avx512", kernel_table<double>(1), kernel_table<Lanes<8>>(8)}; }

}  // namespace polhode::tree
