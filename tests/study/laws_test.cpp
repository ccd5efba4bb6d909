// Forces by law and states in all four methods: against built-in elements that say the same, against closed forms, and against
// each other.
#include <fmt/format.h>

#include "tests/study/validation.h"
#include "tests/support/allocation_counter.h"

namespace polhode::study {
namespace {

const std::vector<std::string> methods{"tree-variational", "tree-projected", "maximal-variational", "maximal-projected"};

State start_of_text(const std::string& text) {
  State start = tree::initial_state(format::read_model(text, "laws.pol").mechanism);
  tree::assemble(start);
  return start;
}
SimulateOptions by(const std::string& method, double time, double dt = 0.005) {
  SimulateOptions options{.method = method, .time = time, .dt = dt};
  if (method.ends_with("projected")) options.dt.reset(), options.options.set("accuracy", 1e-9);
  return options;
}
double apart(const State& a, const State& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.q().size(); ++i) largest = std::max(largest, std::abs(a.q()[i] - b.q()[i]));
  for (std::size_t i = 0; i < a.u().size(); ++i) largest = std::max(largest, std::abs(a.u()[i] - b.u()[i]));
  return largest;
}

/// Kinetic plus what the built-in potentials have.
double tree_energy(State state) {
  tree::realize(state, Stage::velocity);
  return state.energy();
}

std::string leg(const std::string& forces) {
  return R"((system (body "thigh" (mass 2) (inertia 0.06 0.06 0.01) (com 0 0 -0.3))
      (body "shank" (mass 1) (inertia 0.02 0.02 0.01) (com 0 0 -0.25) (pose 0 0 -0.6))
      (joint revolute "hip" ground "thigh" (at 0 0 0) (axis 0 1 0)) (joint revolute "knee" "thigh" "shank" (at 0 0 -0.6) (axis 0 1 0))
      (initial ("hip" 0.4 1) ("knee" 0.8 -0.5)) )" +
         forces + ")";
}
/// A body on a ball joint.
std::string top(const std::string& forces) {
  return R"((system (body "top" (mass 1) (inertia 0.02 0.03 0.01) (com 0 0 0.1)) (joint spherical "b" ground "top")
      (initial ("b.wx" (speed 0.5)) ("b.wz" (speed 3))) )" +
         forces + ")";
}

/// The same element said twice, once as a law: the motions agree to rounding for the same method, steps and all.
void expect_same(const std::string& built_in, const std::string& by_law, double time, double dt, double tolerance) {
  const State a = start_of_text(built_in), b = start_of_text(by_law);
  for (const std::string& method : methods) {
    SCOPED_TRACE(method);
    const Outcome one = run(a, by(method, time, dt)), other = run(b, by(method, time, dt));
    EXPECT_LT(apart(one.end, other.end), tolerance);
    // Newton's matrix has the law's slopes: it converges as fast.
    EXPECT_LE(double(other.summary.steps.newton_iterations), 1.3 * double(one.summary.steps.newton_iterations) + 10);
    EXPECT_EQ(other.summary.steps.halved, 0);
  }
}

// The built-in spring and the law differ by rounding, of 1e4 N m/rad times 1e-16 rad in each of some hundred steps; Newton's
// iteration stops at 1e-12 of either. Projected methods with error control take other steps where that is felt: 1e-9 each.
TEST(LawsInAllMethods, AStiffLawIsTheSpringThatItSays) {
  expect_same(leg(R"((torsion-spring "knee" 1e4 0.3) (damping "knee" 20))"),
              leg(R"((generalized-force "knee" (- (* -1e4 (- knee 0.3)) (* 20 knee'))))"), 0.5, 0.005, 1e-6);
}

// A spring on the sum of two angles couples them: two laws that read both, against the coupling of a built-in one by a third
// body. Here against the closed form of the potential: k (a + b)^2 / 2 is kept together with the kinetic energy.
TEST(LawsInAllMethods, LawsOfSeveralCoordinatesKeepTheEnergyThatTheyAreTheGradientOf) {
  const State start = start_of_text(leg(R"((generalized-force "hip" (* -300 (+ hip knee -0.7))) (generalized-force "knee"
      (* -300 (+ hip knee -0.7))))"));
  const auto total = [](const State& s) {
    const double x = coordinate(s, "hip") + coordinate(s, "knee") - 0.7;
    return tree_energy(s) + 150 * x * x;
  };
  for (const std::string& method : methods) {
    SCOPED_TRACE(method);
    const double before = total(run(start, by(method, 1e-9)).end);
    double largest = 0;
    SimulateOptions options = by(method, 2, 0.002);
    options.interval = 0.1;
    run(start, options, [&](const State& reported) { largest = std::max(largest, std::abs(total(reported) - before)); });
    // Variational: of order h^2, (0.002 s * 60 rad/s)^2/12 of 150 J/rad^2 * 0.5^2 is 0.05 J. Projected: 1e-9 times some
    // hundred.
    EXPECT_LT(largest, method.ends_with("variational") ? 0.1 : 1e-5);
    EXPECT_GT(std::abs(tree_energy(start) - before), 0.1);  // there is something to exchange
  }
}

