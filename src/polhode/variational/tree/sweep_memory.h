#pragma once
#include <cstddef>
#include <memory>

#include "polhode/variational/tree/step_data.h"

namespace polhode::variational {

/// The block of memory that the sweeps work in: aligned, zeroed, sized once.
class SweepMemory {
 public:
  SweepMemory(const NewtonKernels& kernels, const DiscreteTree& tree);
  std::byte* block() const { return block_.get(); }

 private:
  struct Free {
    void operator()(std::byte* p) const;
  };
  std::unique_ptr<std::byte[], Free> block_;
};

}  // namespace polhode::variational
