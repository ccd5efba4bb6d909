#include "polhode/spatial/instruction_set.h"

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

namespace polhode {

bool can_run(InstructionSet set) {
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  return set == InstructionSet::portable || (set == InstructionSet::avx2 ? avx2 : avx512);
#else
  return set == InstructionSet::portable;
#endif
}

InstructionSet instruction_set() {
  const char* const wanted = std::getenv("POLHODE_ISA");
  const std::string_view name = wanted != nullptr ? wanted : "";
  using enum InstructionSet;
  if (name.empty()) return can_run(avx512) ? avx512 : can_run(avx2) ? avx2 : portable;
  if (name == "portable") return portable;
  if (name != "avx2" && name != "avx512")
    throw std::runtime_error("POLHODE_ISA=" + std::string(name) + " is not known; use portable, avx2 or avx512");
  const InstructionSet set = name == "avx2" ? avx2 : avx512;
  if (!can_run(set))
    throw std::runtime_error("POLHODE_ISA=" + std::string(name) + ": this processor cannot run it; try POLHODE_ISA=portable");
  return set;
}

}  // namespace polhode
