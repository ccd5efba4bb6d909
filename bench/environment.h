#pragma once
/// What a fair measurement asks of the process.

namespace polhode::bench {

/// OpenBLAS and OpenMP read their environment when they are loaded, before main; so this sets it and starts the program over.
void hold_libraries_to_one_thread(char** argv);

/// glibc decides from past allocations whether a large block is mapped anew each time.  With several engines in one
/// process the answer would depend on who came first (building DART's longest chain takes 2 s or 12 s), so this fixes it.
void keep_large_blocks_on_the_heap();

}  // namespace polhode::bench
