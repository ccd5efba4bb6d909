// Projections of Tuomela, Arponen & Normi onto Mtheta, Mhc and Minv, on points that are off them by a known amount.
#include "polhode/projected/maximal/jet_projection.h"

#include <random>

#include "tests/projected/mechanisms.h"

namespace polhode::projected {
namespace {

using Kind = JetProjection::Kind;

/// A loop of four links with ball joints, so that nothing about it is planar, one of them driven by nothing.
Mechanism spatial_loop() {
  MechanismBuilder b;
  for (const char* name : {"one", "two", "three"}) b.add_body({.name = name, .mass = brick(1)});
  b.add_joint({.name = "a", .model = Universal{}, .child = "one", .placement = LocalPlacement{at(0, 0, 0), at(0, 0, 0)}});
  b.add_joint({.name = "b",
               .model = Ball{},
               .parent = "one",
               .child = "two",
               .placement = LocalPlacement{at(0.5, 0.1, -0.2), at(0, 0, 0)}});
  b.add_joint({.name = "c",
               .model = Ball{},
               .parent = "two",
               .child = "three",
               .placement = LocalPlacement{at(0.4, 0.3, 0), at(0, 0, 0)}});
  b.add_constraint({.name = "wire", .model = WireSpec{"ground", "three", 1.0}});
  return b.build();
}

/// A mechanism's jet space with a point of M on which bodies move, and a point a little off it.
struct Place {
  Mechanism mechanism;
  JetCoordinates coordinates{mechanism};
  JetSystem system{mechanism, {}, coordinates};
  JetInvariants invariants;
  std::vector<double> y, y1, a, a1;
  JetCounters counters;

