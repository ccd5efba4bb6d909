// What must be true of every constraint between two frames, whatever coordinates the bodies are in.
#include "joint_cases.h"
#include "polhode/mechanism/constraints/loop_joint.h"
#include "polhode/mechanism/mechanism.h"

namespace polhode::test {
namespace {

/// A constraint behind functions that any scalar runs through.
struct FrameCase {
  std::string name;
  int num_holonomic, num_rows;
  bool relative;
  std::function<void(const Transform<double>&, const Transform<double>&, FrameRow<double>*)> rows;
  std::function<void(const Transform<Dual<double>>&, const Transform<Dual<double>>&, FrameRow<Dual<double>>*)> moving_rows;
};

template <FrameConstraint C>
FrameCase frame_case(C c) {
  if constexpr (requires { c.derive(); }) c.derive();
  const auto evaluate = [c](const auto& X_WA, const auto& X_WB, auto* rows) { c.evaluate(X_WA, X_WB, rows); };
  return {C::keyword, C::num_rows - C::nonholonomic, C::num_rows, C::relative, evaluate, evaluate};
}

// One sample of each type between two frames; without one this file does not compile.
Wire sample(const Wire*) { return {0, 1, 0.7}; }
PointConstraint sample(const PointConstraint*) { return {0, 1, normalized({1, -2, 3})}; }
CoincidentPoints sample(const CoincidentPoints*) { return {0, 1}; }
PointInPlane sample(const PointInPlane*) { return {0, 1, normalized({-2, 1, 1})}; }
PointOnLine sample(const PointOnLine*) { return {0, 1, normalized({1, 1, -3})}; }
ConstantAngle sample(const ConstantAngle*) { return {0, 1, normalized({1, 2, 0}), {0, 0, 1}, 0.3}; }
ConstantOrientation sample(const ConstantOrientation*) { return {0, 1}; }
CoincidentFrames sample(const CoincidentFrames*) { return {0, 1}; }
RollingDisk sample(const RollingDisk*) { return {0, 1, 0.8}; }
RollingBall sample(const RollingBall*) { return {0, 1, 0.8}; }
PointOnCylinder sample(const PointOnCylinder*) { return {0, 1, 0.8}; }

std::vector<FrameCase> all_frame_cases() {
  std::vector<FrameCase> cases;
  ConstraintElements::for_each_placed([&]<class C>() {
    if constexpr (FrameConstraint<C>) cases.push_back(frame_case(sample(static_cast<const C*>(nullptr))));
  });
  for (const JointCase& joint : all_joint_cases()) {
    if (!joint.closed_form) continue;
    const auto evaluate = [joint](const auto& X_WF, const auto& X_WM, auto* rows) {
      joint_rows(joint.model, joint.reversed, X_WF, X_WM, rows);
    };
    cases.push_back({joint.name, joint.num_holonomic(), joint.num_rows(), true, evaluate, evaluate});
  }
  return cases;
}

template <class Law>
void for_all_frame_constraints(const Law& law) {
  for (const FrameCase& c : all_frame_cases())
    for (int seed = 0; seed < 10; ++seed) {
      SCOPED_TRACE(testing::Message() << c.name << ", seed " << seed);
      Random random(seed);
      const Transform<double> X_WA{random.rotation(), random.vec3(2)}, X_WB{random.rotation(), random.vec3(2)};
      law(c, X_WA, X_WB, random);
    }
}

// Lengths of up to 4 m and velocities of the same order: products of 20 with a dozen roundings each; screws divide by leads.
constexpr double rounding = 1e-11;

TEST(FrameConstraint, WrenchesAreTheDerivativeOfTheValue) {
  for_all_frame_constraints([](const FrameCase& c, const auto& X_WA, const auto& X_WB, Random& random) {
    const Motion<double> V_WA = random.motion(), V_WB = random.motion();
    FrameRow<double> rows[6];
    FrameRow<Dual<double>> moving_rows[6];
    c.rows(X_WA, X_WB, rows);
    c.moving_rows(moving(X_WA, V_WA), moving(X_WB, V_WB), moving_rows);
    for (int i = 0; i < c.num_holonomic; ++i) {
      EXPECT_NEAR(moving_rows[i].value.slope, dot(rows[i].on_a, V_WA) + dot(rows[i].on_b, V_WB), rounding) << "row " << i;
      EXPECT_EQ(moving_rows[i].value.value, rows[i].value) << "row " << i;
    }
  });
}

// What depends on the relative pose only cannot tell when both frames move as one body, so its two wrenches cancel.
TEST(FrameConstraint, RelativeOnesLoadTheirFramesByActionAndReaction) {
  for_all_frame_constraints([](const FrameCase& c, const auto& X_WA, const auto& X_WB, Random&) {
    if (!c.relative) return;
    FrameRow<double> rows[6];
    c.rows(X_WA, X_WB, rows);
    for (int i = 0; i < c.num_rows; ++i) {
      const Wrench<double> sum = rows[i].on_a + shifted_back(rows[i].on_b, X_WB.p - X_WA.p);
      EXPECT_LT(norm(sum.moment) + norm(sum.force), rounding) << "row " << i;
    }
  });
}

// A direction that stays in Ground turns against frames that move together: such a constraint says so.
TEST(FrameConstraint, AlongADirectionInGroundIsNotRelative) {
  const PointConstraint c{0, 1, {1, 0, 0}};
  FrameRow<double> rows[1];
  c.evaluate(Transform<double>{}, at(0, 1, 0), rows);
  const Wrench<double> sum = rows[0].on_a + shifted_back(rows[0].on_b, {0, 1, 0});
  EXPECT_EQ(norm(sum.moment), 1);
}

}  // namespace
}  // namespace polhode::test
