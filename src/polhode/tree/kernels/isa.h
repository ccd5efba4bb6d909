#pragma once

/// Kernels are compiled several times with different machine flags (src/polhode/tree/kernels/kernels_*.cpp). Each copy lives
/// in a namespace of its own, so that the linker cannot mix them.
#ifndef POLHODE_ISA
#define POLHODE_ISA portable
#endif
