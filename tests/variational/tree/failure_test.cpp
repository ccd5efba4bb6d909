// Steps that cannot be: what the report says, and that the stepper lives on.
#include <functional>

#include "tests/variational/stepping.h"

namespace polhode::variational {
namespace {

/// A cart that a signal pulls along x, and a rod hanging at the origin whose tip a wire ties to the cart.
Mechanism leash(const Signal& signal) {
  MechanismBuilder builder;
  const Mat3<double> along_x{{Vec3<double>{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
  builder.add_body({.name = "cart", .mass = MassProperties::particle(1, {})});
  builder.add_joint(
      {.name = "cart", .model = Prismatic{}, .child = "cart", .placement = LocalPlacement{{along_x, {}}, {along_x, {}}}});
  builder.add_body({.name = "rod", .mass = MassProperties::rod(1, {0, 0, -1})});
  builder.add_joint(
      {.name = "pin", .child = "rod", .placement = DrawnPlacement{.at = {0, 0, 0}, .axis = Vec3<double>{0, 1, 0}}});
  builder.add_frame({.name = "tip", .body = "rod", .X_BF = at(0, 0, -1)});
  builder.add_constraint({"leash", WireSpec{"cart", "tip", 1.5}});
  builder.add_kinematic({.coordinate = "cart", .signal = signal});
  builder.set_initial({.coordinate = "pin", .value = -0.5});
  return builder.build();
}

State assembled(const Mechanism& mechanism) {
  State start = tree::initial_state(mechanism);
  EXPECT_TRUE(tree::assemble(start).assembled);
  return start;
}

std::string refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(Refusal, NamesFastCoordinatesAndSingleSpeedsOfBallJoints) {
  MechanismBuilder builder;
  builder.add_body({.name = "rod", .mass = MassProperties::box(1, {0.1, 0.1, 1})});
  builder.add_body({.name = "bob", .mass = MassProperties::box(1, {0.1, 0.1, 1})});
  builder.add_joint({.name = "pin", .child = "rod"});
  builder.add_joint({.name = "neck", .model = Ball{}, .parent = ground_name, .child = "bob"});
  const auto refusal = [](const MechanismBuilder& b) { return refusal_of([&] { TreeVariational stepper(b.build(), {}); }); };
  EXPECT_TRUE(has(refusal(MechanismBuilder(builder).add_fast({"pin"})), "coordinate \"pin\" is fast"));
  EXPECT_TRUE(has(refusal(MechanismBuilder(builder).add_motion(MotionSpec{"neck.wy", Drive::velocity, Signal()})),
                  "speed \"neck.wy\" follows a signal and speed \"neck.wx\" of the same joint does not"));
  EXPECT_EQ(refusal(MechanismBuilder(builder).add_motion(MotionSpec{"pin", Drive::velocity, Signal()}).lock({"neck"})), "");
}

// The tip is at most 1 m from the origin and the wire 1.5 m long: the cart cannot come further than 2.5 m.
TEST(Failure, AtTheEndOfAReachKeepsTheLastGoodState) {
  const Mechanism mechanism = leash(Signal::polynomial({1.2, 40}));
  const State start = assembled(mechanism);
  TreeVariational stepper = started(start, {.step = 0.001});
  StepReport report;
  State good(mechanism);
  for (;;) {
    stepper.get(good);
    report = stepper.step(10);
    if (!report.ok()) break;
    ASSERT_LE(mechanism.kinematic()[0].signal.value(report.t), 2.5 + 1e-9);
  }
  EXPECT_EQ(report.status, StepReport::Status::no_convergence);
  EXPECT_GT(stepper.time(), 0.0295);  // 1.2 + 40 t passes 2.5 at 0.0325 s
  EXPECT_LE(stepper.time(), 0.0325);
  EXPECT_EQ(report.t, stepper.time());
  const std::string said = stepper.explain(report);
  EXPECT_NE(said.find("constraint"), std::string::npos) << said;
  EXPECT_NE(said.find("pin'"), std::string::npos) << said;

  State after(mechanism);
  stepper.get(after);
  EXPECT_EQ(std::vector<double>(after.q().begin(), after.q().end()), std::vector<double>(good.q().begin(), good.q().end()));
  EXPECT_EQ(std::vector<double>(after.u().begin(), after.u().end()), std::vector<double>(good.u().begin(), good.u().end()));
  EXPECT_FALSE(stepper.step(10).ok()) << "it does not become possible by asking twice";

  // From the start again, it does what a new stepper does.
  stepper.set(start);
  TreeVariational fresh = started(start, {.step = 0.001});
  ASSERT_TRUE(run(stepper, 0.02));
  ASSERT_TRUE(run(fresh, 0.02));
  EXPECT_EQ(std::vector<double>(stepper.q().begin(), stepper.q().end()),
            std::vector<double>(fresh.q().begin(), fresh.q().end()));
}

// The tip is 1 m from the origin, always.
TEST(Failure, OfAnImpossibleConstraintNamesIt) {
  MechanismBuilder builder = rods(1);
  builder.add_frame({.name = "tip", .body = "link1", .X_BF = at(0, 0, -1)});
  builder.add_constraint({"rope", WireSpec{"ground", "tip", 1.5}});
  TreeVariational stepper(builder.build(), {.step = 0.01});
  const StepReport report = stepper.step(1);
  EXPECT_EQ(report.status, StepReport::Status::no_convergence);
  EXPECT_EQ(stepper.time(), 0);
  EXPECT_NE(stepper.explain(report).find("rope"), std::string::npos) << stepper.explain(report);
}

/// A force on a coordinate that is no number from some time on.
class BreaksAt final : public ForceElement {
 public:
  explicit BreaksAt(double t) : t_(t) {}
  void add_forces(const Configuration& at, AppliedForces& out) const override {
    if (at.t > t_) out.generalized[0] += std::nan("");
  }

 private:
  double t_;
};

TEST(Failure, OfAForceThatIsNoNumberIsReported) {
  MechanismBuilder builder = rods(3, true);
  builder.add_force_element([](const Mechanism&) { return std::make_shared<BreaksAt>(0.105); });
  const Mechanism mechanism = builder.build();
  const State start = tree::initial_state(mechanism);
  TreeVariational stepper = started(start, {.step = 0.01});
  StepReport report;
  while ((report = stepper.step(1)).ok()) {
  }
  EXPECT_EQ(report.status, StepReport::Status::not_finite);
  EXPECT_LE(stepper.time(), 0.105);
  EXPECT_GE(stepper.time(), 0.09);
  EXPECT_NE(stepper.explain(report).find("not finite"), std::string::npos) << stepper.explain(report);
  const State last = reached(stepper, mechanism);
  for (const double x : last.q()) EXPECT_TRUE(std::isfinite(x));
  stepper.set(start);
  EXPECT_TRUE(run(stepper, 0.09));
}

/// Throws from some time on.
class ThrowsAt final : public ForceElement {
 public:
  void add_forces(const Configuration& at, AppliedForces&) const override {
    if (at.t > 0.044) throw std::runtime_error("the user's own");
  }
};

TEST(Failure, ByAnExceptionOfAForceLeavesTheLastGoodState) {
  MechanismBuilder builder = rods(2);
  builder.add_force_element([](const Mechanism&) { return std::make_shared<ThrowsAt>(); });
  const Mechanism mechanism = builder.build();
  TreeVariational stepper = started(tree::initial_state(mechanism), {.step = 0.01});
  ASSERT_TRUE(run(stepper, 0.03));
  stepper.step(1);
  const std::vector<double> good(stepper.q().begin(), stepper.q().end());
  const double t = stepper.time();
  EXPECT_THROW(stepper.step(1), std::runtime_error);
  EXPECT_EQ(stepper.time(), t);
  EXPECT_EQ(std::vector<double>(stepper.q().begin(), stepper.q().end()), good);
}

TEST(Failure, OfALimitInThePastIsReported) {
  const Mechanism mechanism = rods(2).build();
  TreeVariational stepper = started(tree::initial_state(mechanism), {.step = 0.01});
  ASSERT_TRUE(run(stepper, 0.1));
  EXPECT_EQ(stepper.step(0.05).status, StepReport::Status::limit_passed);
  EXPECT_EQ(stepper.step(std::nan("")).status, StepReport::Status::limit_passed);
  EXPECT_DOUBLE_EQ(stepper.time(), 0.1);
}

TEST(Failure, OfOptionsNamesTheNumberAndWhatIsAllowed) {
  const Mechanism mechanism = rods(1).build();
  const auto why = [&](const TreeVariationalOptions& options) -> std::string {
    try {
      TreeVariational stepper(mechanism, options);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(why({.step = -1}).find("-1"), std::string::npos);
  EXPECT_NE(why({.alpha = 1.5}).find("1.5"), std::string::npos);
  EXPECT_NE(why({.order = 3}).find("2, 4 or 6"), std::string::npos);
  EXPECT_NE(why({.alpha = 0.3, .order = 4}).find("0.5"), std::string::npos);
  EXPECT_NE(why({.tolerance = 0}).find("tolerance"), std::string::npos);
}

}  // namespace
}  // namespace polhode::variational
