// Flexible beams against the theory of Euler and Bernoulli, by every method.
#include "polhode/mechanism/beam.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "polhode/study/equilibrium.h"
#include "polhode/study/method_registry.h"
#include "polhode/tree/derivatives.h"
#include "polhode/tree/dynamics.h"
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

/// Slender: rotary inertia and shear, which Euler and Bernoulli leave out, change frequencies by some 1e-5.
BeamSpec ruler(int elements) {
  BeamSpec beam{.name = "ruler", .frame_a = "ground", .frame_b = {}, .length = 1.2, .elements = elements};
  beam.section = BeamSection::rectangle(0.004, 0.006);
  beam.young = 2e9, beam.shear_modulus = 8e8, beam.density = 1200;
  return beam;
}
double bending(const BeamSpec& b) { return b.young * b.section.moment_z; }
double mass_of(const BeamSpec& b) { return b.density * b.section.area * b.length; }

Mechanism mechanism_of(const BeamSpec& beam) {
  MechanismBuilder builder;
  builder.gravity = {};
  add_beam(builder, beam);
  return builder.build();
}

/// Small vibrations about the drawn state: angular frequencies, from the least.
std::vector<double> frequencies(const Mechanism& m) {
  const int n = m.num_u();
  tree::Workspace w(m);
  std::vector<double> M(std::size_t(n) * std::size_t(n)), K(M);
  const std::vector<double> q(m.initial_q().begin(), m.initial_q().end()), zero(std::size_t(n), 0.0);
  tree::mass_matrix(w, q, M);
  for (int j = 0; j < n; ++j) {  // springs are linear in coordinates whose rates are speeds
    std::vector<double> moved(q), tau(std::size_t(n), 0.0);
    moved[std::size_t(j)] += 1;
    for (const auto& spring : m.forces().of<CoordinateSpring>())
      tau[std::size_t(spring.coordinate.u)] -= spring.force<double>({}, moved[std::size_t(spring.coordinate.q)], 0.0);
    for (int i = 0; i < n; ++i) K[std::size_t(i * n + j)] = tau[std::size_t(i)];
  }
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(Eigen::Map<const Matrix>(K.data(), n, n),
                                                                Eigen::Map<const Matrix>(M.data(), n, n));
  std::vector<double> out;
  for (int i = 0; i < n; ++i) out.push_back(std::sqrt(std::max(solver.eigenvalues()[i], 0.0)));
  return out;
}

constexpr double cantilever[] = {1.8751040687, 4.6940911330, 7.8547574382};  // cos x cosh x = -1

double of_theory(const BeamSpec& b, double root) {
  return square(root) * std::sqrt(bending(b) / (mass_of(b) * b.length * b.length * b.length));
}

TEST(Beam, HasTheFirstFrequenciesOfACantileverWithinOnePerCentWithTenElements) {
  BeamSpec beam = ruler(10);
  beam.planar = true;
  const auto found = frequencies(mechanism_of(beam));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i] / of_theory(beam, cantilever[i]), 1, 0.01) << "mode " << i + 1;
  EXPECT_NEAR(found[0] / of_theory(beam, cantilever[0]), 1, 1e-3);
  EXPECT_NEAR(found[1] / of_theory(beam, cantilever[1]), 1, 1e-3);
}

// Fourth order: errors fall sixteenfold when elements are halved; a method of third order would give eight.
TEST(Beam, ConvergesToFourthOrder) {
  const auto error = [](int elements, std::size_t mode) {
    BeamSpec beam = ruler(elements);
    beam.planar = true;
    beam.section = {.area = 1, .moment_y = 1e-12, .moment_z = 1e-12};  // no rotary inertia
    beam.young = 1e12;
    return std::abs(frequencies(mechanism_of(beam))[mode] / of_theory(beam, cantilever[mode]) - 1);
  };
  EXPECT_GT(error(16, 0) / error(32, 0), 10);
  EXPECT_GT(error(32, 2) / error(64, 2), 10);
}

TEST(Beam, HasTheFrequenciesOfABeamOnAPin) {
  BeamSpec beam = ruler(10);
  beam.planar = true;
  beam.root = Revolute{};
  // A free end with a pinned root: tan x = tanh x, and one rigid mode.
  const auto found = frequencies(mechanism_of(beam));
  EXPECT_LT(found[0], 1e-3 * found[1]);
  EXPECT_NEAR(found[1] / of_theory(beam, 3.9266023120), 1, 2e-3);
  EXPECT_NEAR(found[2] / of_theory(beam, 7.0685827457), 1, 1e-2);
}

