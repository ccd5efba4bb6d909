// Which rows of constraints maximal-variational takes for redundant.
#include "tests/variational/maximal/maximal.h"

namespace polhode::variational {
namespace {

/// A body on a ball joint at Ground's origin, and another welded to it. The line from a point of the one to a point of the
/// other stays at right angles to a direction that is fixed in Ground.
MechanismBuilder welded_pair_below_a_direction() {
  const MassProperties mass = MassProperties::box(1, {0.2, 0.3, 0.4}, {0.1, 0, -0.4});
  MechanismBuilder builder;
  builder.add_body({.name = "upper", .mass = mass});
  builder.add_body({.name = "lower", .mass = mass, .drawn_pose = {.p = {0, 0, -1}}});
  builder.add_joint({.name = "ball", .model = Ball{}, .child = "upper"});
  builder.add_frame({.name = "end", .body = "upper", .X_BF = {.p = {0, 0, -1}}});
  builder.add_frame({.name = "near", .body = "upper", .X_BF = {.p = {0.3, 0, -0.5}}});
  builder.add_frame({.name = "far", .body = "lower", .X_BF = {.p = {-0.4, 0, -0.5}}});
  builder.add_constraint({"", CoincidentFramesSpec{"end", "lower"}});
  builder.add_constraint({"", PointConstraintSpec{"near", "far", {0, 1, 0}}});
  return builder;
}

// With either body held, the weld holds the other, and the row on the direction has nothing left to say: it is about how both
// of them turn together. So it may not be judged before both have been eliminated.
TEST(MaximalRank, LeavesARowOnADirectionInGroundBetweenWeldedBodies) {
  State start = tree::initial_state(welded_pair_below_a_direction().build());
  start.set_u(start.mechanism().speed("ball.wy"), 0.5);
  ASSERT_TRUE(tree::assemble(start).assembled);
  MaximalVariational stepper = started(start, MaximalVariationalOptions{.step = 0.005});
  run(stepper, 1);
  EXPECT_EQ(stepper.equations().factors().rank_deficiency(), 0);
  EXPECT_LT(stepper.constraint_error(), 1e-11);  // Newton's tolerance is 1e-12
  // 200 steps of an error of order two, at some radians per second: 1e-3.
  EXPECT_LT(largest_difference(body_motion(reached(stepper, start.mechanism())), exact_motion(start, 1)), 1e-3);
}

}  // namespace
}  // namespace polhode::variational
