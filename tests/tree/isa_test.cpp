#include <gtest/gtest.h>

#include <cstring>

#include <new>

#include "polhode/tree/kernels/kernels.h"
#include "polhode/tree/tree_model.h"
#include "tests/support/near.h"
#include "tests/support/random_mechanism.h"

namespace polhode::tree {

// Defined in src/polhode/tree/kernels/kernels_*.cpp; the library itself offers only the fastest.
Kernels kernels_portable();
Kernels kernels_avx2();
Kernels kernels_avx512();

namespace {

using testing_support::near;

// The same sums with and without fused multiply-adds; accelerations and solutions also carry the condition of M, up to 1e6.
constexpr double rounding = 1e-12, after_solving = 1e-9;

std::vector<Kernels> available() {
  std::vector<Kernels> found{kernels_portable()};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found.push_back(kernels_avx2());
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw"))
    found.push_back(kernels_avx512());
#endif
  return found;
}

/// Everything a table of kernels computes on one state, copied into each lane and read from the last.
class Results {
 public:
  Results(const KernelTable& k, const Mechanism& mechanism, const testing_support::RandomState& s)
      : W_(k.width),
        tree_(tree_model(mechanism)),
        block_(static_cast<std::byte*>(::operator new[](k.scratch_bytes(tree_), std::align_val_t(64)))) {
    std::memset(block_.get(), 0, k.scratch_bytes(tree_));
    const int n = mechanism.num_u(), bodies = mechanism.num_bodies();
    const auto q = in_lanes(s.q), u = in_lanes(s.u), a = in_lanes(s.u_dot), tau = in_lanes(s.tau);
    std::vector<Wrench<double>> F(std::size_t(bodies) * W_);
    for (int b = 0; b < bodies; ++b)
      for (int lane = 0; lane < W_; ++lane) F[b * W_ + lane] = {{0.1 * b, -0.3, 0.5}, {1, 0.2 * b, -2}};
    const auto by_speed = [&](const auto& compute) {
      std::vector<double> out(std::size_t(n) * W_);
      compute(out.data());
      return last_lane(out);
    };
    std::byte* const block = block_.get();

    forward = by_speed([&](double* out) { k.forward_dynamics(tree_, q.data(), u.data(), tau.data(), F.data(), block, out); });
    inverse = by_speed([&](double* out) { k.inverse_dynamics(tree_, q.data(), u.data(), a.data(), F.data(), block, out); });
    std::vector<double> M(std::size_t(n) * n * W_);
    k.mass_matrix(tree_, q.data(), block, M.data());
    mass = last_lane(M);
    k.kinematics(tree_, q.data(), u.data(), block);
    forward_moved = by_speed([&](double* out) { k.forward_dynamics_moved(tree_, tau.data(), F.data(), block, out); });
    std::vector<char> driven(std::size_t(n), 0);
    for (std::size_t i = 0; i < driven.size(); i += 3) driven[i] = 1;
    motion_forces = by_speed([&](double* out) {
      std::vector<double> u_dot = a;
      k.forward_dynamics_driven(tree_, tau.data(), F.data(), driven.data(), block, u_dot.data(), out);
      mixed = last_lane(u_dot);
    });
    k.factor_mass_driven(tree_, driven.data(), block);
    free_solution = by_speed([&](double* out) { k.solve_mass(tree_, tau.data(), block, out); });
    k.accelerations(tree_, a.data(), block);
    for (int b = 0; b < bodies; ++b) {
      BodyReading r;
      k.read_body(tree_, block, b, W_ - 1, &r);
      for (const auto& part :
           {testing_support::numbers(r.X_WM), testing_support::numbers(r.V_WM), testing_support::numbers(r.A_WM)})
        motion.insert(motion.end(), part.begin(), part.end());
    }
    std::vector<TreeTotals> totals(W_);
    k.totals(tree_, block, totals.data());
    sums = testing_support::numbers(totals.back().momentum);
    sums.insert(sums.end(),
                {totals.back().kinetic, totals.back().mass, totals.back().first_moment.x, totals.back().first_moment.y});
    product = by_speed([&](double* out) { k.multiply_mass(tree_, a.data(), block, out); });
    transposed = by_speed([&](double* out) { k.multiply_jacobian_transpose(tree_, F.data(), block, out); });
    std::vector<Motion<double>> V(std::size_t(bodies) * W_);
    k.multiply_jacobian(tree_, u.data(), block, V.data());
    for (int b = 0; b < bodies; ++b)
      for (const double x : testing_support::numbers(V[b * W_ + W_ - 1])) velocities.push_back(x);
    k.factor_mass(tree_, block);
    solution = by_speed([&](double* out) { k.solve_mass(tree_, tau.data(), block, out); });
  }

