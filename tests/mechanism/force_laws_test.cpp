// Laws that every type of force obeys: its answers to the engine's questions agree with each other. A new type is tested by
// giving it a sample here; without one this file does not compile.
#include <gtest/gtest.h>

#include "polhode/mechanism/builder.h"
#include "polhode/mechanism/forces/force_derivatives.h"
#include "polhode/spatial/rotation.h"
#include "tests/support/random.h"

namespace polhode {
namespace {

using testing_support::Random;

const FramePlace hook{3, 1, {Mat3<double>::identity(), {0.2, -0.1, 0.3}}};
const FramePlace eye{4, 2, {Mat3<double>::identity(), {-0.3, 0.2, 0.1}}};
const BodyPlace heavy{1, {0.1, 0.05, -0.2}, 3.0}, light{2, {-0.2, 0.1, 0.1}, 0.7};

// One sample of each type.
CoordinateForce sample(const CoordinateForce*) { return {{0, 0}, 1.7}; }
CoordinateInput sample(const CoordinateInput*) { return {{0, 0}, Signal::sine(2, 3)}; }
CoordinateDamping sample(const CoordinateDamping*) { return {{0, 0}, 0.4, 0.9}; }
CoordinateSpring sample(const CoordinateSpring*) { return {{0, 0}, 12, 0.3}; }
NonlinearCoordinateSpring sample(const NonlinearCoordinateSpring*) { return {{0, 0}, 0.2, ForceLaw::polynomial({3, -2, 5})}; }
BodyForce sample(const BodyForce*) { return {heavy, {1, -2, 0.5}, {0.3, 0.1, -0.4}, false}; }
FrameWrench sample(const FrameWrench*) {
  const Signal swings = Signal::sine(1.5, 2, 0.3, 0.2);
  return {hook, WrenchComponents::body, {swings, swings, swings}, {swings, swings, swings}};
}
PointSpring sample(const PointSpring*) { return {hook, eye, 20, 0.4, 0.6}; }
NonlinearSpring sample(const NonlinearSpring*) { return {hook, eye, 0.4, ForceLaw::polynomial({9, 4, 2}), 0.5}; }
/// Taut and closing in, wherever two places in a box of some metres are and however they move.
ElasticRope sample(const ElasticRope*) { return {hook, eye, 15, 0.05, 0.01, 0.2}; }
ElasticBuffer sample(const ElasticBuffer*) { return {hook, eye, 15, 20, 0.3, 0.2}; }
LimitSpring sample(const LimitSpring*) { return {{0, 0}, -0.6, 0.25, 12, 0.1, 0.3}; }
/// Coupled: a positive sum of three dyads and a diagonal.
BushingForce sample(const BushingForce*) {
  Symmetric6 K, C;
  const double a[3][6] = {{3, 1, 0, -1, 0.5, 0}, {0, 2, -1, 0.3, 0, 1}, {1, 0, 2, 0, -0.7, 0.4}};
  std::size_t next = 0;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = i; j < 6; ++j, ++next) {
      for (const auto& row : a) K.upper[next] += row[i] * row[j];
      C.upper[next] = 0.1 * K.upper[next];
      if (i == j) K.upper[next] += 5;
    }
  BushingForce f{hook, eye, K, C};
  f.derive();
  return f;
}
Magnet sample(const Magnet*) { return {hook, eye, 1.5, 0.2}; }
CoordinateMotor sample(const CoordinateMotor*) { return {"motor", {0, 0}, -3, {-5, 5}, {1}}; }
MutualAttraction sample(const MutualAttraction*) { return {2.5, {heavy, light}}; }
GravityLift sample(const GravityLift*) { return {heavy, {0, 0, 29.43}}; }

/// Two bodies somewhere, moving somehow.
struct Scene {
  explicit Scene(int seed) : random(unsigned(seed)) {
    for (std::size_t b = 1; b < X_WB.size(); ++b) {
      X_WB[b] = random.transform(1);
      const Vec3<double> turning = random.vec3(1);
      V_WB[b] = {turning, random.vec3(1)};
    }
  }

