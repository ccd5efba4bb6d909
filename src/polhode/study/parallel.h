#pragma once
#include <cstddef>
#include <functional>

namespace polhode::study {

/// How many threads a study uses when it is not told: as many as this process may run on.
int available_threads();

/// Calls body(0) to body(n - 1), on up to so many threads (0: all there are), in no particular order. The body must not throw.
void for_each_index(std::size_t n, int threads, const std::function<void(std::size_t)>& body);

}  // namespace polhode::study
