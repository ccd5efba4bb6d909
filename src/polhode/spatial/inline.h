#pragma once

/// Kernels are compiled once per instruction set (see docs/architecture.md, "One source, several instruction
/// sets"). A small function that the compiler chose not to inline would become a weak symbol, and the linker would keep
/// any one of its copies, perhaps the AVX-512 one. Forcing the inlining rules that out.
#define POLHODE_INLINE inline __attribute__((always_inline))
