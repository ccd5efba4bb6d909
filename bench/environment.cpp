#include "environment.h"

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <cstdlib>

namespace polhode::bench {

void hold_libraries_to_one_thread(char** argv) {
  if (std::getenv("OMP_NUM_THREADS") && std::getenv("OPENBLAS_NUM_THREADS")) return;
  setenv("OMP_NUM_THREADS", "1", 0);
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
  execv("/proc/self/exe", argv);  // returns only if it failed; then the timing is merely less certain
  fmt::print(stderr, "warning: could not restart with OMP_NUM_THREADS=1; other threads may disturb the timing\n");
}

void keep_large_blocks_on_the_heap() {
  constexpr int one_gibibyte = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, one_gibibyte);
  mallopt(M_TRIM_THRESHOLD, one_gibibyte);
}

}  // namespace polhode::bench