TEST(Beam, InSpaceBendsBothWaysAndTwists) {
  const BeamSpec beam = ruler(12);
  const auto found = frequencies(mechanism_of(beam));
  const double y = of_theory(beam, cantilever[0]) * std::sqrt(beam.section.moment_y / beam.section.moment_z);
  EXPECT_NEAR(found[0] / of_theory(beam, cantilever[0]), 1, 1e-3);
  EXPECT_NEAR(found[1] / y, 1, 1e-3);
  const double polar = beam.section.moment_y + beam.section.moment_z;
  const double twist = 0.5 * pi / beam.length * std::sqrt(beam.shear_modulus * beam.section.torsion / (beam.density * polar));
  double nearest = 1e300;
  for (const double w : found) nearest = std::min(nearest, std::abs(w / twist - 1));
  EXPECT_LT(nearest, 3e-3);  // (pi/2/12)^2/24 of a chain of disks, and less with the ends corrected
}

/// Where the tip comes to rest under a small load, by studies/equilibrium.
Vec3<double> deflection(BeamSpec beam, const Vec3<double>& force, const Vec3<double>& torque, Mat3<double>* turn = nullptr) {
  MechanismBuilder builder;
  builder.gravity = {};
  add_beam(builder, beam);
  FrameWrenchSpec load{.frame = beam.name + ".tip", .components = WrenchComponents::hybrid, .force = {}, .torque = {}};
  for (std::size_t i = 0; i < 3; ++i)
    load.force[i] = Signal::constant(force[int(i)]), load.torque[i] = Signal::constant(torque[int(i)]);
  builder.add_force({load});
  State state(builder.build());
  const Equilibrium found = find_equilibrium(state);
  EXPECT_TRUE(found.found) << found.failure;
  tree::realize(state, Stage::position);
  const Transform<double> X = state.frame_pose(state.mechanism().frame(beam.name + ".tip"));
  if (turn != nullptr) *turn = X.R;
  return X.p - Vec3<double>{beam.length, 0, 0};
}

TEST(Beam, BendsUnderATipLoadAsTheTextbooksSay) {
  BeamSpec beam = ruler(10);
  const double L = beam.length, F = 5e-4;
  const double across_y = F * L * L * L / (3 * bending(beam)),
               across_z = F * L * L * L / (3 * beam.young * beam.section.moment_y);
  // The corrected rule is exact for (L - x)^2; angles of 6e-3 change forces and lengths by 4e-5.
  EXPECT_NEAR(deflection(beam, {0, F, 0}, {}).y / across_y, 1, 1e-4);
  EXPECT_NEAR(deflection(beam, {0, 0, F}, {}).z / across_z, 1, 1e-4);
}

TEST(Beam, StretchesShearsAndTwists) {
  BeamSpec beam = ruler(7);
  beam.stretches = true;
  const double F = 300, T = 0.01, A = beam.section.area;
  Mat3<double> turn{};
  EXPECT_NEAR(deflection(beam, {F, 0, 0}, {}).x / (F * beam.length / (beam.young * A)), 1, 1e-9);
  deflection(beam, {}, {T, 0, 0}, &turn);
  EXPECT_NEAR(std::atan2(turn(2, 1), turn(1, 1)) / (T * beam.length / (beam.shear_modulus * beam.section.torsion)), 1, 1e-9);
  // A short one shears as Timoshenko says: F L^3 / (3 E I) + F L / (k G A).
  beam.length = 0.01;
  const double L = beam.length, f = 5;
  const double expected = f * L * L * L / (3 * bending(beam)) + f * L / (5.0 / 6 * beam.shear_modulus * A);
  EXPECT_NEAR(deflection(beam, {0, f, 0}, {}).y / expected, 1, 1e-4);
}

/// A cantilever let go from rest under gravity along -y, swinging by a fifth of its length. It is soft against twisting, so
/// that explicit methods need no tiny steps for that.
State dropped(bool planar, double damping = 0) {
  BeamSpec beam = ruler(4);
  beam.planar = planar, beam.young = 2e10, beam.shear_modulus = 4e7, beam.damping_time = damping;
  MechanismBuilder builder;
  builder.gravity = {0, -9.81, planar ? 0.0 : 4.0};
  add_beam(builder, beam);
  return start_of(builder.build());
}

