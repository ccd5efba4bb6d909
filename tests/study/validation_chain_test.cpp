// The hanging chain: its modes, and its rest between two hooks.
#include <Eigen/Dense>

#include "polhode/mechanism/builder.h"
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

/// n beads of 1/n kg on links of 1/n m: pins in a row, or particles held at their distance by rods.
Mechanism beads(int n, bool rods) {
  MechanismBuilder builder;
  const double l = 1.0 / n;
  const Mat3<double> about_y{{Vec3<double>{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
  for (int i = 1; i <= n; ++i) {
    const std::string name = "bead" + std::to_string(i), last = i == 1 ? ground_name : "bead" + std::to_string(i - 1);
    if (rods) {
      builder.add_body({.name = name, .mass = {.mass = l}, .drawn_pose = at(0, 0, -i * l)});
      builder.add_constraint({"rod" + std::to_string(i), WireSpec{last, name, l}});
      builder.add_constraint({"plane" + std::to_string(i), PointConstraintSpec{ground_name, name, {0, 1, 0}}});
    } else {
      builder.add_body({.name = name, .mass = {l, {0, 0, -l}, {}}});
      builder.add_joint({.name = "a" + std::to_string(i),
                         .parent = last,
                         .child = name,
                         .placement = LocalPlacement{{about_y, {0, 0, i == 1 ? 0.0 : -l}}, {about_y, {}}}});
    }
  }
  return builder.build();
}

/// Laguerre polynomials L_0 ... L_n at x: the beads' places in a mode, the lowest bead first, and zero at the nail.
std::vector<double> laguerre(int n, double x) {
  std::vector<double> L{1, 1 - x};
  for (int k = 1; k < n; ++k) L.push_back(((2 * k + 1 - x) * L[std::size_t(k)] - k * L[std::size_t(k) - 1]) / (k + 1));
  return L;
}
/// The first zeros of L_n.
std::vector<double> zeros(int n, int count) {
  std::vector<double> found;
  const double step = 0.1 / n;  // they are at least 1.4/n, then 6/n ... apart
  for (double x = step; int(found.size()) < count; x += step) {
    double low = x - step, high = x;
    if (laguerre(n, low).back() * laguerre(n, high).back() > 0) continue;
    for (int i = 0; i < 60; ++i)
      (laguerre(n, low).back() * laguerre(n, (low + high) / 2).back() > 0 ? low : high) = (low + high) / 2;
    found.push_back(low);
  }
  return found;
}

/// Squares of the lowest frequencies, from accelerations at small displacements: they are linear, to 1e-8 of themselves at 1e-4
/// rad.
std::vector<double> frequencies_squared(const Mechanism& m, int count) {
  const int n = m.num_u();
  constexpr double small = 1e-4;
  Eigen::MatrixXd A(n, n);
  State s(m);
  for (int k = 0; k < n; ++k) {
    for (const double sign : {1.0, -1.0}) {
      s.set_q(k, sign * small);
      tree::realize(s, Stage::acceleration);
      for (int i = 0; i < n; ++i) A(i, k) = (sign > 0 ? 0 : A(i, k)) - sign * s.u_dot()[std::size_t(i)] / (2 * small);
    }
    s.set_q(k, 0);
  }
  const Eigen::VectorXcd values = A.eigenvalues();
  std::vector<double> out;
  for (const auto& x : values) out.push_back(x.real());
  std::sort(out.begin(), out.end());
  out.resize(std::size_t(count));
  return out;
}

// Differences leave 1e-8, and that times the condition of the modes, at most a few hundred.
TEST(ValidationHangingChain, FrequenciesAreZerosOfLaguerrePolynomials) {
  const auto shipped = frequencies_squared(load("hanging_chain"), 5);
  const auto exact = zeros(10, 5);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(shipped[i] / (exact[i] * standard_gravity * 10), 1, 1e-5) << i;
}

// Bernoulli's limit, j^2 g/(4 L). The beads stand for a chain of n + 1/2 links, and then the zeros of L_n are j^2/(4 n + 2) but
// for a factor of 1 + (j^2 - 2)/(3 (4 n + 2)^2) and higher orders (Abramowitz and Stegun, 22.16.8).
TEST(ValidationHangingChain, FrequenciesTendToTheZerosOfJ0) {
  const double j0[] = {2.404825557695773, 5.520078110286311, 8.653727912911012};
  for (const int n : {10, 20, 40}) {
    const auto found = frequencies_squared(beads(n, false), 3);
    for (std::size_t i = 0; i < 3; ++i) {
      const double j = std::sqrt((4 * n + 2) * found[i] / (standard_gravity * n));
      const double expected = (j0[i] * j0[i] - 2) / (6.0 * (4 * n + 2) * (4 * n + 2));
      EXPECT_NEAR(j / j0[i] - 1, expected, 0.1 * expected + 1e-6) << n << " beads, mode " << i + 1;
    }
  }
}

// Beads on rods, started in their lowest mode with a swing of 1e-4 m, are back after its period. Amplitudes leave errors of
// third order, 1e-8 of themselves.
TEST(ValidationHangingChain, LowestModeOfBeadsOnRodsSwingsWithItsOwnPeriod) {
  const int n = 10;
  const double x = zeros(n, 1)[0], w = std::sqrt(x * standard_gravity * n);
  const auto shape = laguerre(n, x);
  State start(beads(n, true));
  for (int i = 1; i <= n; ++i)
    start.set_q(start.mechanism().coordinate("bead" + std::to_string(i) + ".x"), 1e-4 * shape[std::size_t(n - i)]);
  ASSERT_TRUE(tree::assemble(start).assembled);
  const auto swing = [&](const State& s, int i) { return place(s, "bead" + std::to_string(i)).x; };
  const Outcome half = run(start, projected(pi / w, 1e-11)), whole = run(start, projected(2 * pi / w, 1e-11));
  for (int i = 1; i <= n; ++i) {
    EXPECT_NEAR(swing(half.end, i), -1e-4 * shape[std::size_t(n - i)], 1e-9) << i;
    EXPECT_NEAR(swing(whole.end, i), 1e-4 * shape[std::size_t(n - i)], 1e-9) << i;
  }
}

}  // namespace
}  // namespace polhode::study