  std::vector<double> forward, forward_moved, inverse, mass, motion, sums, product, transposed, velocities, solution;
  std::vector<double> mixed, motion_forces, free_solution;

 private:
  std::vector<double> in_lanes(const std::vector<double>& x) const {
    std::vector<double> all;
    for (const double value : x) all.insert(all.end(), W_, value);
    return all;
  }
  std::vector<double> last_lane(const std::vector<double>& all) const {
    std::vector<double> one;
    for (std::size_t i = std::size_t(W_) - 1; i < all.size(); i += W_) one.push_back(all[i]);
    return one;
  }
  struct Free {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t(64)); }
  };
  int W_;
  TreeModel tree_;
  std::unique_ptr<std::byte[], Free> block_;
};

TEST(InstructionSets, AllGiveTheSameNumbersAloneAndInPacks) {
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    const Mechanism mechanism = testing_support::random_mechanism(seed);
    const auto s = testing_support::random_state(mechanism, seed);
    const Results expected(kernels_portable().one, mechanism, s);
    const int n = mechanism.num_u();
    for (const Kernels& kernels : available()) {
      for (const KernelTable* table : {&kernels.one, &kernels.pack}) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << kernels.name << ", width " << table->width);
        Results found(*table, mechanism, s);
        EXPECT_TRUE(near(found.forward, expected.forward, after_solving));
        EXPECT_TRUE(near(found.forward_moved, expected.forward, after_solving));
        EXPECT_TRUE(near(found.solution, expected.solution, after_solving));
        EXPECT_TRUE(near(found.mixed, expected.mixed, after_solving));
        EXPECT_TRUE(near(found.motion_forces, expected.motion_forces, after_solving));
        EXPECT_TRUE(near(found.free_solution, expected.free_solution, after_solving));
        EXPECT_TRUE(near(found.inverse, expected.inverse, rounding));
        EXPECT_TRUE(near(found.motion, expected.motion, rounding));
        EXPECT_TRUE(near(found.sums, expected.sums, rounding));
        EXPECT_TRUE(near(found.product, expected.product, rounding));
        EXPECT_TRUE(near(found.transposed, expected.transposed, rounding));
        EXPECT_TRUE(near(found.velocities, expected.velocities, rounding));
        std::vector<double> expected_mass = expected.mass;
        for (int i = 0; i < n; ++i)  // only the lower triangle is written
          for (int j = i + 1; j < n; ++j) found.mass[std::size_t(i) * n + j] = expected_mass[std::size_t(i) * n + j] = 0;
        EXPECT_TRUE(near(found.mass, expected_mass, rounding));
      }
    }
  }
}

TEST(InstructionSets, AreNamedAndWideAsPromised) {
  EXPECT_STREQ(kernels_portable().name, "portable");
  EXPECT_EQ(kernels_portable().pack.width, 2);
#if defined(__x86_64__)
  EXPECT_EQ(kernels_avx2().pack.width, 4);
  EXPECT_EQ(kernels_avx512().pack.width, 8);
#endif
  for (const Kernels& kernels : available()) EXPECT_EQ(kernels.one.width, 1);
}

}  // namespace
}  // namespace polhode::tree
