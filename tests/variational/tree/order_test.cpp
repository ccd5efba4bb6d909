// Order of convergence, on spatial mechanisms with ball and free joints, springs, damping and loops.
#include "polhode/projected/tree/make_integrator.h"
#include "tests/support/near.h"
#include "tests/variational/stepping.h"

namespace polhode::variational {
namespace {

using testing_support::numbers;

/// A floating body with a ball-jointed arm that a pin continues; springs to Ground and within, dampers.
State spatial_tree() {
  MechanismBuilder builder;
  const auto body = [&](const std::string& name, const std::string& parent, const JointModel& model) {
    builder.add_body({.name = name, .mass = transformed(at(0.1, -0.2, 0.3), MassProperties::box(1.2, {0.4, 0.7, 0.9}))});
    builder.add_joint({.name = name + " joint",
                       .model = model,
                       .parent = parent,
                       .child = name,
                       .placement = LocalPlacement{at(0.3, 0.2, 0.6), at(-0.2, 0.1, -0.3)}});
    builder.add_frame({.name = name + " tip", .body = name, .X_BF = at(0.2, 0.4, 0.5)});
  };
  body("hull", ground_name, Free{});
  body("arm", "hull", Ball{});
  body("hand", "arm", Revolute{});
  body("finger", "hand", Gimbal{});
  builder.add_frame({.name = "post", .body = ground_name, .X_BF = at(0, 0, 3)});
  builder.add_force({PointSpringSpec{"post", "hull tip", 30, 1, 0.8}});
  builder.add_force({PointSpringSpec{"hull tip", "finger tip", 12, 0.5, 0.4}});
  builder.add_force({CoordinateDampingSpec{"hand joint", 0.6}});
  builder.add_force({CoordinateSpringSpec{"hand joint", 4, 0.3}});
  builder.add_force({BodyForceSpec{"arm", {0.4, -0.6, 1}, {0.2, 0.5, -0.3}, false}});
  const Mechanism mechanism = builder.build();
  State start = tree::initial_state(mechanism);
  start.set_u(testing_support::Random(4).vector(mechanism.num_u(), 1.2));
  return start;
}

/// Where the bodies are and how they move: numbers that have no chart.
std::vector<double> motion(const State& state) {
  std::vector<double> all;
  for (int b = 1; b < state.mechanism().num_bodies(); ++b)
    for (const auto& part : {numbers(state.pose(b)), numbers(state.velocity(b))})
      all.insert(all.end(), part.begin(), part.end());
  return all;
}
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double d = 0;
  for (std::size_t i = 0; i < a.size(); ++i) d = std::max(d, std::abs(a[i] - b[i]));
  return d;
}

std::vector<double> reference(const State& start, double t) {
  const auto exact = projected::make_integrator(start.mechanism(), {.accuracy = 1e-12});
  exact->set(start);
  run(*exact, t);
  return motion(reached(*exact, start.mechanism()));
}

struct Order {
  int order;
  double step, alpha, ratio, slack;
};

// The error falls by 2^order, up to the next term of its expansion, which is smaller by h^2 (h for order one) times a factor
// that grows with the order. Steps are chosen so that the errors lie well above the reference's 1e-11.
const Order orders[] = {{2, 0.004, 0.5, 4, 0.2}, {4, 0.01, 0.5, 16, 2}, {6, 0.02, 0.5, 64, 12}, {2, 0.0005, 0.3, 2, 0.1}};

TEST(Order, IsAsAskedForOnASpatialTree) {
  const State start = spatial_tree();
  const double t = 0.32;
  const std::vector<double> exact = reference(start, t);
  for (const Order& o : orders) {
    const auto error = [&](double step) {
      return distance(motion(end_of_run(start, t, {.step = step, .alpha = o.alpha, .order = o.order})), exact);
    };
    const double coarse = error(o.step), fine = error(o.step / 2);
    EXPECT_NEAR(coarse / fine, o.ratio, o.slack)
        << "order " << o.order << ", alpha " << o.alpha << ": " << coarse << ", " << fine;
  }
}

TEST(Order, IsTwoOnTreesOfEveryJointType) {
  for (const unsigned seed : {2u, 5u}) {
    const State start =
        random_start(testing_support::random_mechanism(seed, without_lines({.bodies = 22, .forces = true})), seed);
    const double t = 0.1;
    const std::vector<double> exact = reference(start, t);
    const auto error = [&](double step) { return distance(motion(end_of_run(start, t, {.step = step})), exact); };
    const double coarse = error(0.001), fine = error(0.0005);
    EXPECT_NEAR(coarse / fine, 4, 0.3) << "seed " << seed << ": " << coarse << ", " << fine;
  }
}

/// A pin, the joint in question and a ball beyond it, all bodies rigid.
State three_joints(const JointModel& model, bool reversed) {
  testing_support::Random random(6);
  MechanismBuilder builder;
  const auto add = [&](const std::string& name, const std::string& parent, const JointModel& joint, bool from_other_end) {
    builder.add_body({.name = name, .mass = transformed(random.transform(0.3), MassProperties::box(1.3, {0.3, 0.5, 0.7}))});
    builder.add_joint({.name = name + " joint",
                       .model = joint,
                       .parent = parent,
                       .child = name,
                       .placement = LocalPlacement{random.transform(0.5), random.transform(0.5)},
                       .reversed = from_other_end});
  };
  add("base", ground_name, Revolute{}, false);
  add("middle", "base", model, reversed);
  add("end", "middle", Ball{}, false);
  return random_start(builder.build(), 8);
}

TEST(Order, IsTwoForEveryJointTypeAlone) {
  testing_support::Random random(3);
  for (const JointModel& model : testing_support::every_joint_type(random)) {
    if (!takes_part(model) || is_line(model)) continue;
    for (const bool reversed : {false, true}) {
      const State start = three_joints(model, reversed);
      const double t = 0.1;
      const std::vector<double> exact = reference(start, t);
      const auto error = [&](double step) { return distance(motion(end_of_run(start, t, {.step = step})), exact); };
      const double coarse = error(0.002), fine = error(0.001);
      EXPECT_NEAR(coarse / fine, 4, 0.2) << type_name(model) << (reversed ? " reversed: " : ": ") << coarse << ", " << fine;
    }
  }
}

// Without another method for loops the differences of three runs must do: they fall by 2^order too.
TEST(Order, IsAsAskedForOnLoops) {
  for (const char* model : {"bricard", "spatial_slider_crank"}) {
    State start = tree::initial_state(load(model));
    ASSERT_TRUE(tree::assemble(start).assembled);
    for (const Order& o : {Order{2, 0.004, 0.5, 4, 0.3}, Order{4, 0.01, 0.5, 16, 3}}) {
      const auto at_end = [&](double step) { return motion(end_of_run(start, 0.24, {.step = step, .order = o.order})); };
      const auto coarse = at_end(o.step), middle = at_end(o.step / 2), fine = at_end(o.step / 4);
      EXPECT_NEAR(distance(coarse, middle) / distance(middle, fine), o.ratio, o.slack)
          << model << ", order " << o.order << ": " << distance(coarse, middle) << ", " << distance(middle, fine);
    }
  }
}

// A kinematic coordinate and damping: time enters the forces, and the composition's steps back in time must follow it.
TEST(Order, HoldsWithKinematicCoordinates) {
  MechanismBuilder builder = rods(3, true);
  builder.add_body({.name = "cart", .mass = MassProperties::particle(1, {})});
  builder.add_joint({.name = "cart",
                     .model = Prismatic{},
                     .parent = "link3",
                     .child = "cart",
                     .placement = LocalPlacement{at(0, 0, -1), {}}});
  builder.add_kinematic({.coordinate = "cart", .signal = Signal::sine(0.3, 7, 0.2)});
  const State start = tree::initial_state(builder.build());
  for (const Order& o : {Order{2, 0.01, 0.5, 4, 0.3}, Order{4, 0.02, 0.5, 16, 3}}) {
    const auto at_end = [&](double step) { return motion(end_of_run(start, 0.48, {.step = step, .order = o.order})); };
    const auto coarse = at_end(o.step), middle = at_end(o.step / 2), fine = at_end(o.step / 4);
    EXPECT_NEAR(distance(coarse, middle) / distance(middle, fine), o.ratio, o.slack) << "order " << o.order;
  }
}

}  // namespace
}  // namespace polhode::variational
