#pragma once
#include <cstddef>

#include "polhode/linear/ldu_program.h"
#include "polhode/spatial/inline.h"

#ifndef POLHODE_ISA
#error "a kernel file names its instruction set before it includes this"
#endif

/// The sweeps of BlockLdu (Bruedigam & Manchester, algorithms 3 and 4, for graphs with loops). A column of a block is one
/// vector of eight lanes, of which those beyond the block's rows are zero; a product of blocks is a sum of columns times
/// numbers.
namespace polhode::linear {
inline namespace POLHODE_ISA {

using Vector = double __attribute__((vector_size(64)));
using Bits = long long __attribute__((vector_size(64)));

POLHODE_INLINE Vector load(const LduColumn& c) {
  Vector v;
  __builtin_memcpy(&v, __builtin_assume_aligned(&c, 64), sizeof v);
  return v;
}
POLHODE_INLINE void store(const Vector& v, LduColumn& c) { __builtin_memcpy(__builtin_assume_aligned(&c, 64), &v, sizeof v); }
POLHODE_INLINE Vector load(const double* x) {
  Vector v;
  __builtin_memcpy(&v, x, sizeof v);
  return v;
}
POLHODE_INLINE void store(const Vector& v, double* x) { __builtin_memcpy(x, &v, sizeof v); }

/// A with lane k from B.
template <int k>
POLHODE_INLINE Vector with_lane(const Vector& A, const Vector& B) {
  return __builtin_shufflevector(A, B, k == 0 ? 8 : 0, k == 1 ? 9 : 1, k == 2 ? 10 : 2, k == 3 ? 11 : 3, k == 4 ? 12 : 4,
                                 k == 5 ? 13 : 5, 6, 7);
}
template <int k>
POLHODE_INLINE Vector broadcast(const Vector& A) {
  return __builtin_shufflevector(A, A, k, k, k, k, k, k, k, k);
}
POLHODE_INLINE Vector absolute(const Vector& a) { return Vector(Bits(a) & (0x7fffffffffffffffLL - Bits{})); }
POLHODE_INLINE Vector larger(const Vector& a, const Vector& b) { return a > b ? a : b; }

template <int S>
POLHODE_INLINE void load_columns(const LduColumn* block, Vector (&column)[S]) {
  for (int k = 0; k < S; ++k) column[k] = load(block[k]);
}
/// The block times a vector of S numbers, in two sums, for each addition has to wait for the one before.
template <int S>
POLHODE_INLINE Vector times(const Vector (&block)[S], const double* x) {
  Vector even = block[0] * x[0];
  if constexpr (S == 1) return even;
  Vector odd = block[S > 1 ? 1 : 0] * x[S > 1 ? 1 : 0];
  for (int k = 2; k < S; k += 2) even += block[k] * x[k];
  for (int k = 3; k < S; k += 2) odd += block[k] * x[k];
  return even + odd;
}
template <int S>
POLHODE_INLINE Vector minus_times(Vector sum, const Vector (&block)[S], const double* x) {
  for (int k = 0; k < S; ++k) sum -= block[k] * x[k];
  return sum;
}

/// Inverts A by Gauss-Jordan steps down the diagonal, and leaves the pivots as they were met. One for which pass_over(k, pivot)
/// holds is left out: its row and its column of the inverse become zero.
template <int k, int S, class PassOver>
POLHODE_INLINE void gauss_jordan(Vector (&A)[S], double (&pivot)[S], const PassOver& pass_over) {
  if constexpr (k < S) {
    pivot[k] = broadcast<k>(A[k])[0];
    const double inverse = pass_over(k, pivot[k]) ? 0 : 1 / pivot[k];
    const Vector g = with_lane<k>(A[k], Vector{} - 1.0) * inverse;
    for (int j = 0; j < S; ++j)
      if (j != k) A[j] = with_lane<k>(A[j], Vector{}) - g * broadcast<k>(A[j]);
    A[k] = -g;
    gauss_jordan<k + 1>(A, pivot, pass_over);
  }
}
template <int k, int S>
POLHODE_INLINE Vector diagonal_of(const Vector (&A)[S]) {
  if constexpr (k < S)
    return with_lane<k>(diagonal_of<k + 1>(A), A[k]);
  else
    return Vector{};
}

/// Below this, relative to the row that it is in, a pivot may do harm to what comes after; a better one is looked for. In a
/// definite block it does none, however small. In others rounding grows by its inverse, to 1e-10: less than what is doubtful.
inline constexpr double harmful = 1e-6;
/// Beside what an entry was before cancellation: bodies never cancel much.
inline constexpr double body_tolerance = 1e-14;

/// Entries of D, row by row.
struct RowSizes {
  Vector now{}, before{};  // before: as large as they were ever, if something was taken away from them

  /// Pivots above this are good ones.
  POLHODE_INLINE Vector threshold() const { return larger(harmful * now, most_rank_tolerance * before); }
};
template <int S>
POLHODE_INLINE RowSizes row_sizes(const Vector (&D)[S], const LduColumn* largest) {
  RowSizes r;
  for (int j = 0; j < S; ++j) r.now = larger(absolute(D[j]), r.now);
  if (largest != nullptr)
    for (int j = 0; j < S; ++j) r.before = larger(load(largest[j]), r.before);
  return r;
}
POLHODE_INLINE bool good(double pivot, double threshold) { return (pivot > threshold) & (pivot < 1e300); }

/// Whether D X D = D but for rounding: then X is right, whatever rows were passed over.
template <int S>
POLHODE_INLINE bool inverts(const Vector (&X)[S], const LduColumn* D, const Vector& size, double tolerance) {
  Vector column[S], worst{};
  load_columns<S>(D, column);
  for (int j = 0; j < S; ++j) {
    LduColumn X_D;
    store(times<S>(X, D[j].entry), X_D);
    worst = larger(absolute(minus_times<S>(column[j], column, X_D.entry)), worst);
  }
  bool right = true;
  for (int i = 0; i < S; ++i) right &= worst[i] <= 10 * tolerance * size[i];
  return right;
}

/// For a constraint that has rows too many: each pivot is either a good one or nothing but rounding beside what its diagonal
/// entry was before cancellation. Returns the rank, or -1 without having done anything when it is not as clear as that.
template <int S>
POLHODE_INLINE int invert_semidefinite(LduColumn* D, const LduColumn* largest, double tolerance) {
  Vector A[S];
  load_columns<S>(D, A);
  Vector nothing = absolute(diagonal_of<0>(A));
  if (largest != nullptr) {
    Vector before[S];
    load_columns<S>(largest, before);
    nothing = larger(diagonal_of<0>(before), nothing);
  }
  nothing *= tolerance;
  const RowSizes sizes = row_sizes<S>(A, largest);
  const Vector threshold = sizes.threshold();
  double pivot[S];
  gauss_jordan<0>(A, pivot, [&](int k, double p) { return __builtin_fabs(p) <= nothing[k]; });
  int rank = 0;
  for (int k = 0; k < S; ++k) {
    const double p = __builtin_fabs(pivot[k]);
    const bool is_nothing = p <= nothing[k];
    if (!is_nothing && !good(p, threshold[k])) return -1;
    rank += is_nothing ? 0 : 1;
  }
  if (!inverts<S>(A, D, larger(sizes.now, sizes.before), tolerance)) return -1;
  for (int k = 0; k < S; ++k) store(A[k], D[k]);
  return rank;
}

/// What invert() does when a pivot was not a good one.
template <int S>
inline bool invert_with_care(const LduStep& step, double tolerance, LduColumn* matrix, LduResult& result) {
  LduColumn* const D = matrix + step.diagonal;
  const LduColumn* const largest = step.largest >= 0 ? matrix + step.largest : nullptr;
  int rank = step.constraint ? invert_semidefinite<S>(D, largest, tolerance) : -1;
  if (rank < 0) rank = invert_rank_revealing(S, D, largest, step.constraint ? tolerance : body_tolerance);
  if (rank < 0 || (rank < S && !step.constraint)) {
    result.failed_node = step.node;
    return false;
  }
  result.rank_deficiency += S - rank;
  return true;
}

/// D = D^-1. Pivots of mechanisms are definite (but for unsymmetric parts that vanish with the step), and then need no search.
template <int S>
POLHODE_INLINE bool invert(const LduStep& step, double tolerance, LduColumn* matrix, LduResult& result) {
  LduColumn* const D = matrix + step.diagonal;
  Vector A[S];
  load_columns<S>(D, A);
  LduColumn threshold;
  store(row_sizes<S>(A, step.largest >= 0 ? matrix + step.largest : nullptr).threshold(), threshold);
  double pivot[S];
  gauss_jordan<0>(A, pivot, [](int, double) { return false; });
  bool all_good = true;
  for (int k = 0; k < S; ++k) all_good &= good(__builtin_fabs(pivot[k]), threshold.entry[k]);
  if (__builtin_expect(!all_good, false)) return invert_with_care<S>(step, tolerance, matrix, result);
  for (int k = 0; k < S; ++k) store(A[k], D[k]);
  return true;
}

/// F(a, b) -= L_a F(c, b).
template <int S>
POLHODE_INLINE void subtract_product(const Vector (&L)[S], const LduColumn* F, int columns, LduColumn* target) {
  for (int j = 0; j < columns; ++j) store(minus_times<S>(load(target[j]), L, F[j].entry), target[j]);
}
/// F(a, b) = -L_a F(c, b), whatever F(a, b) was.
template <int S>
POLHODE_INLINE void store_product(const Vector (&L)[S], const LduColumn* F, int columns, LduColumn* target) {
  for (int j = 0; j < columns; ++j) store(minus_times<S>(Vector{}, L, F[j].entry), target[j]);
}
POLHODE_INLINE void keep_largest(const LduColumn* D, int columns, LduColumn* largest, bool fresh) {
  for (int j = 0; j < columns; ++j) store(larger(absolute(load(D[j])), fresh ? Vector{} : load(largest[j])), largest[j]);
}

/// With one neighbour, as in every tree: L_a stays in registers.
template <int S>
POLHODE_INLINE void eliminate_one(const LduStep& step, const LduNeighbour& a, LduColumn* matrix) {
  const LduColumn* const D = matrix + step.diagonal;
  LduColumn* const lower = matrix + step.lower;
  LduColumn* const target = matrix + a.diagonal;
  if (a.largest >= 0) keep_largest(target, a.size, matrix + a.largest, a.largest_is_fresh);
  Vector F[S], L[S];
  load_columns<S>(lower, F);
  for (int k = 0; k < S; ++k) store(L[k] = times<S>(F, D[k].entry), lower[k]);
  subtract_product<S>(L, matrix + step.upper, a.size, target);
}

template <int S>
inline void eliminate_many(const LduStep& step, const LduProgram& program, LduColumn* matrix) {
  const LduColumn* const D = matrix + step.diagonal;
  const LduNeighbour* const neighbours = program.neighbours + step.first_neighbour;
  Vector block[S];
  for (int a = 0; a < step.num_neighbours; ++a) {
    LduColumn* const lower = matrix + step.lower + a * S;
    load_columns<S>(lower, block);
    for (int k = 0; k < S; ++k) store(times<S>(block, D[k].entry), lower[k]);
  }
  const LduColumn* L_a = matrix + step.lower;
  const LduColumn* F_a = matrix + step.upper;
  for (int a = 0; a < step.num_neighbours; ++a) {
    const LduNeighbour& n = neighbours[a];
    if (n.largest >= 0) keep_largest(matrix + n.diagonal, n.size, matrix + n.largest, n.largest_is_fresh);
    load_columns<S>(L_a, block);
    subtract_product<S>(block, F_a, n.size, matrix + n.diagonal);
    const LduColumn* L_b = L_a += S;
    const LduColumn* F_b = F_a + n.size;
    int b = a + 1;
    for (const LduRun* run = program.runs + n.first_run; run != program.runs + n.first_run + n.num_runs; ++run) {
      LduColumn* upper = matrix + run->upper;
      LduColumn* lower = matrix + run->lower;
      for (const int end = b + run->length; b < end; ++b) {
        const int columns = neighbours[b].size;
        Vector other[S];
        load_columns<S>(L_b, other);
        if (run->fresh)
          store_product<S>(block, F_b, columns, upper), store_product<S>(other, F_a, n.size, lower);
        else
          subtract_product<S>(block, F_b, columns, upper), subtract_product<S>(other, F_a, n.size, lower);
        upper += columns, F_b += columns, lower += n.size, L_b += S;
      }
    }
    F_a += n.size;
  }
}

/// x_a -= L_a x_c.
template <int S>
POLHODE_INLINE void solve_forward(const LduStep& step, const LduProgram& program, const LduColumn* matrix, double* x) {
  const double* const x_c = x + 8 * std::ptrdiff_t(step.node);
  const LduColumn* lower = matrix + step.lower;
  const LduNeighbour* a = program.neighbours + step.first_neighbour;
  for (const LduNeighbour* const end = a + step.num_neighbours; a != end; ++a, lower += S) {
    Vector L[S];
    load_columns<S>(lower, L);
    double* const x_a = x + 8 * std::ptrdiff_t(a->node);
    store(load(x_a) - times<S>(L, x_c), x_a);
  }
}
/// x: null, or a right-hand side that is taken along while L_a is at hand.
template <int S>
inline bool factor_step(const LduStep& step, const LduProgram& program, LduColumn* matrix, double* x, LduResult& result) {
  if (!invert<S>(step, program.rank_tolerance, matrix, result)) return false;
  if (step.num_neighbours == 1)
    eliminate_one<S>(step, program.neighbours[step.first_neighbour], matrix);
  else if (step.num_neighbours > 1)
    eliminate_many<S>(step, program, matrix);
  if (x != nullptr) solve_forward<S>(step, program, matrix, x);
  return true;
}
inline bool factor_step(const LduStep& step, const LduProgram& program, LduColumn* matrix, double* x, LduResult& result) {
  switch (step.size) {
    case 1: return factor_step<1>(step, program, matrix, x, result);
    case 2: return factor_step<2>(step, program, matrix, x, result);
    case 3: return factor_step<3>(step, program, matrix, x, result);
    case 4: return factor_step<4>(step, program, matrix, x, result);
    case 5: return factor_step<5>(step, program, matrix, x, result);
    default: return factor_step<6>(step, program, matrix, x, result);
  }
}

template <int S>
POLHODE_INLINE Vector block_times(const LduColumn* block, const double* x) {
  Vector column[S];
  load_columns<S>(block, column);
  return times<S>(column, x);
}
POLHODE_INLINE Vector block_times(int columns, const LduColumn* block, const double* x) {
  switch (columns) {
    case 1: return block_times<1>(block, x);
    case 2: return block_times<2>(block, x);
    case 3: return block_times<3>(block, x);
    case 4: return block_times<4>(block, x);
    case 5: return block_times<5>(block, x);
    default: return block_times<6>(block, x);
  }
}
/// x_c = D^-1 (x_c - sum F(c, a) x_a).
POLHODE_INLINE void solve_backward(const LduStep& step, const LduProgram& program, const LduColumn* matrix, double* x) {
  double* const x_c = x + 8 * std::ptrdiff_t(step.node);
  Vector sum = load(x_c);
  const LduColumn* upper = matrix + step.upper;
  const LduNeighbour* a = program.neighbours + step.first_neighbour;
  for (const LduNeighbour* const end = a + step.num_neighbours; a != end; ++a) {
    sum -= block_times(a->size, upper, x + 8 * std::ptrdiff_t(a->node));
    upper += a->size;
  }
  store(sum, x_c);
  store(block_times(step.size, matrix + step.diagonal, x_c), x_c);
}

inline LduResult factor(const LduProgram& program, LduColumn* matrix, double* x) {
  LduResult result;
  for (int k = 0; k < program.num_steps; ++k)
    if (!factor_step(program.steps[k], program, matrix, x, result)) break;
  return result;
}

inline void forward(const LduProgram& program, const LduColumn* matrix, double* x) {
  for (int k = 0; k < program.num_steps; ++k) {
    const LduStep& step = program.steps[k];
    switch (step.size) {
      case 1: solve_forward<1>(step, program, matrix, x); break;
      case 2: solve_forward<2>(step, program, matrix, x); break;
      case 3: solve_forward<3>(step, program, matrix, x); break;
      case 4: solve_forward<4>(step, program, matrix, x); break;
      case 5: solve_forward<5>(step, program, matrix, x); break;
      default: solve_forward<6>(step, program, matrix, x); break;
    }
  }
}
inline void backward(const LduProgram& program, const LduColumn* matrix, double* x) {
  for (int k = program.num_steps - 1; k >= 0; --k) solve_backward(program.steps[k], program, matrix, x);
}

inline LduKernels kernel_table(const char* name) { return {name, factor, forward, backward}; }

}  // namespace POLHODE_ISA
}  // namespace polhode::linear
