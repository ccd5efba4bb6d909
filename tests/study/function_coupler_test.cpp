// A cam and its follower: coordinates tied by a function, against closed forms and against the rows' definition.
#include <gtest/gtest.h>

#include "polhode/mechanism/builder.h"
#include "polhode/study/method_registry.h"
#include "polhode/tree/constraints.h"
#include "tests/mechanism/model_error_text.h"
#include "tests/oracle/constraint_rows.h"
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

constexpr double lift = 0.03, wheel = 0.02, mass = 0.4, stiffness = 600;  // [m], [kg m^2], [kg], [N/m]

/// A cycloidal rise: y = lift (x / 2 pi - sin(x) / 2 pi), over and over.
Curve cycloid() { return Curve::sum({Curve::polynomial({0, lift / (2 * pi)}), Curve::sine(-lift / (2 * pi), 1)}); }

/// A cam that turns and a follower that slides without weight against a spring.
MechanismBuilder cam_and_follower(const Curve& function) {
  MechanismBuilder builder;
  builder.gravity = {};
  builder.add_body({.name = "cam", .mass = {1, {}, SymMat3<double>::diagonal({wheel, wheel, wheel})}});
  builder.add_body({.name = "follower", .mass = MassProperties::particle(mass)});
  builder.add_joint({.name = "shaft", .model = Revolute{}, .child = "cam"});
  builder.add_joint({.name = "guide", .model = Prismatic{}, .child = "follower"});
  builder.add_force({CoordinateSpringSpec{"guide", stiffness, -0.01}});
  builder.add_constraint({"cam and follower", FunctionCouplerSpec{"guide", "shaft", function}});
  return builder;
}

/// What the follower asks of the shaft at x with speed w and acceleration a:
/// torque = wheel a + f'(x) (m (f' a + f'' w^2) + k (f + 0.01)).
double torque_on_the_shaft(double x, double w, double a) {
  const double f = lift * (x - std::sin(x)) / (2 * pi), f1 = lift * (1 - std::cos(x)) / (2 * pi),
               f2 = lift * std::sin(x) / (2 * pi);
  return wheel * a + f1 * (mass * (f1 * a + f2 * w * w) + stiffness * (f + 0.01));
}

// With the shaft driven at constant speed, the motor's torque is the closed form's, all around.
TEST(FunctionCoupler, TakesTheTorqueOfACycloidalCam) {
  MechanismBuilder builder = cam_and_follower(cycloid());
  const double w = 12;
  builder.add_kinematic({.coordinate = "shaft", .signal = Signal::polynomial({0, w})});
  State state = start_of(builder.build());
  const int shaft = state.mechanism().speed("shaft'");
  for (const double t : {0.0, 0.1, 0.2, 0.33, 0.5, 0.8}) {
    const double x = w * t;
    state.set_time(t);
    state.set_q(state.mechanism().coordinate("shaft"), x);
    state.set_q(state.mechanism().coordinate("guide"), lift * (x - std::sin(x)) / (2 * pi));
    state.set_u(shaft, w);
    state.set_u(state.mechanism().speed("guide'"), lift * (1 - std::cos(x)) / (2 * pi) * w);
    tree::realize(state, Stage::acceleration);
    // Terms of a few N m, solved exactly.
    EXPECT_NEAR(state.motion_forces()[std::size_t(shaft)], torque_on_the_shaft(x, w, 0), 1e-11) << t;
  }
}