  explicit Place(const Mechanism& m, bool energy, double offset) : mechanism(m), invariants(m, energy, true, {}, {}) {
    maximal::Bodies bodies;
    State state(m);
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    for (int u = 0; u < m.num_u(); ++u) state.set_u(u, normal(random));
    maximal::to_bodies(m, state.q(), state.u(), bodies);
    y.resize(std::size_t(coordinates.size())), y1 = y;
    coordinates.from_bodies(bodies, y.data(), y1.data());
    JetProjection projection(system, invariants, Kind::quasi, 1e-12);
    EXPECT_EQ(projection.onto_constraints(0, y.data(), y1.data(), counters), JetOutcome::done);
    invariants.keep(system, 0);
    a = y, a1 = y1;
    for (double& number : a) number += offset * normal(random);
    for (double& number : a1) number += offset * normal(random);
  }
  double distance(const std::vector<double>& p, const std::vector<double>& p1) const {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (p[i] - a[i]) * (p[i] - a[i]) + (p1[i] - a1[i]) * (p1[i] - a1[i]);
    return std::sqrt(sum);
  }
};

class Projection : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Projection, testing::Values(Kind::quasi, Kind::orthogonal),
                         [](const auto& which) { return which.param == Kind::quasi ? "quasi" : "orthogonal"; });

TEST_P(Projection, LandsOnUnitQuaternionsConstraintsAndEnergy) {
  Place place(spatial_loop(), true, 1e-3);
  constexpr double tolerance = 1e-11;
  JetProjection projection(place.system, place.invariants, GetParam(), tolerance);
  std::vector<double> p = place.a, p1 = place.a1;
  ASSERT_EQ(projection.onto_all(0, p.data(), p1.data(), 0, 1, place.counters), JetOutcome::done);
  EXPECT_TRUE(projection.restored());
  place.system.place(0, p.data(), p1.data());
  place.system.linearize(place.counters);
  EXPECT_LE(place.system.position_error(), tolerance);
  EXPECT_LE(place.system.velocity_error(), tolerance);
  double f = 1;
  EXPECT_LE(place.invariants.errors(place.system, 0, &f), tolerance);
  for (std::size_t b = 0; b < p.size(); b += 7) {
    double length = 0, across = 0;
    for (std::size_t i = b + 3; i < b + 7; ++i) length += p[i] * p[i], across += p[i] * p1[i];
    EXPECT_NEAR(length, 1, 1e-14);
    EXPECT_NEAR(across, 0, 1e-14);
  }
  // Not far from where it was: the point that the offset was added to is on all three, at the distance of the offset.
  EXPECT_LT(place.distance(p, p1), 2 * place.distance(place.y, place.y1));
}

TEST_P(Projection, LeavesAPointThatIsOnTheManifoldWhereItIs) {
  Place place(spatial_loop(), true, 0);
  JetProjection projection(place.system, place.invariants, GetParam(), 1e-10);
  std::vector<double> p = place.y, p1 = place.y1;
  place.counters = {};
  ASSERT_EQ(projection.onto_all(0, p.data(), p1.data(), 0, 1, place.counters), JetOutcome::done);
  EXPECT_LT(place.distance(p, p1), 1e-14);
  EXPECT_EQ(place.counters.newton_most, 0);
}

/// The least distance to `a` of points of the manifold around p, found by moving p at random and projecting.
double least_distance_around(Place& place, const std::vector<double>& p, const std::vector<double>& p1, bool energy) {
  JetProjection back(place.system, place.invariants, Kind::quasi, 1e-12);
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  double least = 1e300;
  for (int i = 0; i < 200; ++i) {
    // Steps of a hundredth of the offset and less: the curvature of the manifold matters little, directions do.
    const double size = 1e-4 * std::pow(0.5, i % 8);
    std::vector<double> q = p, q1 = p1;
    for (double& number : q) number += size * normal(random);
    for (double& number : q1) number += size * normal(random);
    const JetOutcome outcome = energy ? back.onto_all(0, q.data(), q1.data(), 0, 1, place.counters)
                                      : back.onto_constraints(0, q.data(), q1.data(), place.counters);
    EXPECT_EQ(outcome, JetOutcome::done);
    least = std::min(least, place.distance(q, q1));
  }
  return least;
}

TEST(OrthogonalProjection, IsTheNearestPointOfTheConstraints) {
  Place place(spatial_loop(), false, 1e-2);
  JetProjection orthogonal(place.system, place.invariants, Kind::orthogonal, 1e-12);
  JetProjection quasi(place.system, place.invariants, Kind::quasi, 1e-12);
  std::vector<double> p = place.a, p1 = place.a1, q = place.a, q1 = place.a1;
  ASSERT_EQ(orthogonal.onto_constraints(0, p.data(), p1.data(), place.counters), JetOutcome::done);
  ASSERT_EQ(quasi.onto_constraints(0, q.data(), q1.data(), place.counters), JetOutcome::done);
  const double nearest = place.distance(p, p1);
  EXPECT_GE(least_distance_around(place, p, p1, false), nearest - 1e-12);
  // The other one is near, but not the nearest: it takes no account of what moving y does to y1.
  EXPECT_GT(place.distance(q, q1), nearest);
  EXPECT_LT(place.distance(q, q1), 1.5 * nearest);
  EXPECT_LT(least_distance_around(place, q, q1, false), place.distance(q, q1));
}

TEST(OrthogonalProjection, IsTheNearestPointWithTheEnergyToo) {
  Place place(spatial_loop(), true, 1e-2);
  JetProjection orthogonal(place.system, place.invariants, Kind::orthogonal, 1e-12);
  std::vector<double> p = place.a, p1 = place.a1;
  ASSERT_EQ(orthogonal.onto_all(0, p.data(), p1.data(), 0, 1, place.counters), JetOutcome::done);
  EXPECT_TRUE(orthogonal.restored());
  EXPECT_GE(least_distance_around(place, p, p1, true), place.distance(p, p1) - 1e-12);
}

TEST(QuasiOrthogonalProjection, TakesPositionsToTheNearestOnes) {
  // (5.3): of all y on the constraints, the nearest; velocities have no say in it.
  Place place(spatial_loop(), false, 1e-2);
  JetProjection quasi(place.system, place.invariants, Kind::quasi, 1e-13);
  std::vector<double> p = place.a, p1 = place.a1;
  ASSERT_EQ(quasi.onto_constraints(0, p.data(), p1.data(), place.counters), JetOutcome::done);
  const auto distance = [&](const std::vector<double>& x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - place.a[i]) * (x[i] - place.a[i]);
    return std::sqrt(sum);
  };
  std::mt19937 random(6);
  std::normal_distribution<double> normal;
  // Newton's last step is taken with the tangent of the step before: what is left of it is second order in the offset's square.
  const double nearest = distance(p);
  for (int i = 0; i < 100; ++i) {
    std::vector<double> q = p, q1 = p1;
    for (double& number : q) number += 1e-3 * normal(random);
    ASSERT_EQ(quasi.onto_constraints(0, q.data(), q1.data(), place.counters), JetOutcome::done);
    EXPECT_GT(distance(q), nearest - 1e-7);
  }
}

}  // namespace
}  // namespace polhode::projected
