// A bushing between two frames against closed forms, and its conservation laws, by every method.
#include <gtest/gtest.h>

#include "polhode/mechanism/builder.h"
#include "polhode/spatial/exponential.h"
#include "polhode/spatial/rotation.h"
#include "polhode/study/method_registry.h"
#include "tests/mechanism/model_error_text.h"
#include "tests/study/validation.h"
#include "tests/support/random.h"

namespace polhode::study {
namespace {

using testing_support::Random;

/// A box on a bushing to Ground whose frames are at its centre of mass; drawn turned and shifted from its relaxed place.
MechanismBuilder box_on_a_bushing(const Transform<double>& X_WB, const Symmetric6& K, const Symmetric6& C = {}) {
  MechanismBuilder builder;
  builder.gravity = {};
  builder.add_body({.name = "box", .mass = {2, {}, SymMat3<double>::diagonal({0.2, 0.3, 0.4})}, .drawn_pose = X_WB});
  builder.add_force({BushingForceSpec{"ground", "box", K, C}});
  return builder;
}

constexpr double k = 8, turning = 6;  // [N/m], [N m/rad]

// About one principal axis, by any angle, and along any line, the bushing is a linear spring: cosines, exactly.
TEST(BushingForce, SwingsAsALinearSpringAtAnyAngleByEveryMethod) {
  const double angle = 1.5, shift = 0.4, time = 1.7;
  const State start = start_of(
      box_on_a_bushing({rotation_y(angle), {0, shift, 0}}, Symmetric6::diagonal({k, k, k, turning, turning, turning})).build());
  for (const std::string& method : method_names()) {
    SCOPED_TRACE(method);
    const Outcome outcome = run(start, {.method = method, .time = time, .dt = 1e-3});
    const Transform<double>& X = outcome.end.pose(outcome.end.mechanism().body("box"));
    const double w_turn = std::sqrt(turning / 0.3), w_shift = std::sqrt(k / 2.0);
    // Second-order steps shift the phase by (w h)^2/24 of w t, 6e-6 rad here; errors of integrators with error control are
    // below 1e-5.
    EXPECT_LT(norm(log_rotation(X.R) - Vec3<double>{0, angle * std::cos(w_turn * time), 0}), 2e-5);
    EXPECT_LT(norm(X.p - Vec3<double>{0, shift * std::cos(w_shift * time), 0}), 2e-5);
  }
}

TEST(BushingForce, IsDampedAsALinearDamper) {
  const double c = 0.5, angle = 1.2, time = 2;
  const State start =
      start_of(box_on_a_bushing({rotation_z(angle), {}}, Symmetric6::diagonal({k, k, k, turning, turning, turning}),
                                Symmetric6::diagonal({c, c, c, c, c, c}))
                   .build());
  const double decay = c / (2 * 0.4), w = std::sqrt(turning / 0.4 - decay * decay);
  const double expected = angle * std::exp(-decay * time) * (std::cos(w * time) + decay / w * std::sin(w * time));
  for (const std::string& method : method_names()) {
    SCOPED_TRACE(method);
    const Outcome outcome = run(start, {.method = method, .time = time, .dt = 1e-3});
    const Transform<double>& X = outcome.end.pose(outcome.end.mechanism().body("box"));
    EXPECT_NEAR(log_rotation(X.R).z, expected, 2e-5);  // as above
  }
}

/// Any positive matrix, with every entry other than zero.
Symmetric6 coupled(Random& random, double size) {
  double a[6][6];
  for (auto& row : a)
    for (double& x : row) x = random.uniform(-1, 1);
  Symmetric6 K;
  std::size_t next = 0;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = i; j < 6; ++j, ++next)
      for (const auto& row : a) K.upper[next] += size * row[i] * row[j];
  return K;
}

Transform<double> nearby(Random& random) {
  const Vec3<double> turn = random.vec3(0.4);
  return {rotation_body_xyz(turn), random.vec3(0.3)};
}

/// Two boxes in flight, tied to each other off their centres.
State two_boxes(unsigned seed) {
  Random random(seed);
  MechanismBuilder builder;
  builder.gravity = {};
  for (const char* name : {"a", "b"}) {
    builder.add_body({.name = name,
                      .mass = {1.5, random.vec3(0.1), SymMat3<double>::diagonal({0.2, 0.3, 0.4})},
                      .drawn_pose = nearby(random)});
    const Vec3<double> turning_of = random.vec3(1);
    builder.set_velocity({name, {turning_of, random.vec3(1)}});
    builder.add_frame({.name = std::string(name) + " side", .body = name, .X_BF = nearby(random)});
  }
  builder.add_force({BushingForceSpec{"a side", "b side", coupled(random, 4), {}}});
  return start_of(builder.build());
}

Wrench<double> momentum_of(const State& state) {
  Wrench<double> sum{};
  const Mechanism& m = state.mechanism();
  for (int b = 1; b < m.num_bodies(); ++b) {
    const Body& body = m.bodies()[std::size_t(b)];
    const Transform<double>& X = state.pose(b);
    const Motion<double>& V = state.velocity(b);
    const Vec3<double> r = X.R * body.mass.com, p = body.mass.mass * (V.linear + cross(V.angular, r));
    sum += Wrench<double>{X.R * (body.mass.inertia * (transpose(X.R) * V.angular)) + cross(X.p + r, p), p};
  }
  return sum;
}

TEST(BushingForce, KeepsMomentumAndEnergyByEveryMethod) {
  for (unsigned seed = 1; seed < 4; ++seed)
    for (const std::string& method : method_names()) {
      SCOPED_TRACE(method);
      const State start = two_boxes(seed);
      const Outcome outcome = run(start, {.method = method, .time = 1, .dt = 2e-3});
      State begin = start;
      tree::realize(begin, Stage::velocity);
      const Wrench<double> before = momentum_of(begin), after = momentum_of(outcome.end);
      const bool variational = method.find("variational") != std::string::npos;
      // Variational methods keep momentum but for Newton's tolerance, here 1e-10 a step in 500 steps; the others to their
      // accuracy. Energies of some joules, of second order: (w h)^2 with w of 8 at most.
      const double kept = variational ? 1e-7 : 1e-4;
      EXPECT_LT(norm(after.force - before.force), kept);
      EXPECT_LT(norm(after.moment - before.moment), kept);
      EXPECT_LT(std::abs(outcome.summary.energy_drift()), 3e-3);
    }
}

TEST(BushingForce, TakesNeitherSideForTheFirst) {
  Random random(5);
  for (int i = 0; i < 10; ++i) {
    const FramePlace a{1, 1, random.transform(0.3)}, b{2, 2, random.transform(0.3)};
    const Symmetric6 K = coupled(random, 3), C = coupled(random, 1);
    const BushingForce there{a, b, K, C, {}}, back{b, a, K, C, {}};
    std::vector<Transform<double>> X{{}, random.transform(1), random.transform(1)};
    std::vector<Motion<double>> V{{}, {random.vec3(1), random.vec3(1)}, {random.vec3(1), random.vec3(1)}};
    const Mechanism any = MechanismBuilder{}.add_body({.name = "a", .mass = MassProperties::particle(1)}).build();
    const ForceView<double> at{any, 0, {}, {}, X, V};
    const auto loads = [&](const BushingForce& f) {
      std::vector<Wrench<double>> on_body(3);
      ForceLoads<double> out{{}, on_body, X};
      f.add_load(at, out);
      return on_body;
    };
    const auto one = loads(there), other = loads(back);
    for (std::size_t body = 1; body < 3; ++body) {
      EXPECT_LT(norm(one[body].force - other[body].force), 1e-12);  // loads of some ten, to rounding
      EXPECT_LT(norm(one[body].moment - other[body].moment), 1e-12);
    }
    EXPECT_NEAR(there.energy(at), back.energy(at), 1e-12);
  }
}

// At half a turn the energy has an edge: continuous, with a moment that is k pi to either side.
TEST(BushingForce, HasAnEdgeAtHalfATurn) {
  const FramePlace ground{0, 0, {}}, box{1, 1, {}};
  const BushingForce f{ground, box, Symmetric6::diagonal({k, k, k, turning, turning, turning}), {}, {}};
  const Mechanism any = MechanismBuilder{}.add_body({.name = "a", .mass = MassProperties::particle(1)}).build();
  const auto moment = [&](double angle, double& energy) {
    const std::vector<Transform<double>> X{{}, {rotation_x(angle), {}}};
    const std::vector<Motion<double>> V(2);
    std::vector<Wrench<double>> on_body(2);
    ForceLoads<double> out{{}, on_body, X};
    const ForceView<double> at{any, 0, {}, {}, X, V};
    f.add_load(at, out);
    energy = f.energy(at);
    return on_body[1].moment.x;
  };
  double before, after;
  EXPECT_NEAR(moment(pi - 1e-6, before), -turning * pi, 1e-4);
  EXPECT_NEAR(moment(pi + 1e-6, after), turning * pi, 1e-4);
  EXPECT_NEAR(before, after, 1e-7);  // asin loses half of the digits there
  EXPECT_NEAR(before, 0.5 * turning * pi * pi, 1e-4);
}

// Ten and more radians within a step: only an implicit step with the bushing's own stiffness gets through that.
TEST(BushingForce, MayBeStiffWithinAStep) {
  const double hard = 4e6;
  MechanismBuilder builder = box_on_a_bushing(at(0, 0, 0), Symmetric6::diagonal({hard, hard, hard, 1e6, 1e6, 1e6}),
                                              Symmetric6::diagonal({4e3, 4e3, 4e3, 1e3, 1e3, 1e3}));
  builder.gravity = {0, 0, -9.81};
  const State start = start_of(builder.build());
  for (const char* method : {"tree-variational", "maximal-variational"}) {
    SCOPED_TRACE(method);
    const Outcome outcome = run(start, {.method = method, .time = 0.5, .dt = 1e-2});
    EXPECT_NEAR(place(outcome.end, "box").z, -2 * standard_gravity / hard, 1e-7);
    EXPECT_EQ(outcome.summary.steps.halved, 0);
  }
}

TEST(BushingForce, IsRefusedWhereItsMatrixPushesOn) {
  const Symmetric6 ones = Symmetric6::diagonal({1, 1, 1, 1, 1, 1});
  Symmetric6 indefinite = ones;
  indefinite.upper[1] = 2;  // eigenvalues 3 and -1 of x and y
  EXPECT_TRUE(reports_only(box_on_a_bushing({}, indefinite), "stiffness matrix has the eigenvalue -1"));
  EXPECT_TRUE(reports_only(box_on_a_bushing({}, ones, indefinite), "damping matrix has the eigenvalue -1"));
  EXPECT_TRUE(reports_only(box_on_a_bushing({}, Symmetric6::diagonal({1, -2, 1, 1, 1, 1})), "stiffness -2 must not be"));
  EXPECT_TRUE(reports_only(box_on_a_bushing({}, Symmetric6::diagonal({1, NAN, 1, 1, 1, 1})), "stiffness"));
  MechanismBuilder same;
  same.add_body(ball("box"));
  same.add_force({BushingForceSpec{"box", "box", ones, {}}});
  EXPECT_TRUE(reports_only(same, "both ends are at frame \"box\""));
}

}  // namespace
}  // namespace polhode::study
