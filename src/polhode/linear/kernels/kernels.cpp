#include "polhode/linear/ldu_program.h"
#include "polhode/spatial/instruction_set.h"

namespace polhode::linear {

LduKernels ldu_kernels_portable();
#if defined(__x86_64__)
LduKernels ldu_kernels_avx2();
LduKernels ldu_kernels_avx512();
#endif

const LduKernels& ldu_kernels() {
  static const LduKernels chosen = [] {
#if defined(__x86_64__)
    const InstructionSet set = instruction_set();
    if (set == InstructionSet::avx512) return ldu_kernels_avx512();
    if (set == InstructionSet::avx2) return ldu_kernels_avx2();
#endif
    return ldu_kernels_portable();
  }();
  return chosen;
}

}  // namespace polhode::linear