// Let go, the cam's motion has one degree of freedom: energy gives its speed where it is.
TEST(FunctionCoupler, LetsACamTurnAsItsEnergySaysByEveryMethod) {
  MechanismBuilder builder = cam_and_follower(cycloid());
  const double start_speed = 9;
  builder.set_initial({"shaft", 0.5, start_speed});
  builder.set_initial({"guide", cycloid().at(0.5).value, cycloid().at(0.5).slope * start_speed});
  const State start = start_of(builder.build());
  const auto f = [](double x) { return lift * (x - std::sin(x)) / (2 * pi); };
  const auto inertia = [](double x) { return wheel + mass * square(lift * (1 - std::cos(x)) / (2 * pi)); };
  const auto energy = [&](double x, double w) { return 0.5 * inertia(x) * w * w + 0.5 * stiffness * square(f(x) + 0.01); };
  for (const std::string& method : method_names()) {
    SCOPED_TRACE(method);
    const Outcome outcome = run(start, {.method = method, .time = 0.6, .dt = 5e-4});
    const double x = coordinate(outcome.end, "shaft");
    const double began = coordinate(start, "shaft"), w0 = speed(start, "shaft'");
    const double w = std::sqrt((2 * energy(began, w0) - stiffness * square(f(x) + 0.01)) / inertia(x));
    EXPECT_GT(x, began + 2);
    EXPECT_NEAR(coordinate(outcome.end, "guide"), f(x), 1e-7);
    EXPECT_NEAR(speed(outcome.end, "shaft'"), w, 2e-4);  // second order in 5e-4 s times some 10 rad/s: (w h)^2 of the speed
  }
}

/// How rows on coordinates move along u, from the oracle and from tree::Constraints.
TEST(FunctionCoupler, HasRowsWithExactFirstAndSecondDerivatives) {
  for (const Curve& function : {cycloid(), Curve::polynomial({0.1, -0.2, 0.3, 0.05}),
                                Curve::table({0, 1, 2.5, 4, 2 * pi}, {0, 0.1, 0.3, 0.2, 0}, Curve::Ends::closed),
                                Curve::of([](auto x) { return sin_cos(x).s * x; })}) {
    const Mechanism m = cam_and_follower(function).build();
    const std::vector<double> q{1.3, 0.02}, u{2.2, -0.4};
    tree::Workspace w(m);
    const tree::Constraints constraints(m);
    ASSERT_EQ(constraints.num_rows(), 1);
    std::vector<double> h(1), values(2), e(1), b(1), Gu(1), tau(2);
    tree::kinematics(w, q, u);
    constraints.errors_and_jacobian(w, 0, q, h, values);
    constraints.velocity_errors(w, 0, q, u, e);
    constraints.acceleration_bias(w, 0, q, u, b);
    constraints.apply(w, 0, q, u, Gu);
    const std::vector<double> lambda{1.7};
    constraints.apply_transpose(w, 0, q, lambda, tau);
    const auto row_of = [&](const auto& moving) {
      return oracle::ConstraintRows(moving)(std::get<FunctionCoupler>(m.constraints()[0].model))[0];
    };
    const auto once = row_of(oracle::moving(m, 0, q, u));
    EXPECT_NEAR(h[0], once.error, 1e-14);
    EXPECT_NEAR(e[0], once.rate, 1e-14);
    EXPECT_NEAR(Gu[0], once.rate, 1e-14);
    EXPECT_NEAR(values[0] * u[0] + values[1] * u[1], once.rate, 1e-14);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(tau[i], 1.7 * values[i], 1e-15);
    EXPECT_NEAR(b[0], -row_of(oracle::moving_twice(m, 0, q, u)).rate.slope, 1e-13);
  }
}

TEST(FunctionCoupler, IsRefusedWhereItCouplesNothing) {
  MechanismBuilder self = cam_and_follower(cycloid());
  self.add_constraint({"", FunctionCouplerSpec{"shaft", "shaft", cycloid()}});
  EXPECT_TRUE(reports_only(self, "coordinate \"shaft\" cannot be coupled to itself"));
  EXPECT_TRUE(reports_only(cam_and_follower(Curve::polynomial({1, NAN})), "coefficient nan is not a finite number"));
  EXPECT_TRUE(reports_only(cam_and_follower(Curve::table({0, 0}, {1, 2})), "places must increase"));
}

}  // namespace
}  // namespace polhode::study
