#include "polhode/tree/kernels/kernels.h"

#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace polhode::tree {

Kernels kernels_portable();
#if defined(__x86_64__)
Kernels kernels_avx2();
Kernels kernels_avx512();
#endif

namespace {

bool has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}
bool has_avx512() {
#if defined(__x86_64__)
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
#else
  return false;
#endif
}

Kernels choose() {
  const char* const wanted = std::getenv("POLHODE_ISA");
  const std::string_view name = wanted != nullptr ? wanted : "";
  const auto require = [&](bool available) {
    if (!available)
      throw std::runtime_error("POLHODE_ISA=" + std::string(name) + ": this processor cannot run it; try POLHODE_ISA=portable");
  };
#if defined(__x86_64__)
  if (name == "avx512") require(has_avx512());
  if (name == "avx512" || (name.empty() && has_avx512())) return kernels_avx512();
  if (name == "avx2") require(has_avx2());
  if (name == "avx2" || (name.empty() && has_avx2())) return kernels_avx2();
#else
  if (name == "avx512" || name == "avx2") require(false);
#endif
  if (!name.empty() && name != "portable")
    throw std::runtime_error("POLHODE_ISA=" + std::string(name) + " is not known; use portable, avx2 or avx512");
  return kernels_portable();
}

}  // namespace

const Kernels& kernels() {
  static const Kernels chosen = choose();
  return chosen;
}

}  // namespace polhode::tree