TEST(Beam, KeepsItsEnergyByEveryMethod) {
  for (const bool planar : {true, false})
    for (const std::string& method : method_names()) {
      SCOPED_TRACE(method);
      const State start = dropped(planar);
      const double scale = mass_of(ruler(5)) * 9.81 * 0.3;  // some of the weight's work [J]
      double most = 0;
      SimulateOptions options{.method = method, .time = 0.5, .dt = 1e-3};
      options.interval = 0.05;
      const double before = [&] {
        State s = start;
        tree::realize(s, Stage::velocity);
        return s.kinetic_energy() + s.potential_energy();
      }();
      run(start, options, [&](const State& state) {
        State s = state;
        tree::realize(s, Stage::velocity);
        most = std::max(most, std::abs(s.kinetic_energy() + s.potential_energy() - before));
      });
      EXPECT_LT(most, 2e-3 * scale);
    }
}

TEST(Beam, MovesAlikeByEveryMethod) {
  for (const bool planar : {true, false}) {
    const State start = dropped(planar, 1e-3);
    const Vec3<double> reference = place(run(start, projected(0.4, 1e-9)).end, "ruler.tip");
    for (const std::string& method : method_names()) {
      SCOPED_TRACE(method);
      const Outcome outcome = run(start, {.method = method, .time = 0.4, .dt = 5e-4});
      EXPECT_LT(norm(place(outcome.end, "ruler.tip") - reference), 2e-4);  // second order: (w h)^2 of the fast modes' share
    }
  }
}

// Kelvin and Voigt: the first mode's amplitude falls as exp(-w^2 T t / 2).
TEST(Beam, IsDampedAsKelvinAndVoigtSay) {
  BeamSpec beam = ruler(6);
  beam.planar = true;
  const double w = frequencies(mechanism_of(beam))[0], T = 0.02 / w;
  beam.damping_time = T;
  MechanismBuilder builder;
  builder.gravity = {};
  add_beam(builder, beam);
  for (int i = 1; i <= 6; ++i) {  // the curvature of a cantilever's mode is the mode itself, seen from the other end
    const double z = cantilever[0] * (1 - (i - 0.5) / 6);
    builder.set_initial(
        {"ruler." + std::to_string(i), 1e-3 * (std::cosh(z) - std::cos(z) - 0.7340955 * (std::sinh(z) - std::sin(z))), {}});
  }
  const State start = start_of(builder.build());
  const int periods = 5;
  const Outcome outcome = run(start, projected(periods * 2 * pi / w, 1e-9));
  const double ratio = place(outcome.end, "ruler.tip").y / place(
                                                               [&] {
                                                                 State s = start;
                                                                 tree::realize(s, Stage::velocity);
                                                                 return s;
                                                               }(),
                                                               "ruler.tip")
                                                               .y;
  // Damping ratio w T / 2 = 0.01; the other modes' share at the start, some thousandths, dies out.
  EXPECT_NEAR(ratio, std::exp(-0.01 * 2 * pi * periods), 5e-3);
}

TEST(Beam, JoinsTwoBodiesAtItsEnds) {
  MechanismBuilder builder;
  builder.add_body({.name = "hub", .mass = MassProperties::box(1, {0.1, 0.1, 0.1})});
  builder.add_joint({.name = "pin", .model = Revolute{}, .child = "hub"});
  builder.add_frame({.name = "socket", .body = "hub", .X_BF = at(0.05, 0, 0)});
  builder.add_body({.name = "weight", .mass = MassProperties::box(0.2, {0.1, 0.1, 0.1}), .drawn_pose = at(1.25, 0, 0)});
  BeamSpec beam = ruler(4);
  beam.frame_a = "socket", beam.frame_b = "weight", beam.length = 1.2;
  add_beam(builder, beam);
  const Mechanism m = builder.build();
  EXPECT_EQ(m.num_bodies(), 1 + 2 + 5);
  EXPECT_EQ(m.num_u(), 1 + 3 * 4);
  const State start = start_of(m);
  State state = start;
  tree::realize(state, Stage::velocity);
  EXPECT_LT(norm(place(state, "weight") - place(state, "ruler.tip")), 1e-12);
  EXPECT_NEAR(place(state, "weight").x, 1.25, 1e-12);
}

}  // namespace
}  // namespace polhode::study
