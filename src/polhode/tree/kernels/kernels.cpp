#include "polhode/tree/kernels/kernels.h"

#include "polhode/spatial/instruction_set.h"

namespace polhode::tree {

Kernels kernels_portable();
#if defined(__x86_64__)
Kernels kernels_avx2();
Kernels kernels_avx512();
#endif

const Kernels& kernels() {
  static const Kernels chosen = [] {
#if defined(__x86_64__)
    const InstructionSet set = instruction_set();
    if (set == InstructionSet::avx512) return kernels_avx512();
    if (set == InstructionSet::avx2) return kernels_avx2();
#endif
    return kernels_portable();
  }();
  return chosen;
}

}  // namespace polhode::tree
