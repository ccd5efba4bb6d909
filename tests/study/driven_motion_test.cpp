// Speeds that follow signals and joints that are locked, by every method: against closed forms and each other.
#include <gtest/gtest.h>

#include <cmath>

#include "polhode/format/language/model.h"
#include "polhode/format/language/writer.h"
#include "polhode/study/method_registry.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"
#include "tests/support/allocation_counter.h"

namespace polhode::study {
namespace {

constexpr double g = 9.81;

Mechanism mechanism_of(const std::string& text) { return format::read_model(text, "test.pol").mechanism; }
State start_of(const std::string& text) {
  State state = tree::initial_state(mechanism_of(text));
  EXPECT_TRUE(tree::assemble(state, tree::given_by_model(state.mechanism())).assembled);
  return state;
}

SimulateOptions with_step(const std::string& method, double dt) {
  return method.ends_with("variational") ? SimulateOptions{.method = method, .dt = dt}
                                         : SimulateOptions{.method = method, .options = {{"accuracy", 1e-10}}};
}
/// The variational ones with steps that make errors of 1e-6 or so.
std::vector<SimulateOptions> every_method(double dt) {
  std::vector<SimulateOptions> all;
  for (const std::string& method : method_names()) all.push_back(with_step(method, dt));
  return all;
}

State end_of(const State& start, SimulateOptions options, double time) {
  options.time = time;
  State end = start;
  const SimulateSummary summary = simulate(start, options, [&](const State& s) { end = s; });
  EXPECT_TRUE(summary.completed) << options.method << ": " << summary.failure;
  EXPECT_EQ(end.time(), time) << options.method;
  return end;
}
double coordinate(const State& state, const char* name) { return state.q()[std::size_t(state.mechanism().coordinate(name))]; }
double speed(const State& state, const char* name) { return state.u()[std::size_t(state.mechanism().speed(name))]; }

/// A point mass on an arm of 0.7 m, hinged to a massless shaft that turns about the vertical.
std::string shaft_with_arm(const std::string& motion) {
  return R"((system (rz "shaft" (ry "arm" (tz -0.7 (mass 1.5)))) (initial ("arm" 0.8 0.3)) )" + motion + ")";
}

// theta'' = W^2 sin cos - g/l sin keeps theta'^2/2 - W^2 sin^2/2 - g/l cos, and the shaft takes 2 m l^2 W sin cos theta'.
TEST(DrivenSpeed, RotatingPendulumKeepsItsJacobiEnergyAndTheShaftTakesTheCoriolisTorque) {
  const State start = start_of(shaft_with_arm(R"((motion "shaft" velocity 4))"));
  const double l = 0.7, m = 1.5, W = 4;
  const auto jacobi = [&](double q, double u) {
    return u * u / 2 - W * W * std::sin(q) * std::sin(q) / 2 - g / l * std::cos(q);
  };
  for (SimulateOptions options : every_method(1e-3)) {
    SCOPED_TRACE(options.method);
    options.time = 1;
    const auto stepper = make_stepper(start.mechanism(), options);
    stepper->set(start);
    State now = start;
    double largest = 0, torque_error = 0, before = 0;
    while (stepper->time() < 1 - 1e-9) {
      const StepReport report = stepper->step(1);
      ASSERT_TRUE(report.ok()) << stepper->explain(report);
      stepper->get(now);
      const double q = coordinate(now, "arm"), u = speed(now, "arm'"), t = stepper->time();
      largest = std::max(largest, std::abs(jacobi(q, u) - jacobi(0.8, 0.3)));
      EXPECT_NEAR(coordinate(now, "shaft"), W * t, 1e-9);
      EXPECT_NEAR(speed(now, "shaft'"), W, 1e-9);
      const double torque = stepper->driving_forces()[std::size_t(now.mechanism().speed("shaft'"))];
      // Forces over a step are its mean, or at its end: a step away from here. tree-variational's are those from the middle of
      // a step to that of the next one, of which the first step has only half.
      const double error = std::abs(torque - 2 * m * l * l * W * std::sin(q) * std::cos(q) * u);
      if (before > 0) torque_error = std::max(torque_error, error / (t - before));
      before = t;
    }
    // Second order: (h w)^2 of the energies, w about 5/s, which are about 10.
    EXPECT_LT(largest, 5e-4);
    // The torque changes by less than 2 m l^2 W (u^2 + u') = 6 (9 + 15) in a second.
    EXPECT_LT(torque_error, 150);
  }
}

// The same shaft at three levels: what is left to the arm is the same motion.
TEST(DrivenSpeed, LevelsAreOneMotionInEveryMethod) {
  const char* same[][3] = {
      {R"((motion "shaft" position (polynomial 0 1 1.5)))", R"((motion "shaft" velocity (polynomial 1 3)))",
       R"((motion "shaft" acceleration 3) (initial ("shaft" 0 1)))"},
      {R"((motion "shaft" position (sine 0.5 3)))", R"((motion "shaft" velocity (sine 1.5 3 (deg 90))))",
       R"((motion "shaft" acceleration (sine -4.5 3)) (initial ("shaft" 0 1.5)))"},
  };
  for (const auto& levels : same) {
    for (const SimulateOptions& options : every_method(2e-3)) {
      SCOPED_TRACE(options.method + std::string(" ") + levels[0]);
      std::vector<State> ends;
      for (const char* level : levels) ends.push_back(end_of(start_of(shaft_with_arm(level)), options, 0.5));
      // tree-projected integrates speeds that follow signals, to its accuracy; the others have them to rounding.
      const double tolerance = options.method == "tree-projected" ? 1e-8 : 1e-9;
      for (int i = 1; i < 3; ++i) {
        for (const char* name : {"shaft", "arm"}) EXPECT_NEAR(coordinate(ends[i], name), coordinate(ends[0], name), tolerance);
        for (const char* name : {"shaft'", "arm'"}) EXPECT_NEAR(speed(ends[i], name), speed(ends[0], name), 10 * tolerance);
      }
    }
  }
}

TEST(DrivenSpeed, VariationalMethodsAreOfOrderTwo) {
  const State start = start_of(shaft_with_arm(R"((motion "shaft" velocity (sine 3 4 0.2 1)))"));
  const State exact = end_of(start, {.method = "tree-projected", .options = {{"accuracy", 1e-12}}}, 0.4);
  for (const char* method : {"tree-variational", "maximal-variational"}) {
    double error[2];
    for (int i = 0; i < 2; ++i)
      error[i] = std::abs(coordinate(end_of(start, with_step(method, 0.01 / (1 << i)), 0.4), "arm") - coordinate(exact, "arm"));
    EXPECT_NEAR(error[0] / error[1], 4, 0.2) << method << ": " << error[0];
  }
}

/// A top on a ball joint that hangs on a slider, and a hinged flap on the top.
std::string top(const std::string& more) {
  return R"((system (body "cart" (mass 2) (inertia 0.1 0.1 0.1)) (joint prismatic "track" ground "cart" (axis 1 0 0))
    (body "top" (mass 1) (inertia 0.02 0.03 0.04) (com 0.1 0.2 -0.3)) (joint ball "neck" "cart" "top")
    (body "flap" (mass 0.4) (inertia 0.01 0.02 0.015) (com 0 0 -0.2) (pose 0.2 0 0))
    (joint revolute "hinge" "top" "flap" (axis 0 1 0))
    (spring ground "cart" 40 0) (initial ("hinge" 0.4 1)) )" +
         more + ")";
}

const std::string spinning = R"((initial ("neck.wx" (speed 1)) ("neck.wy" (speed -0.5)) ("neck.wz" (speed 2))))";

TEST(Locks, OfABallJointAreWeldsInEveryMethod) {
  const State locked = start_of(top(R"((lock "neck"))"));
  std::string welded = top("");
  welded.replace(welded.find("ball \"neck\""), 11, "weld \"neck\"");
  const State rigid = start_of(welded);
  for (const SimulateOptions& options : every_method(1e-3)) {
    SCOPED_TRACE(options.method);
    const State a = end_of(locked, options, 0.5), b = end_of(rigid, options, 0.5);
    for (const char* name : {"track", "hinge"}) EXPECT_NEAR(coordinate(a, name), coordinate(b, name), 1e-7);
    EXPECT_NEAR(coordinate(a, "neck.qw"), 1, 1e-12);
    EXPECT_NEAR(speed(a, "neck.wx"), 0, 1e-12);
  }
}

// With its speeds held, the top turns steadily about an axis that is fixed in the cart.
TEST(Locks, OfSpeedsTurnABallJointSteadily) {
  for (const char* level : {"velocity", "acceleration"}) {
    const State start = start_of(top(spinning + "(lock \"neck\" " + std::string(level) + ")"));
    const State reference = end_of(start, {.method = "tree-projected", .options = {{"accuracy", 1e-11}}}, 0.6);
    const Vec3<double> w{1, -0.5, 2};
    const Quaternion<double> turned = exp_rotation(0.6 * w);
    for (const SimulateOptions& options : every_method(1e-3)) {
      SCOPED_TRACE(options.method);
      const State end = end_of(start, options, 0.6);
      const double sign = coordinate(end, "neck.qw") * turned.w > 0 ? 1 : -1;
      EXPECT_NEAR(sign * coordinate(end, "neck.qw"), turned.w, 1e-8);
      EXPECT_NEAR(sign * coordinate(end, "neck.qx"), turned.x, 1e-8);
      EXPECT_NEAR(speed(end, "neck.wz"), 2, 1e-8);
      EXPECT_NEAR(coordinate(end, "hinge"), coordinate(reference, "hinge"), 2e-5);  // (h w)^2 of a radian
      EXPECT_NEAR(coordinate(end, "track"), coordinate(reference, "track"), 2e-6);
    }
  }
}

// Speeds about all three axes follow signals: the axis of the motion turns, too.
TEST(DrivenSpeed, OfABallJointIsTheSameInEveryMethod) {
  const State start = start_of(top(R"((motion "neck.wx" velocity (sine 2 5)) (motion "neck.wy" velocity 1)
    (motion "neck.wz" acceleration (sine 3 2)))"));
  const State exact = end_of(start, {.method = "tree-projected", .options = {{"accuracy", 1e-12}}}, 0.5);
  const auto error_of = [&](const SimulateOptions& options) {
    const State end = end_of(start, options, 0.5);
    double error = 0;
    for (std::size_t i = 0; i < end.q().size(); ++i) error = std::max(error, std::abs(end.q()[i] - exact.q()[i]));
    return error;
  };
  EXPECT_LT(error_of(with_step("maximal-projected", 0)), 1e-8);
  for (const char* method : {"tree-variational", "maximal-variational"}) {
    const double coarse = error_of(with_step(method, 5e-3)), fine = error_of(with_step(method, 2.5e-3));
    EXPECT_LT(fine, 1e-3) << method;
    EXPECT_NEAR(coarse / fine, 4, 0.3) << method;
  }
}

TEST(DrivenSpeed, AloneOfABallJointIsNonholonomicAndRefusedByTreeVariationalOnly) {
  const State start = start_of(top(R"((motion "neck.wz" velocity 2) (initial ("neck.wx" (speed 1))))"));
  try {
    make_stepper(start.mechanism(), with_step("tree-variational", 1e-3));
    FAIL();
  } catch (const ModelError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("speed \"neck.wz\" follows a signal and speed \"neck.wx\" of the same joint does not"),
              std::string::npos)
        << what;
  }
  const State exact = end_of(start, {.method = "tree-projected", .options = {{"accuracy", 1e-12}}}, 0.3);
  for (const char* method : {"maximal-projected", "maximal-variational"}) {
    const State end = end_of(start, with_step(method, 5e-4), 0.3);
    for (std::size_t i = 0; i < end.q().size(); ++i) EXPECT_NEAR(end.q()[i], exact.q()[i], 1e-5) << method << i;
    EXPECT_NEAR(speed(end, "neck.wz"), 2, 1e-8) << method;
  }
}

// A clutch: the shaft coasts, is locked at 0.2 s, let go at 0.5 s, and turns on with what the arm gives it.
TEST(Locks, OfEventsAreTheSameInEveryMethod) {
  const State start = start_of(top(spinning + R"((event "hold" (at 0.1) (lock "neck")) (event "go" (at 0.25) (unlock "neck"))
    (event "stop" (at 0.3) (lock "hinge") (lock "track")))"));
  const State exact = end_of(start, {.method = "tree-projected", .options = {{"accuracy", 1e-11}}}, 0.4);
  for (const SimulateOptions& options : every_method(2e-4)) {
    SCOPED_TRACE(options.method);
    const State end = end_of(start, options, 0.4);
    for (std::size_t i = 0; i < end.q().size(); ++i) EXPECT_NEAR(end.q()[i], exact.q()[i], 2e-6) << i;
    for (std::size_t i = 0; i < end.u().size(); ++i) EXPECT_NEAR(end.u()[i], exact.u()[i], 2e-5) << i;
    EXPECT_NEAR(speed(end, "hinge'"), 0, 1e-12);
  }
}

// Energy that forces do not change stays where joints are held at rest; a lock that was not announced is taken, too.
TEST(Locks, OfAStateKeepEnergyWhereTheyHoldStill) {
  State start = start_of(top(spinning));
  const Mechanism& m = start.mechanism();
  start.lock(m.joint("neck"));
  start.lock(m.joint("track"));
  tree::realize(start, Stage::velocity);
  const double before = start.energy();
  for (const SimulateOptions& options : every_method(1e-3)) {
    State end = end_of(start, options, 1);
    tree::realize(end, Stage::velocity);
    EXPECT_NEAR(end.energy(), before, 1e-5) << options.method;
    EXPECT_NEAR(coordinate(end, "track"), coordinate(start, "track"), 1e-12) << options.method;
  }
}

TEST(Locks, SwitchedAtEveryStepAllocateNothing) {
  const State start = start_of(top(spinning + R"((event "hold" (at 100) (lock "neck") (lock "hinge") (lock "track")))"));
  const Mechanism& m = start.mechanism();
  for (const SimulateOptions& options : every_method(1e-3)) {
    const auto stepper = make_stepper(m, options);
    State state = start;
    stepper->set(state);
    const char* joints[] = {"neck", "hinge", "track"};
    constexpr Drive levels[] = {Drive::position, Drive::velocity, Drive::acceleration};
    for (int i = 0; i < 18; ++i) {
      const int joint = m.joint(joints[i % 3]);
      if (state.is_locked(joint))
        state.unlock(joint);
      else
        state.lock(joint, levels[(i / 2) % 3]);
      StepReport report;
      const long allocations = testing_support::allocations_in([&] {
        stepper->set(state);
        report = stepper->step(100);
        stepper->get(state);
      });
      ASSERT_TRUE(report.ok()) << options.method << stepper->explain(report);
      EXPECT_EQ(allocations, 0) << options.method << ", step " << i;
    }
  }
}

// A run that is cut short in the middle of a lock and a driven motion goes on to the last bit.
TEST(DrivenSpeed, IsRememberedToTheLastBit) {
  const State start = start_of(top(spinning + R"((motion "hinge" acceleration (sine 1 3)) (lock "neck" velocity))"));
  for (const SimulateOptions& options : every_method(1e-3)) {
    const auto stepper = make_stepper(start.mechanism(), options), again = make_stepper(start.mechanism(), options);
    stepper->set(start);
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(stepper->step(1).ok()) << options.method;
    Memory saved;
    ASSERT_TRUE(stepper->remember(saved));
    again->set(start);
    Memory given(saved.bytes());
    again->remember(given);
    State a = start, b = start;
    for (int i = 0; i < 5; ++i) {
      stepper->step(1);
      again->step(1);
    }
    stepper->get(a);
    again->get(b);
    EXPECT_EQ(a.time(), b.time());
    EXPECT_TRUE(std::equal(a.q().begin(), a.q().end(), b.q().begin())) << options.method;
    EXPECT_TRUE(std::equal(a.u().begin(), a.u().end(), b.u().begin())) << options.method;
  }
}

// A body that is turned steadily about an axis that is none of its principal ones takes the moment w x J w.
TEST(DrivenOrientation, SteadyTurnTakesTheGyroscopicMoment) {
  const State start = start_of(R"((system (gravity 0 0 0) (body "rotor" (mass 1) (inertia 0.2 0.3 0.4))
    (joint ball "hub" ground "rotor") (motion "hub" position (axis-angle 1 2 2 (polynomial 0 3)))))");
  const Vec3<double> w{1, 2, 2}, J{0.2, 0.3, 0.4};
  for (SimulateOptions options : every_method(1e-3)) {
    SCOPED_TRACE(options.method);
    const auto stepper = make_stepper(start.mechanism(), options);
    stepper->set(start);
    State now = start;
    double before = 0;
    while (stepper->time() < 0.5 - 1e-9) {
      const StepReport report = stepper->step(0.5);
      ASSERT_TRUE(report.ok()) << stepper->explain(report);
      stepper->get(now);
      tree::realize(now, Stage::position);
      const Mat3<double>& R = now.pose(1).R;
      const Vec3<double> in_body = transpose_times(R, w);
      const Vec3<double> moment = cross(w, R * Vec3<double>{J.x * in_body.x, J.y * in_body.y, J.z * in_body.z});
      const auto found = stepper->driving_forces();
      // A step or less away from here, at a rate of |w|^2 |J w| < 9 * 1.1 N m/s; the first of tree-variational is half.
      for (int k = 0; k < 3 && before > 0; ++k)
        EXPECT_NEAR(found[std::size_t(k)], moment[std::size_t(k)], 10 * (stepper->time() - before) + 1e-8);
      before = stepper->time();
    }
    EXPECT_LT(norm(rotation(exp_rotation(0.5 * w)).col[0] - now.pose(1).R.col[0]), 1e-9);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(now.u()[std::size_t(k)], w[std::size_t(k)], 1e-8);
  }
}

TEST(DrivenOrientation, MovesWhatHangsOnABallJointAlikeInEveryMethod) {
  for (const char* motion :
       {R"((motion "neck" position (rpy (sine 0.5 3) (sine 0.4 2 1) (polynomial 0 1 1))))",
        R"((motion "neck" position (orientations (0 (quat 1 0 0 0)) (0.2 (rpy 0.3 0.1 0)) (0.4 (rpy 0.5 -0.2 0.4))
                                 (0.6 (rpy 0.1 0.3 0.8)))))"}) {
    SCOPED_TRACE(motion);
    const State start = start_of(top(motion));
    const State exact = end_of(start, {.method = "tree-projected", .options = {{"accuracy", 1e-12}}}, 0.5);
    const auto error_of = [&](const SimulateOptions& options) {
      const State end = end_of(start, options, 0.5);
      double error = 0;
      for (std::size_t i = 0; i < end.q().size(); ++i) error = std::max(error, std::abs(end.q()[i] - exact.q()[i]));
      return error;
    };
    EXPECT_LT(error_of(with_step("maximal-projected", 0)), 1e-8);
    for (const char* method : {"tree-variational", "maximal-variational"}) {
      const double coarse = error_of(with_step(method, 5e-3)), fine = error_of(with_step(method, 2.5e-3));
      EXPECT_LT(fine, 1e-3) << method;
      EXPECT_NEAR(coarse / fine, 4, 0.4) << method;
    }
  }
}