  template <class F>
  std::vector<Wrench<double>> loads(const F& f, double t) const {
    std::vector<Wrench<double>> on_body(X_WB.size());
    ForceLoads<double> out{{}, on_body, X_WB};
    add_load(f, ForceView<double>{mechanism, t, {}, {}, X_WB, V_WB}, out);
    return on_body;
  }
  template <class F>
  double energy_of(const F& f) const {
    return energy(f, ForceView<double>{mechanism, 0, {}, {}, X_WB, V_WB});
  }
  /// The body turned or moved by a small amount along its component k.
  Scene displaced(int body, int k, double by) const {
    Scene moved = *this;
    Vec3<double> e{};
    e[k % 3] = 1;
    Transform<double>& X = moved.X_WB[std::size_t(body)];
    if (k < 3) X.R = rotation_about(e, by) * X.R;
    if (k >= 3) X.p += by * e;
    return moved;
  }
  Scene at_rest() const {
    Scene still = *this;
    for (Motion<double>& V : still.V_WB) V = {};
    return still;
  }

  Random random;
  Mechanism mechanism = MechanismBuilder{}.add_body({.name = "a", .mass = MassProperties::particle(1, {})}).build();
  std::vector<Transform<double>> X_WB = std::vector<Transform<double>>(3);
  std::vector<Motion<double>> V_WB = std::vector<Motion<double>>(3);
};

bool differ(const Wrench<double>& a, const Wrench<double>& b) { return a.moment != b.moment || a.force != b.force; }
double component(const Wrench<double>& F, int k) { return k < 3 ? F.moment[k] : F.force[k - 3]; }
Wrench<double> slopes(const Wrench<Dual<double>>& F) {
  return {{F.moment.x.slope, F.moment.y.slope, F.moment.z.slope}, {F.force.x.slope, F.force.y.slope, F.force.z.slope}};
}

/// Calls law(force) with a sample of every type of the given shape.
template <class Law>
void for_each_sample(Law law) {
  const auto each = [&]<class F>(const std::vector<F>*) {
    if constexpr (!UsersForceType<F>) law(sample(static_cast<const F*>(nullptr)));
  };
  const auto all = [&]<class... List>(const std::tuple<List...>*) { (each(static_cast<const List*>(nullptr)), ...); };
  all(static_cast<const ForceElements::Placed<GravityLift>*>(nullptr));
}
template <class F>
constexpr bool is_on_bodies = LineForceType<F> || BodyForceType<F>;

constexpr double t = 0.7;
constexpr std::array<double, 2> inputs{0.3, -0.6};
const Now now{t, inputs};
constexpr double h = 1e-5;          // central differences: h^2 = 1e-10 times third derivatives of some hundred,
constexpr double tolerance = 1e-7;  // and rounding eps/h = 2e-11 times loads of some hundred

TEST(ForceLaws, DerivativesByDisplacementAndVelocityAreThoseOfTheLoads) {
  for_each_sample([]<class F>(const F& f) {
    if constexpr (is_on_bodies<F>)
      for (int seed = 0; seed < 10; ++seed)
        for (int body = 1; body < 3; ++body)
          for (int k = 0; k < 6; ++k) {
            const Scene scene(seed);
            ForceDifferentiator differentiator(3);
            differentiator.set(scene.X_WB, scene.V_WB);
            const auto compare = [&](ForceDifferentiator::By by, const Scene& after, const Scene& before) {
              const auto exact = differentiator.loads(f, scene.mechanism, now, by, body, k);
              const auto plus = after.loads(f, t), minus = before.loads(f, t);
              for_each_body(f, [&](int loaded) {
                for (int i = 0; i < 6; ++i)
                  EXPECT_NEAR(component(slopes(exact[std::size_t(loaded)]), i),
                              (component(plus[std::size_t(loaded)], i) - component(minus[std::size_t(loaded)], i)) / (2 * h),
                              tolerance * std::max(1.0, std::abs(component(slopes(exact[std::size_t(loaded)]), i))))
                      << typeid(F).name() << " seed " << seed;
              });
            };
            compare(ForceDifferentiator::By::displacement, scene.displaced(body, k, h), scene.displaced(body, k, -h));
            Scene faster = scene, slower = scene;
            for (auto [moved, by] : {std::pair{&faster, h}, std::pair{&slower, -h}}) {
              Motion<double>& V = moved->V_WB[std::size_t(body)];
              (k < 3 ? V.angular : V.linear)[k % 3] += by;
            }
            compare(ForceDifferentiator::By::velocity, faster, slower);
          }
  });
}

TEST(ForceLaws, AtRestTheLoadIsMinusTheGradientOfTheEnergy) {
  for_each_sample([]<class F>(const F& f) {
    if constexpr (is_on_bodies<F> && F::has_potential)
      for (int seed = 0; seed < 10; ++seed) {
        const Scene scene = Scene(seed).at_rest();
        const auto loads = scene.loads(f, t);
        for (int body = 1; body < 3; ++body)
          for (int k = 0; k < 6; ++k) {
            const double slope =
                (scene.displaced(body, k, h).energy_of(f) - scene.displaced(body, k, -h).energy_of(f)) / (2 * h);
            EXPECT_NEAR(component(loads[std::size_t(body)], k), -slope, tolerance * std::max(1.0, std::abs(slope)))
                << typeid(F).name();
          }
      }
    if constexpr (CoordinateForceType<F> && F::has_potential) {
      for (const double q : {-0.8, 0.1, 1.3})
        EXPECT_NEAR(f.template force<double>(now, q, 0.0),
                    -(f.template energy<double>(q + h) - f.template energy<double>(q - h)) / (2 * h), tolerance);
    }
  });
}

TEST(ForceLaws, WhatAForceSaysThatItDoesNotReadDoesNotChangeIt) {
  for_each_sample([]<class F>(const F& f) {
    const std::string type = typeid(F).name();
    if constexpr (CoordinateForceType<F>) {
      const double here = f.template force<double>(now, 0.4, 0.9);
      EXPECT_EQ(here != f.template force<double>(now, 0.7, 0.9), f.depends_on_position()) << type;
      EXPECT_EQ(here != f.template force<double>(now, 0.4, -0.3), f.depends_on_velocity()) << type;
      EXPECT_EQ(here != f.template force<double>(Now{t + 0.1, inputs}, 0.4, 0.9), f.depends_on_time()) << type;
      EXPECT_EQ(f.template force<double>(now, 0.4, 0.0) != 0, F::acts_at_rest) << type;
    } else {
      const Scene scene(1);
      const auto here = scene.loads(f, t);
      EXPECT_EQ(differ(here[1], scene.at_rest().loads(f, t)[1]), f.depends_on_velocity()) << type;
      EXPECT_EQ(differ(here[1], scene.loads(f, t + 0.1)[1]), f.depends_on_time()) << type;
      EXPECT_EQ(differ(scene.at_rest().loads(f, t)[1], {}), F::acts_at_rest) << type;
    }
  });
}

// The power of a force that keeps energy is minus the rate of its potential.
TEST(ForceLaws, ForcesThatKeepEnergyTakeFromTheirPotentialWhatTheyGiveToTheMotion) {
  for_each_sample([]<class F>(const F& f) {
    if constexpr (is_on_bodies<F>) {
      const Scene scene(2);
      const auto loads = scene.loads(f, t);
      double power = 0;
      for (std::size_t b = 1; b < 3; ++b) power += dot(loads[b], scene.V_WB[b]);
      Scene after = scene, before = scene;
      for (auto [moved, by] : {std::pair{&after, h}, std::pair{&before, -h}})
        for (std::size_t b = 1; b < 3; ++b) {
          const Motion<double>& V = scene.V_WB[b];
          moved->X_WB[b].R = rotation_about(normalized(V.angular), by * norm(V.angular)) * scene.X_WB[b].R;
          moved->X_WB[b].p += by * V.linear;
        }
      const double rate = (after.energy_of(f) - before.energy_of(f)) / (2 * h);
      EXPECT_EQ(std::abs(power + rate) < tolerance * std::max(1.0, std::abs(power)), f.keeps_energy()) << typeid(F).name();
    }
  });
}

TEST(ForceLaws, ExchangedMomentumAddsUpToNothing) {
  for_each_sample([]<class F>(const F& f) {
    if constexpr (is_on_bodies<F>) {
      const Scene scene(3);
      const auto loads = scene.loads(f, t);
      Wrench<double> sum{};
      for (std::size_t b = 1; b < 3; ++b) sum += shifted_back(loads[b], scene.X_WB[b].p);
      double size = 0;
      for (int k = 0; k < 6; ++k) size = std::max(size, std::abs(component(sum, k)));
      bool exchanges = LineForceType<F>;
      if constexpr (BodyForceType<F>) exchanges = F::momentum == Momentum::exchanged;
      EXPECT_EQ(size < 1e-12, exchanges) << typeid(F).name();
    }
  });
}

}  // namespace
}  // namespace polhode
