// A parallelogram of two cranks (length l, mass m, thin rods) and a coupler of mass c: the cranks turn alike and the coupler
// only shifts. Springs k on n of its pins, at rest where the cranks are upright, without gravity: for any amplitude
//   (2 m l^2 / 3 + c l^2) theta'' = -n k theta.
#include <cmath>
#include <random>

#include "tests/study/validation.h"

namespace polhode::study {
namespace {

constexpr double l = 0.5, m = 1.2, k = 3.0, theta0 = 0.7;

/// So many of the four pins have springs, the cranks' at Ground first.
MechanismBuilder parallelogram(double coupler_mass, int springs) {
  MechanismBuilder builder;
  builder.gravity = {};
  const auto rod = [](double mass) {  // thick, so that it resists every turn
    return MassProperties{mass, {0, 0, l / 2}, SymMat3<double>::diagonal({mass * l * l / 12, mass * l * l / 12, 1e-3 * mass})};
  };
  builder.add_body({.name = "left", .mass = rod(m)});
  builder.add_body(
      {.name = "coupler",
       .mass = coupler_mass > 0 ? MassProperties::box(coupler_mass, {0.8, 0.1, 0.1}, {0.4, 0, 0}) : MassProperties{},
       .drawn_pose = at(0, 0, l)});
  builder.add_body({.name = "right", .mass = rod(m), .drawn_pose = at(0.8, 0, 0)});
  const auto pin = [&](const char* name, const char* parent, const char* child, double x, double z) {
    builder.add_joint({.name = name,
                       .parent = parent,
                       .child = child,
                       .placement = DrawnPlacement{.at = {x, 0, z}, .axis = Vec3<double>{0, 1, 0}}});
  };
  pin("A", ground_name, "left", 0, 0);
  pin("D", ground_name, "right", 0.8, 0);
  pin("B", "left", "coupler", 0, l);
  pin("C", "coupler", "right", 0.8, l);
  const char* const names[] = {"A", "D", "B", "C"};
  for (int i = 0; i < springs; ++i) builder.add_force({CoordinateSpringSpec{names[i], k, 0}});
  builder.set_initial({"A", theta0, {}, {}}).set_initial({"D", theta0, {}, {}}).set_initial({"B", -theta0, {}, {}});
  return builder;
}

std::vector<SimulateOptions> all_methods(double time) {
  return {{.method = "tree-projected", .time = time, .options = {{"accuracy", 1e-9}}},
          {.method = "maximal-projected", .time = time, .options = {{"accuracy", 1e-9}}},
          {.method = "tree-variational", .time = time, .dt = 0.01, .options = {{"order", 4}}},
          {.method = "maximal-variational", .time = time, .dt = 0.01, .options = {{"order", 4}}}};
}

/// One and a half periods. Local errors of 1e-9 in some hundred steps stay below 1e-6; steps of order four with h omega = 0.03
/// are off by (h omega)^4 / 100 a radian, 1e-8 times ten radians.
void expect_oscillation(const MechanismBuilder& builder, double inertia, double stiffness) {
  const Mechanism mechanism = builder.build();
  const double omega = std::sqrt(stiffness / inertia), time = 3 * pi / omega;
  for (const SimulateOptions& options : all_methods(time)) {
    SCOPED_TRACE(options.method);
    const Outcome r = run(start_of(mechanism), options);
    EXPECT_TRUE(r.summary.completed) << r.summary.failure;
    EXPECT_NEAR(r.end.q()[std::size_t(mechanism.coordinate("A"))], theta0 * std::cos(omega * time), 1e-6);
    EXPECT_LT(r.summary.energy_span(), 1e-6);
  }
}

TEST(LoopCoordinates, SpringsOnEveryJointOfALoopActAlike) {
  for (int springs = 1; springs <= 4; ++springs) {
    SCOPED_TRACE(springs);
    const double c = 0.9;
    expect_oscillation(parallelogram(c, springs), 2 * m * l * l / 3 + c * l * l, springs * k);
  }
}

TEST(MasslessBodies, ACouplerWithoutMassMovesAsItsLoopDoes) {
  for (int springs = 1; springs <= 4; ++springs) {
    SCOPED_TRACE(springs);
    expect_oscillation(parallelogram(0, springs), 2 * m * l * l / 3, springs * k);
  }
}

/// A closed chain of three to five bodies on parallel pins in a random plane, some of them without mass, with springs on most
/// of the pins, whose joints are declared in random order and direction.
struct RandomLoop {
  MechanismBuilder builder;
  int longest_massless = 0;  ///< bodies in a row
  bool any_mass = false;
};
RandomLoop random_loop(unsigned seed) {
  std::mt19937 random(seed);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  const int n = 3 + int(random() % 3);
  const Mat3<double> R = rotation_from_angles("xyz", {between(-3, 3), between(-3, 3), between(-3, 3)});
  std::vector<Vec3<double>> pins;
  for (int i = 0; i <= n; ++i) {
    const double angle = 2 * pi * i / (n + 1) + between(-0.2, 0.2), radius = between(0.6, 1.2);
    pins.push_back(R * Vec3<double>{radius * std::cos(angle), radius * std::sin(angle), 0});
  }
  RandomLoop loop;
  std::vector<std::string> names{ground_name};
  int row = 0;
  for (int i = 0; i < n; ++i) {
    const bool massless = between(0, 1) < 0.35;
    const double mass = between(0.5, 2);
    const Vec3<double> middle = 0.5 * (pins[std::size_t(i)] + pins[std::size_t(i) + 1]);
    names.push_back("b" + std::to_string(i));
    loop.builder.add_body({.name = names.back(),
                           .mass = massless ? MassProperties{} : MassProperties::box(mass, {0.8, 0.9, 1}),
                           .drawn_pose = at(middle.x, middle.y, middle.z)});
    row = massless ? row + 1 : 0;
    loop.longest_massless = std::max(loop.longest_massless, row);
    loop.any_mass = loop.any_mass || !massless;
  }
  names.push_back(ground_name);
  std::vector<int> order;
  for (int i = 0; i <= n; ++i) order.push_back(i);
  std::shuffle(order.begin(), order.end(), random);
  for (const int i : order) {
    const bool flip = random() % 2 == 0;
    const std::string joint = "j" + std::to_string(i);
    loop.builder.add_joint({.name = joint,
                            .parent = names[std::size_t(flip ? i + 1 : i)],
                            .child = names[std::size_t(flip ? i : i + 1)],
                            .placement = DrawnPlacement{.at = pins[std::size_t(i)], .axis = R.col[2]}});
    if (between(0, 1) < 0.8) loop.builder.add_force({CoordinateSpringSpec{joint, between(5, 20), between(-0.2, 0.2)}});
  }
  return loop;
}

// Three bodies in a row without mass can fold between their ends, and nothing says how; two in a row follow these.
TEST(MasslessBodies, OfRandomLoopsMoveAlikeByAllMethodsOrAreRefused) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const RandomLoop loop = random_loop(seed);
    if (loop.longest_massless >= 3 || !loop.any_mass) {
      EXPECT_THROW(tree::initial_state(loop.builder.build()), ModelError);
      continue;
    }
    const Mechanism mechanism = loop.builder.build();
    const State start = start_of(mechanism);
    const auto places = [&](const SimulateOptions& options) {
      const Outcome r = run(start, options);
      EXPECT_TRUE(r.summary.completed) << options.method << ": " << r.summary.failure;
      std::vector<Vec3<double>> all;
      for (int b = 1; b < mechanism.num_bodies(); ++b) all.push_back(r.end.pose(b).p);
      return all;
    };
    const auto farthest = [](const auto& a, const auto& b) {
      double most = 0;
      for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, norm(a[i] - b[i]));
      return most;
    };
    const double time = 0.2;
    const auto reference = places(projected(time, 1e-11));
    // Local errors of 1e-9 in some tens of steps.
    EXPECT_LT(farthest(places({.method = "maximal-projected", .time = time, .options = {{"accuracy", 1e-9}}}), reference),
              1e-7);
    // Order two: what is left after two more halvings of the step is a fifteenth of what they changed.
    for (const char* method : {"tree-variational", "maximal-variational"}) {
      SCOPED_TRACE(method);
      const auto coarse = places({.method = method, .time = time, .dt = 2e-3});
      const auto fine = places({.method = method, .time = time, .dt = 5e-4});
      EXPECT_LT(farthest(fine, reference), farthest(coarse, fine) / 7 + 1e-8);
      EXPECT_LT(farthest(fine, reference), 1e-4);
    }
  }
}

}  // namespace
}  // namespace polhode::study