// A platform that is moved as a whole, and the same one on a kinematic slider.
TEST(DrivenOrientation, PoseOfAFreeJointIsAKinematicHook) {
  const std::string arm = R"((body "arm" (mass 0.4) (inertia 0.01 0.02 0.015) (com 0 0 -0.2) (pose 0.2 0 0))
    (joint revolute "hinge" "base" "arm" (axis 0 1 0)) (initial ("hinge" 0.4 1)))";
  const State pose = start_of(R"((system (body "base" (mass 1)) (joint free "carrier" ground "base")
    (motion "carrier" position (pose (sine 0.3 4) 0 (polynomial 0 0 2)))" +
                              std::string(")") + arm + ")");
  const State slider =
      start_of(R"((system (body "rail" (mass 1)) (joint prismatic "x" ground "rail" (axis 1 0 0)) (body "base" (mass 1))
    (joint prismatic "z" "rail" "base" (axis 0 0 1)) (kinematic "x" (sine 0.3 4)) (kinematic "z" (polynomial 0 0 2)))" +
               arm + ")");
  for (const SimulateOptions& options : every_method(1e-3)) {
    SCOPED_TRACE(options.method);
    const State a = end_of(pose, options, 0.5), b = end_of(slider, options, 0.5);
    EXPECT_NEAR(coordinate(a, "hinge"), coordinate(b, "hinge"), 1e-8);
    EXPECT_NEAR(coordinate(a, "carrier.x"), 0.3 * std::sin(2.0), 1e-9);
  }
}

