#pragma once
#include "polhode/variational/tree/kernels/elimination.h"

namespace polhode::variational {
inline namespace POLHODE_ISA {

POLHODE_INLINE Scratch scratch(const StepData& in, std::byte* block) {
  Scratch s;
  Scratch::carve(in.num_links, in.num_u, block, &s);
  return s;
}

/// The sweeps as plain functions.
inline NewtonKernels kernel_table(const char* name) {
  NewtonKernels t{};
  t.name = name;
  t.scratch_bytes = [](int num_links, int num_u) { return Scratch::carve(num_links, num_u, nullptr, nullptr); };
  t.evaluate = [](const StepData& in, std::byte* block, double* momentum, double* force) {
    Scratch s = scratch(in, block);
    evaluate(in, s, momentum, force);
  };
  t.factor = [](const StepData& in, std::byte* block) {
    Scratch s = scratch(in, block);
    factor(in, s);
  };
  t.solve = [](const StepData& in, std::byte* block, int columns, const double* residual, double* delta) {
    Scratch s = scratch(in, block);
    solve(in, s, columns, residual, delta);
  };
  return t;
}

}  // namespace POLHODE_ISA
}  // namespace polhode::variational
