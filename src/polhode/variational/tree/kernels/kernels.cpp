#include <string_view>

#include "polhode/tree/kernels/kernels.h"
#include "polhode/variational/tree/step_data.h"

namespace polhode::variational {

NewtonKernels newton_kernels_portable();
#if defined(__x86_64__)
NewtonKernels newton_kernels_avx2();
NewtonKernels newton_kernels_avx512();
#endif

const NewtonKernels& newton_kernels() {
  static const NewtonKernels chosen = [] {
#if defined(__x86_64__)
    const std::string_view name = tree::kernels().name;
    if (name == "avx512") return newton_kernels_avx512();
    if (name == "avx2") return newton_kernels_avx2();
#endif
    return newton_kernels_portable();
  }();
  return chosen;
}

}  // namespace polhode::variational