TEST(DrivenOrientation, LockComesBeforeItAndItGoesOnAfterwards) {
  const State start = start_of(top(R"((motion "neck" position (axis-angle 0 1 1 (sine 0.5 2)))
    (event "hold" (at 0.1) (lock "neck")) (event "go" (at 0.2) (unlock "neck")))"));
  for (const SimulateOptions& options : every_method(1e-3)) {
    SCOPED_TRACE(options.method);
    const State held = end_of(start, options, 0.15), after = end_of(start, options, 0.3);
    const auto w_at = [](double t) { return std::cos(0.5 * (0.5 * std::sin(2 * t))); };  // of the quaternion
    EXPECT_NEAR(coordinate(held, "neck.qw"), w_at(0.1), 1e-9);
    EXPECT_NEAR(coordinate(after, "neck.qw"), w_at(0.3), 1e-9);
  }
}

TEST(DrivenOrientation, IsPrintedBackAndMistakesAreNamed) {
  const std::string text = top(R"((motion "neck" position (orientations (0 (quat 1 0 0 0)) (1 (rpy 0.1 0.2 0.3)))))");
  const format::Model model = format::read_model(text, "test.pol");
  const std::string once = format::write_model(model.mechanism.description());
  EXPECT_NE(once.find("(motion \"neck\" position (orientations (0 (quat 1 0 0 0)) (1 (quat"), std::string::npos) << once;
  EXPECT_EQ(format::write_model(mechanism_of(once).description()), once);
  const auto complaint = [](const std::string& more) {
    try {
      mechanism_of(top(more));
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const std::pair<const char*, const char*> mistakes[] = {
      {R"((motion "nek" position (rpy 0 0 0)))", "joint \"nek\" is not defined; did you mean \"neck\"?"},
      {R"((motion "track" position (rpy 0 0 0)))", "does not turn freely about three axes"},
      {R"((motion "neck" position (pose 0 0 0)))", "has no place of its own that a pose could move"},
      {R"((motion "neck" velocity (rpy 0 0 0)))", "orientations and poses are given at level position"},
      {R"((motion "neck" position (axis-angle 0 0 0 1)))", "has no direction"},
      {R"((motion "neck" position (orientations)))", "at least one"},
      {R"((motion "neck" position (orientations (0 1))))", "after its time a sample has an orientation"},
      {R"((motion "neck" position (rpy 0 0 0)) (motion "neck.wx" velocity 1))", "is driven already"},
      {R"((motion "neck" position (rpy 0 0 0)) (motion "neck" position (rpy 0 0 0)))", "is driven already"},
      {R"((motion "neck" position (rpy 0 0 0)) (initial ("neck" (rpy 0.5 0 0))))", "orientation follows a signal"},
      {R"((motion "neck" position (rpy (samples (0 0) (1 1) (hold)) 0 0)))", "cannot jump"},
      {R"((motion "neck" position (axis-angle 0 0 1 (samples (0 0) (1 1) (hold)))))", "cannot jump"},
  };
  for (const auto& [wrong, message] : mistakes) {
    const std::string said = complaint(wrong);
    EXPECT_NE(said.find(message), std::string::npos) << wrong << "\n" << said;
  }
}

/// The shaft with an arm whose speed follows a law.
MechanismBuilder shaft_with_law(Drive level, MotionLaw law) {
  MechanismBuilder builder = mechanism_of(shaft_with_arm("")).description();
  builder.add_motion(MotionSpec{.coordinate = "shaft", .level = level, .law = std::move(law)});
  return builder;
}

// With W = k theta, theta'' = W^2 sin cos - g/l sin keeps theta'^2/2 - k^2 (theta sin 2 theta/4 - theta^2 cos 2 theta/4 +
// cos 2 theta/8) - g/l cos, and the shaft takes m l^2 (2 sin cos W theta' + sin^2 k theta').
TEST(MotionLaw, OfACoordinateTurnsTheShaftAndTakesItsTorque) {
  const double k = 5, l = 0.7, m = 1.5;
  const Mechanism mechanism =
      shaft_with_law(Drive::velocity, MotionLaw::velocity({"arm"}, [k](auto, const auto* x) { return k * x[0]; })).build();
  const auto kept = [&](double q, double u) {
    return u * u / 2 - k * k * (q * std::sin(2 * q) / 4 - q * q * std::cos(2 * q) / 4 + std::cos(2 * q) / 8) -
           g / l * std::cos(q);
  };
  const State start = tree::initial_state(mechanism);
  EXPECT_DOUBLE_EQ(speed(start, "shaft'"), k * 0.8);
  for (const double t : {0.3, 0.7, 1.0}) {
    State end = end_of(start, {.method = "tree-projected", .options = {{"accuracy", 1e-11}}}, t);
    const double q = coordinate(end, "arm"), u = speed(end, "arm'");
    EXPECT_NEAR(kept(q, u), kept(0.8, 0.3), 1e-8);
    EXPECT_NEAR(speed(end, "shaft'"), k * q, 1e-12);
    tree::realize(end, Stage::acceleration);
    const double torque = m * l * l * (2 * std::sin(q) * std::cos(q) * k * q * u + std::sin(q) * std::sin(q) * k * u);
    EXPECT_NEAR(end.motion_forces()[std::size_t(mechanism.speed("shaft'"))], torque, 1e-9);
  }
}

// du/dt = -w^2 x of the shaft's own angle, from 0 at 1 rad/s: sin(w t)/w, whatever hangs on the shaft.
TEST(MotionLaw, OfAccelerationMayReadItsOwnCoordinate) {
  const double w = 3;
  MechanismBuilder builder =
      shaft_with_law(Drive::acceleration,
                     MotionLaw::acceleration({"shaft"}, [w](double, const double* x, const double*) { return -w * w * x[0]; }));
  builder.set_initial({"shaft", 0.0, 1.0, {}});
  const State end =
      end_of(tree::initial_state(builder.build()), {.method = "tree-projected", .options = {{"accuracy", 1e-11}}}, 1.2);
  EXPECT_NEAR(coordinate(end, "shaft"), std::sin(w * 1.2) / w, 1e-9);
  EXPECT_NEAR(speed(end, "shaft'"), std::cos(w * 1.2), 1e-9);
}

TEST(MotionLaw, IsRefusedByNameWhereAMethodCannotFollowIt) {
  const MotionLaw law = MotionLaw::velocity({"arm"}, [](auto t, const auto* x) { return t * x[0]; });
  const Mechanism mechanism = shaft_with_law(Drive::velocity, law).build();
  for (const char* method : {"tree-variational", "maximal-variational", "maximal-projected"}) {
    try {
      make_stepper(mechanism, with_step(method, 1e-3));
      FAIL() << method;
    } catch (const ModelError& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find("speed \"shaft'\" follows a law of coordinates"), std::string::npos) << what;
      EXPECT_NE(what.find("tree-projected"), std::string::npos) << what;
    }
  }
  const auto complaint = [](const MechanismBuilder& builder) {
    try {
      builder.build();
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const auto none = MotionLaw::velocity({"elbow"}, [](auto t, const auto*) { return t; });
  EXPECT_NE(complaint(shaft_with_law(Drive::velocity, none)).find("\"elbow\" is not defined"), std::string::npos);
  EXPECT_NE(complaint(shaft_with_law(Drive::position, law)).find("a law gives a velocity or an acceleration"),
            std::string::npos);
  EXPECT_NE(complaint(shaft_with_law(Drive::velocity, law).set_initial({"shaft", {}, 1.0, {}})).find("its speed follows a law"),
            std::string::npos);
  EXPECT_NE(complaint(shaft_with_law(Drive::velocity, MotionLaw({"arm"}, {}))).find("the law is empty"), std::string::npos);
  EXPECT_THROW(format::write_model(shaft_with_law(Drive::velocity, law)), ModelError);
}

}  // namespace
}  // namespace polhode::study
