#pragma once

namespace polhode {

/// For which processors the kernels are compiled (src/CMakeLists.txt).
enum class InstructionSet { portable, avx2, avx512 };

/// The best that this processor can run, or what the environment variable POLHODE_ISA asks for. Throws std::runtime_error when
/// that is not known or cannot run here.
InstructionSet instruction_set();
bool can_run(InstructionSet set);

}  // namespace polhode
