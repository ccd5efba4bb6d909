// maximal-variational converges at its order to the motion that tree-projected finds.
#include "tests/variational/maximal/maximal.h"

namespace polhode::variational {
namespace {

/// A floating body, a ball-jointed arm, a pin, a gimbal; springs to Ground and within, no dampers.
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
  builder.add_force({PointSpringSpec{"post", "hull tip", 30, 1, 0}});
  builder.add_force({PointSpringSpec{"hull tip", "finger tip", 12, 0.5, 0}});
  builder.add_force({CoordinateSpringSpec{"hand joint", 4, 0.3}});
  builder.add_force({BodyForceSpec{"arm", {0.4, -0.6, 1}, {0.2, 0.5, -0.3}, false}});
  const Mechanism mechanism = builder.build();
  State start = tree::initial_state(mechanism);
  start.set_u(testing_support::Random(4).vector(mechanism.num_u(), 1.2));
  return start;
}

struct Case {
  int order;
  double step, slack;
};
// The error falls by 2^order, up to the next term of its expansion. Steps are such that errors lie well above 1e-10.
const Case cases[] = {{1, 5e-4, 0.1}, {2, 0.004, 0.2}, {4, 0.01, 2}, {6, 0.02, 12}};

void expect_orders(const State& start, double t, std::span<const Case> of_each) {
  const std::vector<double> exact = exact_motion(start, t);
  for (const Case& c : of_each) {
    const auto error = [&](double step) {
      return largest_difference(
          body_motion(end_of_run(start, t, MaximalVariationalOptions{.step = step, .order = c.order, .tolerance = 1e-13})),
          exact);
    };
    const double coarse = error(c.step), fine = error(c.step / 2);
    EXPECT_NEAR(coarse / fine, std::ldexp(1, c.order), c.slack) << "order " << c.order << ": " << coarse << ", " << fine;
  }
}

TEST(MaximalOrder, IsAsAskedForOnASpatialTree) { expect_orders(spatial_tree(), 0.32, cases); }

TEST(MaximalOrder, IsAsAskedForOnLoops) {
  // Bricard's linkage is slow: long steps are needed to see errors of order six above rounding. The crank is not.
  const Case slow[] = {{1, 0.002, 0.1}, {2, 0.01, 0.2}, {4, 0.05, 2}, {6, 0.1, 12}};
  const Case fast[] = {{1, 2e-4, 0.1}, {2, 0.002, 0.2}, {4, 0.004, 2}, {6, 0.006, 12}};
  expect_orders(assembled("bricard"), 0.6, slow);
  expect_orders(assembled("spatial_slider_crank"), 0.24, fast);
}

TEST(MaximalOrder, IsTwoForEveryJointType) {
  for (const unsigned seed : {2u, 5u}) {
    const State start = random_start(testing_support::random_mechanism(seed, without_lines({.bodies = 22})), seed);
    const double t = 0.1;
    const std::vector<double> exact = exact_motion(start, t);
    const auto error = [&](double step) {
      return largest_difference(body_motion(end_of_run(start, t, MaximalVariationalOptions{.step = step, .tolerance = 1e-12})),
                                exact);
    };
    const double coarse = error(0.001), fine = error(0.0005);
    EXPECT_NEAR(coarse / fine, 4, 0.3) << "seed " << seed << ": " << coarse << ", " << fine;
  }
}

TEST(MaximalOrder, IsTwoWithDampersMotorsAndSignals) {
  const State start = random_start(testing_support::random_mechanism(3, without_lines({.bodies = 12, .forces = true})), 3);
  const double t = 0.1;
  const std::vector<double> exact = exact_motion(start, t);
  const auto error = [&](double step) {
    return largest_difference(body_motion(end_of_run(start, t, MaximalVariationalOptions{.step = step, .tolerance = 1e-12})),
                              exact);
  };
  const double coarse = error(0.001), fine = error(0.0005);
  EXPECT_NEAR(coarse / fine, 4, 0.4) << coarse << ", " << fine;
}

TEST(MaximalOrder, IsTwoForRollingBodies) {
  for (const char* model : {"rolling_disk", "chaplygin_sleigh"}) {
    const State start = assembled(model);
    const double t = 0.24;
    const std::vector<double> exact = exact_motion(start, t);
    const auto error = [&](double step) {
      return largest_difference(body_motion(end_of_run(start, t, MaximalVariationalOptions{.step = step, .tolerance = 1e-12})),
                                exact);
    };
    const double coarse = error(0.002), fine = error(0.001);
    EXPECT_NEAR(coarse / fine, 4, 0.4) << model << ": " << coarse << ", " << fine;
  }
}

}  // namespace
}  // namespace polhode::variational
