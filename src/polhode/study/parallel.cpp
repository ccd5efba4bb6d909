#include "polhode/study/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace polhode::study {

int available_threads() { return tbb::info::default_concurrency(); }

void for_each_index(std::size_t n, int threads, const std::function<void(std::size_t)>& body) {
  const int wanted = threads > 0 ? threads : available_threads();
  if (wanted == 1) {
    for (std::size_t i = 0; i < n; ++i) body(i);
    return;
  }
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, std::size_t(wanted));
  tbb::task_arena arena(wanted);
  arena.execute([&] {
    // Runs take milliseconds and not all the same time: each is a task, so that no thread idles at the end.
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, n, 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t i = range.begin(); i < range.end(); ++i) body(i);
        },
        tbb::simple_partitioner());
  });
}

}  // namespace polhode::study
