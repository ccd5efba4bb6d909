#include "polhode/linear/block_ldu.h"

#include <gtest/gtest.h>

#include <limits>

#include "polhode/spatial/instruction_set.h"
#include "tests/linear/block_systems.h"
#include "tests/support/allocation_counter.h"

namespace polhode::linear {

// Defined in src/polhode/linear/kernels/kernels_*.cpp; the library itself offers only the fastest.
LduKernels ldu_kernels_portable();
LduKernels ldu_kernels_avx2();
LduKernels ldu_kernels_avx512();

namespace {

std::vector<LduKernels> available_kernels() {
  std::vector<LduKernels> found{ldu_kernels_portable()};
#if defined(__x86_64__)
  if (can_run(InstructionSet::avx2)) found.push_back(ldu_kernels_avx2());
  if (can_run(InstructionSet::avx512)) found.push_back(ldu_kernels_avx512());
#endif
  return found;
}

/// Against Eigen's dense factorisation. Both err by rounding times the condition of the matrix; the thousand is for pivots that
/// are chosen without regard to their size, where random rows on one part can be that much worse than all rows together.
void expect_agrees_with_dense(const BlockSystem& s, Random& random, const LduKernels& kernels = ldu_kernels()) {
  BlockLdu ldu(s.graph, kernels);
  s.write_into(ldu);
  ASSERT_TRUE(ldu.factor());
  EXPECT_EQ(ldu.rank_deficiency(), 0);
  const Matrix A = s.dense();
  const Eigen::PartialPivLU<Matrix> reference(A);
  const double tolerance = 1000 * std::numeric_limits<double>::epsilon() / reference.rcond();
  for (int i = 0; i < 3; ++i) {
    const Vector b = random_matrix(random, int(A.rows()), 1), x = reference.solve(b);
    EXPECT_LE((s.solve(ldu, b) - x).norm(), tolerance * x.norm()) << kernels.name;
  }
}

/// Each solution of A x = b has the same body part when constraints are redundant but consistent, and here it is known.
void expect_exact_bodies(const BlockSystem& s, Random& random, double tolerance, int deficiency) {
  BlockLdu ldu(s.graph);
  s.write_into(ldu);
  ASSERT_TRUE(ldu.factor());
  EXPECT_EQ(ldu.rank_deficiency(), deficiency);
  const Vector x = random_matrix(random, s.first_rows().back(), 1), b = s.times(x), found = s.solve(ldu, b);
  EXPECT_LE((s.bodies_of(found) - s.bodies_of(x)).lpNorm<Eigen::Infinity>(), tolerance);
  EXPECT_LE((s.times(found) - b).lpNorm<Eigen::Infinity>(), tolerance * (1 + found.lpNorm<Eigen::Infinity>()));
}

TEST(BlockLdu, SolvesTrees) {
  Random random(1);
  for (int n = 1; n <= 40; ++n) expect_agrees_with_dense(random_tree(random, n, n % 2 == 0), random);
}

TEST(BlockLdu, SolvesGraphsWithLoops) {
  Random random(2);
  for (int n = 3; n <= 60; ++n) {
    SCOPED_TRACE(n);
    BlockSystem s = random_tree(random, n, n % 3 != 0);
    add_random_loops(s, random, n / 3);
    expect_agrees_with_dense(s, random);
  }
}

TEST(BlockLdu, AgreesAcrossInstructionSets) {
  Random random(3);
  for (const LduKernels& kernels : available_kernels())
    for (int n = 5; n <= 40; n += 5) {
      BlockSystem s = random_tree(random, n, true);
      add_random_loops(s, random, n / 4);
      expect_agrees_with_dense(s, random, kernels);
    }
}

// Every size of block, both as a pivot and as a neighbour; the blocks between bodies are what massless ones need.
TEST(BlockLdu, TakesBlocksOfEverySize) {
  Random random(4);
  for (const LduKernels& kernels : available_kernels())
    for (int size = 1; size <= 6; ++size)
      for (int other = 1; other <= 6; ++other) {
        BlockSystem s;
        const int a = s.add_body(random, size), b = s.add_body(random, other), c = s.add_body(random, 6);
        s.connect(random, a, b), s.connect(random, b, c), s.connect(random, c, a);
        for (int i = 0; i < 3; ++i) s.blocks[{i, i}].diagonal().array() += 20;  // they outweigh the others
        const int rows = std::min(size, other), d = s.add_constraint(rows);
        for (const int body : {a, b}) {  // independent rows even with the other body held, as joints have
          const int columns = s.graph.nodes[body].size;
          const Matrix G = Matrix::Identity(rows, columns) + 0.2 * random_matrix(random, rows, columns);
          s.connect(d, body, G, G + 0.1 * random_matrix(random, rows, columns));
        }
        expect_agrees_with_dense(s, random, kernels);
      }
}

TEST(BlockLdu, FactorsAgainAfterClear) {
  Random random(5);
  BlockSystem s = random_tree(random, 12, true);
  add_random_loops(s, random, 4);
  BlockLdu ldu(s.graph);
  const Vector b = random_matrix(random, s.first_rows().back(), 1);
  s.write_into(ldu);
  ASSERT_TRUE(ldu.factor());
  const Vector once = s.solve(ldu, b);
  s.write_into(ldu);
  ASSERT_TRUE(ldu.factor());
  EXPECT_EQ(s.solve(ldu, b), once);
  EXPECT_EQ(BlockLdu(ldu).order().size(), s.graph.nodes.size());  // copies stand on their own
}

// What a block that is not in the graph held before must not matter, be it infinite.
TEST(BlockLdu, ForgetsWhatItFactoredBefore) {
  Random random(14);
  for (const LduKernels& kernels : available_kernels()) {
    BlockSystem s = random_tree(random, 30, true);
    add_random_loops(s, random, 12);
    BlockLdu used(s.graph, kernels), fresh(s.graph, kernels);
    ASSERT_GT(used.num_fill(), 0);
    BlockSystem broken = s;
    for (auto& [place, block] : broken.blocks)
      if (place.first != place.second) block *= 1e200;
    broken.write_into(used);
    used.factor();
    s.write_into(used), s.write_into(fresh);
    ASSERT_TRUE(used.factor());
    ASSERT_TRUE(fresh.factor());
    const Vector b = random_matrix(random, s.first_rows().back(), 1);
    EXPECT_EQ(s.solve(used, b), s.solve(fresh, b));
  }
}

TEST(BlockLdu, DoesNotAllocateInFactorAndSolve) {
  const PlanarLinkage s = scissor_lift(8);
  BlockLdu ldu(s.graph);
  std::vector<double> x(8 * s.graph.nodes.size(), 0.0);
  s.write_into(ldu);
  EXPECT_EQ(testing_support::allocations_in([&] {
              EXPECT_TRUE(ldu.factor());
              ldu.solve(x);
              ldu.clear();
              ldu.factor_and_solve(x);
            }),
            0);
}

// A body held by a five-row joint on each side: with both of its neighbours fixed, ten rows meet six unknowns. The order a, b,
// c of elimination by degree alone takes the body and both joints first.
TEST(BlockLdu, DoesNotEliminateAPartThatIsHeldOnTwoSides) {
  Random random(6);
  BlockSystem s;
  const int middle = s.add_body(random), left_joint = s.add_constraint(5), right_joint = s.add_constraint(5);
  s.connect(random, left_joint, middle), s.connect(random, right_joint, middle);
  const int left = s.add_body(random), right = s.add_body(random);
  s.connect(random, left_joint, left), s.connect(random, right_joint, right);
  for (const int side : {left, right})  // held elsewhere too, so that they are not leaves
    for (int i = 0; i < 2; ++i) s.connect(random, s.add_constraint(1, true), side);
  EXPECT_LT(Eigen::FullPivLU<Matrix>(s.dense().topLeftCorner(16, 16)).rank(), 16);
  EXPECT_TRUE(Eigen::FullPivLU<Matrix>(s.dense()).isInvertible());
  expect_agrees_with_dense(s, random);
}

// Rows that say the same twice: within one node, and in two nodes.
TEST(BlockLdu, IgnoresDuplicateRows) {
  Random random(7);
  BlockSystem s = random_tree(random, 6, true);
  const int a = 0, b = int(s.graph.nodes.size()) - 2;
  const Matrix G_a = random_matrix(random, 2, s.graph.nodes[a].size), G_b = random_matrix(random, 2, s.graph.nodes[b].size);
  const auto twice = [](const Matrix& G) { return (Matrix(3, G.cols()) << G, -2 * G.row(0)).finished(); };
  ASSERT_FALSE(s.graph.nodes[b].constraint);
  const int within = s.add_constraint(3), again = s.add_constraint(2);
  s.connect(within, a, twice(G_a), twice(1.1 * G_a)), s.connect(within, b, twice(G_b), twice(1.1 * G_b));
  s.connect(again, a, 3 * G_a, 3.3 * G_a), s.connect(again, b, 3 * G_b, 3.3 * G_b);
  expect_exact_bodies(s, random, 1e-9, 3);  // the condition of what is left is below 1e4
}

// A planar loop of spatial joints has three rows more than it needs; which joint they are in cannot be told. Errors grow with
// the condition of the linkage, which for a chain is about the square of its length.
TEST(BlockLdu, GivesExactMotionsOfOverconstrainedLinkages) {
  Random random(8);
  for (const int n : {2, 3, 4, 10, 30}) {
    SCOPED_TRACE(n);
    if (n > 2) expect_exact_bodies(closed_chain(n, n), random, 1e-9, 3);
    expect_exact_bodies(four_bar_chain(n, n), random, 1e-9, 3 * n);
    expect_exact_bodies(scissor_lift(n, n), random, 1e-9, 3 * (n - 1));
  }
}

/// Four-bars side by side on one link.
PlanarLinkage four_bars_on_a_hub(int n) {
  PlanarLinkage s(11);
  const int hub = s.link(0, 0);
  s.pin(hub, -1, 0.5, 0);
  for (int i = 0; i < n; ++i) {
    const int left = s.link(0, 1), coupler = s.link(1, 2.2), right = s.link(2.2, 1);
    s.pin(left, hub, 0, 0), s.pin(coupler, left, 0, 2), s.pin(right, coupler, 2, 2.4), s.pin(right, hub, 2, 0);
  }
  return s;
}

TEST(BlockLdu, SolvesLargeWideSystems) {
  Random random(13);
  expect_exact_bodies(four_bars_on_a_hub(1000), random, 1e-9, 3000);
  BlockSystem s = random_tree(random, 6000, true);
  add_random_loops(s, random, 30);
  expect_exact_bodies(s, random, 1e-11, 0);  // the condition is some 1e2, sums are over 6000 bodies
}

TEST(BlockLdu, FactorsAndSolvesInOneGoToTheSameBits) {
  Random random(15);
  BlockSystem loops = random_tree(random, 30, true);
  add_random_loops(loops, random, 12);
  const PlanarLinkage wide = four_bars_on_a_hub(1000);
  for (const BlockSystem* s : {static_cast<const BlockSystem*>(&loops), static_cast<const BlockSystem*>(&wide)})
    for (const LduKernels& kernels : available_kernels()) {
      BlockLdu ldu(s->graph, kernels);
      std::vector<double> x(8 * s->graph.nodes.size(), 0.0);
      for (std::size_t i = 0; i < s->graph.nodes.size(); ++i)
        for (int r = 0; r < s->graph.nodes[i].size; ++r) x[8 * i + std::size_t(r)] = random.uniform(-1, 1);
      std::vector<double> at_once = x;
      s->write_into(ldu);
      ASSERT_TRUE(ldu.factor());
      ldu.solve(x);
      s->write_into(ldu);
      ASSERT_TRUE(ldu.factor_and_solve(at_once));
      EXPECT_EQ(at_once, x) << kernels.name;
    }
}

TEST(BlockLdu, CountsRowsOfConstraintsOnNothing) {
  BlockLdu ldu({.nodes = {{4, true}}, .edges = {}});
  EXPECT_TRUE(ldu.factor());
  EXPECT_EQ(ldu.rank_deficiency(), 4);
  std::vector<double> x(8, 0.0);
  ldu.solve(x);
  EXPECT_EQ(x, std::vector<double>(8, 0.0));
}

TEST(BlockLdu, NamesASingularBody) {
  Random random(9);
  BlockSystem alone;
  alone.add_body(random), alone.add_body(random);
  alone.blocks[{1, 1}].row(5).setZero();
  BlockLdu ldu(alone.graph);
  alone.write_into(ldu);
  EXPECT_FALSE(ldu.factor());
  EXPECT_EQ(ldu.failed_node(), 1);
  alone.blocks[{1, 1}](5, 5) = 1;
  alone.write_into(ldu);
  EXPECT_TRUE(ldu.factor());
  EXPECT_EQ(ldu.failed_node(), -1);
}

TEST(BlockLdu, FailsOnWhatIsNotFinite) {
  Random random(10);
  BlockSystem s = random_tree(random, 8, true);
  add_random_loops(s, random, 2);
  BlockLdu ldu(s.graph);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const auto& [place, M] : s.blocks) {
      BlockSystem broken = s;
      broken.blocks[place](random.index(int(M.rows())), random.index(int(M.cols()))) = bad;
      broken.write_into(ldu);
      EXPECT_FALSE(ldu.factor()) << place.first << ' ' << place.second;
      EXPECT_GE(ldu.failed_node(), 0);
    }
}

TEST(BlockLdu, RefusesBlocksThatAreNotThere) {
  BlockLdu ldu({.nodes = {{6}, {5, true}, {6}}, .edges = {{0, 1}}});
  EXPECT_NO_THROW(ldu.block(1, 0));
  EXPECT_THROW(ldu.block(1, 2), std::invalid_argument);
  BlockLdu ring({.nodes = {{6}, {6}, {6}, {6}}, .edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}}});
  ASSERT_EQ(ring.num_fill(), 1);
  for (const auto& [i, j] : {std::pair(0, 2), std::pair(1, 3)}) EXPECT_THROW(ring.block(i, j), std::invalid_argument);
  EXPECT_THROW(BlockLdu({.nodes = {{7}}, .edges = {}}), std::invalid_argument);
  EXPECT_THROW(BlockLdu({.nodes = {{6}}, .edges = {{0, 1}}}), std::invalid_argument);
}

}  // namespace
}  // namespace polhode::linear
