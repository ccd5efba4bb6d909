// Constraints that hold on one side only are data so far: what solves rows refuses them by name, and none is lost in silence.
#include <gtest/gtest.h>

#include "polhode/format/language/writer.h"
#include "polhode/state/stepper.h"
#include "polhode/study/equilibrium.h"
#include "polhode/study/inspect.h"
#include "polhode/study/inverse_dynamics.h"
#include "polhode/study/method_registry.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/constraints.h"
#include "polhode/tree/realize.h"
#include "tests/mechanism/model_error_text.h"

namespace polhode::study {
namespace {

/// A bob that turns in a plane: an equation that always holds, and another constraint.
MechanismBuilder pendulum_with(ConstraintSpec other) {
  MechanismBuilder builder;
  builder.add_body({.name = "bob", .mass = MassProperties::particle(1, {1, 0, 0})});
  builder.add_joint({.name = "pin", .model = Revolute{}, .child = "bob"});
  builder.add_frame({.name = "tip", .body = "bob", .X_BF = {Mat3<double>::identity(), {1, 0, 0}}});
  builder.add_constraint({.name = "guide", .model = PointInPlaneSpec{"ground", "tip", {0, 0, 1}}});
  builder.add_constraint(std::move(other));
  return builder;
}
ConstraintSpec one_sided(decltype(ConstraintSpec::model) model) {
  return {.name = "rope", .model = std::move(model), .sense = RowSense::at_least};
}
MechanismBuilder with_rope() { return pendulum_with(one_sided(WireSpec{"ground", "tip", 0.5})); }

template <class Work>
std::string refusal_of(const Work& work) {
  try {
    work();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no refusal";
}
void expect_named(const std::string& refusal) {
  EXPECT_NE(refusal.find("wire \"rope\" holds on one side only (h >= 0)"), std::string::npos) << refusal;
}

TEST(OneSided, RowsAreKnownByTheirSense) {
  const tree::Constraints constraints(with_rope().build());
  ASSERT_EQ(constraints.num_rows(), 2);
  EXPECT_FALSE(constraints.is_one_sided(0));
  EXPECT_TRUE(constraints.is_one_sided(1));
}

TEST(OneSided, EveryMethodRefusesThemByName) {
  const Mechanism mechanism = with_rope().build();
  for (const MethodEntry* const method : method_registry()) {
    EXPECT_FALSE(method->features.one_sided);
    expect_named(refusal_of([&] { require_supported(*method, mechanism); }));
    expect_named(refusal_of([&] { method->make(mechanism, {}); }));
  }
}

TEST(OneSided, StudiesRefuseThemByName) {
  State state(with_rope().build());
  expect_named(refusal_of([&] { tree::assemble(state); }));
  expect_named(refusal_of([&] { tree::analyse_velocities(state, {}, {}); }));
  expect_named(refusal_of([&] { tree::realize(state, Stage::acceleration); }));
  expect_named(refusal_of([&] { inspect(state); }));
  expect_named(refusal_of([&] { find_equilibrium(state); }));
  expect_named(refusal_of([&] {
    const std::vector<double> none(std::size_t(state.mechanism().num_u()));
    inverse_dynamics(state, {{0}, {state.q().begin(), state.q().end()}, none, none}, {}, {});
  }));
}

TEST(OneSided, MeansNothingForSeveralRowsOrForVelocities) {
  EXPECT_TRUE(reports_only(pendulum_with(one_sided(CoincidentPointsSpec{"ground", "tip"})), "\"rope\" has 3 rows"));
  EXPECT_TRUE(reports_only(pendulum_with(one_sided(ConstantSpeedSpec{"pin", 1})), "\"rope\" is at level velocity"));
  EXPECT_TRUE(reports_only(pendulum_with(one_sided(ConstantAccelerationSpec{"pin", 1})), "\"rope\" is at level acceleration"));
}

TEST(OneSided, ThereIsNoTextForThem) {
  const std::string refusal = refusal_of([] { format::write_model(with_rope()); });
  EXPECT_NE(refusal.find("constraint \"rope\" holds on one side only"), std::string::npos) << refusal;
}

}  // namespace
}  // namespace polhode::study
