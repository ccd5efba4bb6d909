#pragma once

/// What BlockLdu's factor() and solve() do, written down once as flat lists: which blocks, in which sequence. Plain data, for
/// the kernels are compiled for several instruction sets (linear/kernels).
namespace polhode::linear {

/// The matrix is stored in columns of eight doubles, one cache line each; places are counted in columns.
struct alignas(64) LduColumn {
  double entry[8];
};

/// The elimination of one node c. With D its diagonal block and L_a = F(a, c) D^-1 for each neighbour a that is eliminated
/// later, F(a, b) -= L_a F(c, b) for each pair of them. In the end D and F(a, c) hold D^-1 and L_a. F(c, a) = D U_a stays as it
/// is: what U_a is for, solve() gets from D^-1 once for all neighbours together.
struct LduStep {
  int node = 0, size = 0;
  bool constraint = false;
  int first_neighbour = 0, num_neighbours = 0;
  int diagonal = 0;  ///< D, `size` columns
  int lower = 0;     ///< F(a, c) for all a, one after another, `size` columns each
  int upper = 0;     ///< F(c, a) for all a, one after another, as many columns as the neighbour's size
  int largest = -1;  ///< |entries| of D before something was taken away from them; -1 when nothing ever is
};
struct LduNeighbour {
  int node = 0, size = 0;
  int diagonal = 0;                 ///< where F(a, a) is
  int largest = -1;                 ///< where to keep |F(a, a)| before this update, which takes away from it; -1: it only adds
  bool largest_is_fresh = false;    ///< nothing is kept there yet, not even zeros
  int first_run = 0, num_runs = 0;  ///< of the pairs (a, b) with b after a
};
/// Neighbours b that follow each other both in c's list and in a's: their blocks are next to each other.
struct LduRun {
  int length = 0;
  int lower = 0;       ///< F(b, a)
  int upper = 0;       ///< F(a, b)
  bool fresh = false;  ///< nothing is in these blocks yet, not even zeros
};

/// Pivots of constraints below this, beside what their entries were before cancellation, count as zero: rounding through a loop
/// leaves some 1e-14. `loose_rank_tolerance` is for rows that miss each other by the digits they were written with. Up to
/// `most_rank_tolerance` the rank is decided with more care, and that much may be asked for.
inline constexpr double rank_tolerance = 1e-11, loose_rank_tolerance = 100 * rank_tolerance,
                        most_rank_tolerance = 1000 * rank_tolerance;

struct LduProgram {
  const LduStep* steps;
  int num_steps;
  const LduNeighbour* neighbours;
  const LduRun* runs;
  double rank_tolerance;  ///< in use
};
struct LduResult {
  int failed_node = -1;  ///< of the step that could not be done; those after it were not tried
  int rank_deficiency = 0;
};

/// The sweeps for one instruction set.
struct LduKernels {
  const char* name;
  /// All steps; with what forward() would do for them, unless x is null.
  LduResult (*factor)(const LduProgram& program, LduColumn* matrix, double* x);
  void (*forward)(const LduProgram& program, const LduColumn* matrix, double* x);
  void (*backward)(const LduProgram& program, const LduColumn* matrix, double* x);
};
const LduKernels& ldu_kernels();  ///< the fastest that this processor can run

/// Inverts D in place by elimination with complete pivoting; for blocks that are not clearly regular. `largest` (or null)
/// bounds the entries that D came from by subtraction: what is below `tolerance` of that counts as zero. Beyond the rank, rows
/// are ignored and unknowns are zero: D X D = D and X D X = X. Returns the rank; -1 when a number is not finite.
int invert_rank_revealing(int size, LduColumn* D, const LduColumn* largest, double tolerance);

}  // namespace polhode::linear
