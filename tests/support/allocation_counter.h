#pragma once

namespace polhode::testing_support {

/// Calls of operator new so far. Linking this in replaces the program's operator new by one that counts.
long allocation_count();

template <class Work>
long allocations_in(const Work& work) {
  const long before = allocation_count();
  work();
  return allocation_count() - before;
}

}  // namespace polhode::testing_support
