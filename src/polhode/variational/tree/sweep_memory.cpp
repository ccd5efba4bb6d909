#include "polhode/variational/tree/sweep_memory.h"

#include <cstring>
#include <new>

namespace polhode::variational {
namespace {

constexpr std::align_val_t alignment{64};

std::byte* zeroed(std::size_t bytes) {
  auto* p = static_cast<std::byte*>(::operator new[](bytes, alignment));
  std::memset(p, 0, bytes);
  return p;
}

}  // namespace

void SweepMemory::Free::operator()(std::byte* p) const { ::operator delete[](p, alignment); }

SweepMemory::SweepMemory(const NewtonKernels& kernels, const DiscreteTree& tree)
    : block_(zeroed(kernels.scratch_bytes(int(tree.links().size()), tree.num_u()))) {}

}  // namespace polhode::variational