// Components of a quaternion may be read: the torque -2 k q (x, y, z) of a spring towards the drawn pose, for both kinds of
// coordinates; with a stiffness that needs the derivative through N(q).
TEST(LawsInAllMethods, QuaternionsAreReadAndDerived) {
  const State start = start_of_text(top(R"((generalized-force "b.wx" (* -400 b.qx)) (generalized-force "b.wy" (* -400 b.qy))
      (generalized-force "b.wz" (- (* -400 b.qz) (* 0.1 b.wz))))"));
  const Outcome exact = run(start, by("tree-projected", 0.5));
  for (const std::string& method : methods) {
    SCOPED_TRACE(method);
    const Outcome r = run(start, by(method, 0.5, 0.0005));
    // Of order 2: (h w)^2/24 per radian, w = sqrt(200/0.02) = 100 rad/s: 1e-4 of amplitudes 0.05 rad and 5 rad/s over 50 rad.
    EXPECT_LT(apart(exact.end, r.end), method.ends_with("variational") ? 0.05 : 1e-5);
    EXPECT_EQ(r.summary.steps.halved, 0);
  }
}

// Constant laws and constant wrenches are the same thing, in every kind of axes.
TEST(LawsInAllMethods, WrenchesByLawAreTheWrenchesThatTheySay) {
  const char* const input = R"((input "one" 1) )";
  for (const auto& [constant, law] : std::vector<std::pair<std::string, std::string>>{
           {R"((force "top" 1 2 -3))", R"((force "top" one (* 2 one) -3))"},
           {R"((force "top" (world 1 2 -3)))", R"((force "top" (world one 2 (* -3 one))))"},
           {R"((torque "top" 0.1 0.2 -0.3))", R"((torque "top" (* 0.1 one) 0.2 -0.3))"},
           {R"((wrench "top" (force 1 0 0) (torque 0 0.2 0) (world)))",
            R"((wrench "top" (force one 0 0) (torque 0 0.2 0) (world)))"},
           {R"((frame-wrench "top" (force (sine 2 5) 0 1) (torque 0 0.1 0)))",
            R"((frame-wrench "top" (force (sine 2 5) 0 one) (torque 0 0.1 0)))"},
           {R"((frame-wrench "top" (force 1 0 1) (torque 0 0.1 0) (hybrid)))",
            R"((frame-wrench "top" (force one 0 1) (torque 0 0.1 0) (hybrid)))"},
           {R"((frame-wrench "top" (force 1 0 1) (torque 0 0.1 0) (spatial)))",
            R"((frame-wrench "top" (force one 0 1) (torque 0 0.1 0) (spatial)))"}}) {
    SCOPED_TRACE(law);
    State a = start_of_text(top(constant)), b = start_of_text(top(input + law));
    for (State* state : {&a, &b}) tree::realize(*state, Stage::acceleration);
    for (std::size_t u = 0; u < a.u_dot().size(); ++u) EXPECT_NEAR(a.u_dot()[u], b.u_dot()[u], 1e-12);
    for (const char* method : {"maximal-variational", "maximal-projected", "tree-variational"})
      EXPECT_LT(apart(run(a, by(method, 0.1, 0.01)).end, run(b, by(method, 0.1, 0.01)).end), 1e-9) << method;
  }
}

// A stiff force on a body in Ground's axes that depends on a joint's coordinate: a spring between the bob and a wall, by hand.
TEST(LawsInAllMethods, StiffWrenchesConverge) {
  const State start = start_of_text(R"((system (gravity 0 0 0) (body "bob" (mass 1)) (joint translation "p" ground "bob")
      (initial ("p.x" 0.1) ("p.y" 0 1)) (force "bob" (world (* -1e5 p.x) (* -10 p.y') 0))))");
  // x swings with sqrt(1e5) rad/s, 1.6 rad in a step; y' decays as exp(-10 t). Both linear, so a midpoint step maps them by
  // Cayley's transform: |x| stays, y' falls by (1 - 5 h)/(1 + 5 h).
  const double h = 0.005, ratio = std::pow((1 - 5 * h) / (1 + 5 * h), 40);
  for (const char* method : {"tree-variational", "maximal-variational"}) {
    SCOPED_TRACE(method);
    const Outcome r = run(start, by(method, 0.2, h));
    EXPECT_EQ(r.summary.steps.halved, 0);
    EXPECT_LE(r.summary.steps.newton_iterations, 3 * 40);  // linear: one step of Newton and what confirms it
    EXPECT_NEAR(speed(r.end, "p.y'"), ratio, 1e-9);
    EXPECT_LT(std::abs(coordinate(r.end, "p.x")), 0.1 * (1 + 1e-6));
  }
}

TEST(LawsInAllMethods, ALawThatLosesItsNumberStopsTheStepAndIsNamed) {
  for (const std::string& method : methods) {
    SCOPED_TRACE(method);
    const State start =
        start_of_text("(system (tx \"x\" (mass 1))\n(initial (\"x\" 1 -1))\n(generalized-force \"x\" (* 0.001 (log x))))");
    const SimulateSummary s = simulate(start, by(method, 3), [](const State&) {});
    EXPECT_FALSE(s.completed);
    EXPECT_TRUE(s.failure.find("the law of generalized-force on \"x\" (line 3 of the model)") != std::string::npos)
        << s.failure;
    EXPECT_GT(s.time_end, 0.5);
    EXPECT_LT(s.time_end, 1.1);
  }
}

// Motors whose limits are laws: full command against a torque that falls linearly with speed gives I w' = T (1 - w/w0), so
// w = w0 (1 - exp(-t T/(I w0))).
TEST(LawsInAllMethods, AMotorFollowsItsTorqueSpeedCurve) {
  const State start = start_of_text(R"((system (gravity 0 0 0) (rz "shaft" (mass 1 0.1 0.1 0.02))
      (motor "m" "shaft" (gear 100) (force -3 (* 3 (- 1 (/ shaft' 30)))) (input "throttle")) (input "throttle" 1)))");
  for (const std::string& method : methods) {
    const Outcome r = run(start, by(method, 0.3, 0.002));
    const double rate = 3 / (0.02 * 30);  // 5 per second; the variational methods' error is (rate h)^2/12 = 8e-6 of it
    EXPECT_NEAR(speed(r.end, "shaft'"), 30 * (1 - std::exp(-rate * 0.3)), method.ends_with("variational") ? 30 * 2e-5 : 1e-6)
        << method;
  }
}

TEST(LawsInAllMethods, StepsAllocateNothing) {
  const State start =
      start_of_text(leg(R"((input "push" 2) (generalized-force "knee" (clamp (- (* -50 (+ hip knee)) knee') -9 9))
      (force "shank" (world (* push (sin (* 3 time))) 0 (lookup hip (0 1) (1 2)))))"));
  for (const std::string& method : methods) {
    const auto stepper = make_stepper(start.mechanism(), by(method, 1));
    stepper->set(start);
    const auto steps = [&] {
      for (int k = 0; k < 5; ++k) ASSERT_TRUE(stepper->step(1).ok()) << method;
    };
    steps();  // the first may still size what it learns from
    EXPECT_EQ(testing_support::allocations_in(steps), 0) << method;
  }
}

// What one law does between two bodies changes no total momentum; on Ground it does.
TEST(LawsInAllMethods, KnowWhetherTheyActFromOutside) {
  const auto kept = [](const std::string& force) {
    return run(start_of_text(
                   R"((system (gravity 0 0 0) (body "a" (mass 1) (inertia 0.1 0.1 0.1)) (body "b" (mass 1) (inertia 0.1 0.1 0.1))
        (joint revolute "pin" "a" "b" (at 0 0 0.2) (axis 0 1 0)) (initial ("pin" 0 1)) )" +
                   force + ")"),
               by("tree-variational", 0.1))
        .summary;
  };
  const SimulateSummary inside = kept(R"((generalized-force "pin" (* -3 (sin pin))))");
  EXPECT_EQ(inside.kept_momenta, 6);
  EXPECT_LT(inside.momentum_error, 1e-12);
  EXPECT_EQ(kept(R"((force "a" (* 2 pin) 0 0))").kept_momenta, 0);
  EXPECT_FALSE(inside.conservative);
}

}  // namespace
}  // namespace polhode::study
