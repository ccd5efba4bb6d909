// The methods share the mechanism but no equations of motion: on every model of the corpus that they can run they must find the
// motion that tree-projected finds.
#include "tests/study/every_model.h"

namespace polhode::study {
namespace {

/// Steps of order four.
void expect_agreement(const State& start, const Pace& pace, const std::string& method) {
  const auto end = [&](const SimulateOptions& options) { return poses(run(start, options).end); };
  const auto reference = end(projected(pace.time, 1e-11));
  const auto with_step = [&](double step) {
    return SimulateOptions{.method = method, .time = pace.time, .dt = step, .options = {{"tolerance", 1e-12}, {"order", 4}}};
  };
  const auto coarse = end(with_step(pace.step)), fine = end(with_step(pace.step / 2));
  // Errors fall by sixteen when the step is halved, so the finer run's is a fifteenth of the change; by eight at least counts
  // as order four in steps that are not yet small. Local errors of 1e-11 and Newton's 1e-12 in some hundred steps are a floor
  // of 1e-8.
  const double estimated = distance(coarse, fine) / 7, floor = 1e-8;
  EXPECT_LT(distance(fine, reference), estimated + floor);
  EXPECT_LT(distance(fine, reference), distance(coarse, reference) / 8 + floor);
  EXPECT_LT(distance(fine, reference), 1e-4);  // and close, whatever the estimate
}

TEST(Methods, TreeVariationalAgreesOnEveryModelThatItTakes) {
  const int refused = for_every_model(
      variational(1, 0.01), [](const State& start, const Pace& pace) { expect_agreement(start, pace, "tree-variational"); });
  EXPECT_LE(refused, 3);  // the rolling ones
}

TEST(Methods, MaximalVariationalAgreesOnEveryModel) {
  const SimulateOptions maximal{.method = "maximal-variational"};
  const int refused = for_every_model(
      maximal, [](const State& start, const Pace& pace) { expect_agreement(start, pace, "maximal-variational"); });
  EXPECT_EQ(refused, 0);
}

TEST(Methods, MaximalProjectedAgreesOnEveryModel) {
  const SimulateOptions maximal{.method = "maximal-projected"};
  const int refused = for_every_model(maximal, [](const State& start, const Pace& pace) {
    const auto end = [&](const SimulateOptions& options) { return poses(run(start, options).end); };
    const SimulateOptions fine{.method = "maximal-projected", .time = pace.time, .options = {{"accuracy", 1e-10}}};
    // Local errors of 1e-10, relative to 1 + size, in some hundred steps, which so short a motion lets grow tenfold at most.
    EXPECT_LT(distance(end(fine), end(projected(pace.time, 1e-11))), 1e-7);
  });
  EXPECT_EQ(refused, 0);
}

/// A box that tumbles freely, with a four-bar of spatial pins on one side: three of the last pin's equations are redundant, and
/// nothing about the moving base makes their derivatives vanish exactly.
State four_bar_on_a_tumbling_base() {
  MechanismBuilder builder;
  const Vec3<double> corner[] = {{0, 0.3, 0}, {0.1, 0.3, 0.4}, {0.5, 0.3, 0.5}, {0.6, 0.3, 0}};
  builder.add_body({.name = "base", .mass = MassProperties::box(4, {0.5, 0.3, 0.2})});
  const std::string names[] = {"base", "crank", "coupler", "rocker", "base"};
  for (int i = 1; i <= 3; ++i) {
    const Vec3<double> middle = 0.5 * (corner[i - 1] + corner[i]);
    builder.add_body({.name = names[i],
                      .mass = MassProperties::box(0.4, {0.1, 0.05, 0.4}),
                      .drawn_pose = {{Mat3<double>::identity()}, middle}});
  }
  for (int i = 0; i < 4; ++i)
    builder.add_joint({.name = "pin" + std::to_string(i),
                       .model = Revolute{},
                       .parent = names[i],
                       .child = names[i + 1],
                       .placement = DrawnPlacement{.at = corner[i], .axis = Vec3<double>{0, 1, 0}}});
  State start(builder.build());
  for (int i = 0; i < start.mechanism().num_u(); ++i) start.set_u(i, 0.7 - 0.3 * i);
  EXPECT_TRUE(tree::assemble(start).assembled);
  return start;
}

TEST(Methods, AgreeOnAPlanarLoopOfPinsOnATumblingBase) {
  for (const char* method : {"tree-variational", "maximal-variational"}) {
    SCOPED_TRACE(method);
    expect_agreement(four_bar_on_a_tumbling_base(), {0.4, 0.004}, method);
  }
  const State start = four_bar_on_a_tumbling_base();
  const SimulateOptions jet{.method = "maximal-projected", .time = 0.4, .options = {{"accuracy", 1e-10}}};
  EXPECT_LT(distance(poses(run(start, jet).end), poses(run(start, projected(0.4, 1e-11)).end)), 1e-7);  // as above
}

/// Two bodies with two joints between them about one axis: all equations of the second are redundant.
State joined_twice(const JointModel& second) {
  MechanismBuilder builder;
  builder.add_body({.name = "a", .mass = {1, {0.2, 0, -0.5}, SymMat3<double>::diagonal({0.1, 0.2, 0.3})}});
  builder.add_body({.name = "b",
                    .mass = {1, {0, 0, -0.5}, SymMat3<double>::diagonal({0.1, 0.2, 0.3})},
                    .drawn_pose = {Mat3<double>::identity(), {0, 0, -1}}});
  builder.add_joint({.name = "A", .model = Ball{}, .child = "a"});
  const DrawnPlacement across{.at = {0, 0, -1}, .axis = Vec3<double>{0, 1, 0}};
  builder.add_joint({.name = "B", .model = Revolute{}, .parent = "a", .child = "b", .placement = across});
  builder.add_joint({.name = "B2", .model = second, .parent = "a", .child = "b", .placement = across});
  State start(builder.build());
  start.set_q(start.mechanism().coordinate("B"), 0.4);
  for (int i = 0; i < start.mechanism().num_u(); ++i) start.set_u(i, 0.3 + 0.4 * i);
  EXPECT_TRUE(tree::assemble(start).assembled);
  return start;
}

TEST(Methods, AgreeWhereAllEquationsOfALoopAreRedundant) {
  for (const JointModel& second : {JointModel(Cylindrical{}), JointModel(Planar{})})
    for (const char* method : {"tree-variational", "maximal-variational"}) {
      SCOPED_TRACE(method);
      expect_agreement(joined_twice(second), {0.4, 0.004}, method);
    }
}

}  // namespace
}  // namespace polhode::study
