// The models of servo, motor, engine and muscle against closed forms, or against the same physics written out by itself.
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

const std::vector<std::string> methods{"tree-variational", "tree-projected", "maximal-variational", "maximal-projected"};

/// Steps such that variational methods' errors of second order are below `tolerance` of the tests.
SimulateOptions by(const std::string& method, double time, double dt) {
  SimulateOptions options{.method = method, .time = time, .dt = dt};
  if (method.ends_with("projected")) {
    options.dt.reset();
    options.options.set("accuracy", 1e-8);
  }
  return options;
}

// The weight is taken off, so m l^2 q'' + c q' + k (q - target) = 0: with w0^2 = 40/0.32 and damping ratio d = 4/(2 sqrt(40
// 0.32)), q = T (1 - exp(-d w0 t) (cos w t + d w0/w sin w t)), w = w0 sqrt(1 - d^2).
TEST(ValidationServo, ArmSettlesAsADampedOscillator) {
  const double w0 = std::sqrt(40 / 0.32), d = 4 / (2 * std::sqrt(40 * 0.32)), w = w0 * std::sqrt(1 - d * d);
  for (const std::string& method : methods) {
    SCOPED_TRACE(method);
    for (const double t : {0.15, 0.5}) {
      const Outcome r = run(start_of(load("pd_servo")), by(method, t, 0.002));
      const double exact = 0.8 * (1 - std::exp(-d * w0 * t) * (std::cos(w * t) + d * w0 / w * std::sin(w * t)));
      // Of second order: (w0 h)^2/12 = 4e-5 of the way per radian, over 6 rad.
      EXPECT_NEAR(coordinate(r.end, "arm"), exact, method.ends_with("variational") ? 2e-4 : 1e-7);
    }
  }
}

// The servo asks for 1000 N m where 60 are to be had: it turns with 60/0.32 rad/s^2 until it asks for less.
TEST(ValidationServo, SaturatedTorqueIsWhatTheMotorHas) {
  const auto model = format::load_model(testing_support::model_path("pd_servo"), {{"stiffness", 1000}, {"damping", 1}});
  const Outcome r = run(start_of(model.mechanism), by("tree-projected", 0.03, 0.001));
  EXPECT_NEAR(coordinate(r.end, "arm"), 0.5 * 60 / 0.32 * 0.03 * 0.03, 2e-3);  // less the weight, 7.85 sin q of 60
}

// J = 2e-4 + 0.5/50^2 = 4e-4 at the rotor. First 0.2 N m, whatever the speed; from 300 rad/s on what the curve leaves:
// w' = 0.6 (1 - w/450)/J, so w = 450 - 150 exp(-(t - t1) 0.6/(450 J)).
TEST(ValidationMotor, SpeedsUpByItsCurrentAndThenByItsCurve) {
  const double J = 4e-4, t1 = 300 * J / 0.2;
  for (const std::string& method : methods) {
    SCOPED_TRACE(method);
    const State start = start_of(load("geared_motor"));
    const double early = speed(run(start, by(method, 0.3, 0.002)).end, "rotor'");
    EXPECT_NEAR(early, 0.2 / J * 0.3, 1e-6);  // constant torque: exact in every method
    const Outcome r = run(start, by(method, 1.2, 0.002));
    EXPECT_NEAR(speed(r.end, "rotor'"), 450 - 150 * std::exp(-(1.2 - t1) * 0.6 / (450 * J)),
                method.ends_with("variational") ? 0.02 : 1e-4);  // the kink costs (0.002 s)^2/2 times 0.33/J rad/s^3 times 450
    EXPECT_NEAR(speed(r.end, "rotor'"), 50 * speed(r.end, "load'"), 1e-6);
  }
}

// Error control takes steps of many turns where torque is constant. With t2 = t - t1 and T = 450 J/0.6 the angle is
// 250 t1^2 + 450 t2 - 150 T (1 - exp(-t2/T)); a turn that is lost is 6 rad, and turns the load by 0.13 rad.
TEST(ValidationMotor, LongStepsLoseNoTurns) {
  const double T = 450 * 4e-4 / 0.6, angle = 250 * 0.36 + 450 * 0.4 - 150 * T * (1 - std::exp(-0.4 / T));
  for (const char* method : {"tree-projected", "maximal-projected"}) {
    const Outcome r = run(start_of(load("geared_motor")), {.method = method, .time = 1});
    EXPECT_NEAR(coordinate(r.end, "rotor"), angle, 0.01) << method;
    EXPECT_LT(r.summary.steps.steps, 40) << method;  // 6 rad a step
  }
}

/// The table of the gas, joined as Fritsch & Butland do (SIAM J. Sci. Stat. Comput. 5, 1984), written out by itself.
double gas_force(double angle) {
  static const std::vector<double> x{-180, -60, -20, 0, 20, 60, 120, 180}, y{0, 100, 600, 1800, 3000, 900, 200, 0};
  const double s = std::atan2(std::sin(angle), std::cos(angle)) * 180 / pi;
  const std::size_t n = x.size();
  const auto secant = [&](std::size_t i) { return (y[i + 1] - y[i]) / (x[i + 1] - x[i]); };
  const auto slope = [&](std::size_t i) {
    if (i == 0 || i == n - 1) {  // the parabola through three points, unless it turns back
      const std::size_t near = i == 0 ? 0 : n - 2, next = i == 0 ? 1 : n - 3;
      const double h0 = x[near + 1] - x[near], h1 = x[next + 1] - x[next];
      const double m = ((2 * h0 + h1) * secant(near) - h0 * secant(next)) / (h0 + h1);
      return m * secant(near) > 0 ? m : 0.0;
    }
    const double a = secant(i - 1), b = secant(i), h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
    if (a * b <= 0) return 0.0;
    return 3 * (h0 + h1) / ((h0 + 2 * h1) / a + (2 * h0 + h1) / b);
  };
  std::size_t i = 0;
  while (i + 2 < n && s > x[i + 1]) ++i;
  const double h = x[i + 1] - x[i], p = (s - x[i]) / h;  // Hermite's cubic
  return y[i] * (1 + 2 * p) * (1 - p) * (1 - p) + y[i + 1] * p * p * (3 - 2 * p) +
         h * (slope(i) * p * (1 - p) * (1 - p) - slope(i + 1) * p * p * (1 - p));
}

// The crank's energy grows by the work of the gas, the integral of the force over the way of the piston,
// x(a) = r cos a + sqrt(l^2 - r^2 sin^2 a), found here by a sum of its own. Without the brake, energy is a function of the
// angle.
TEST(ValidationEngine, GainsTheWorkOfTheGas) {
  const auto model = format::load_model(testing_support::model_path("gas_engine"), {{"brake", 0}});
  const State start = start_of(model.mechanism);
  State before = start;
  tree::realize(before, Stage::velocity);
  const auto height = [](double a) { return 0.05 * std::cos(a) + std::sqrt(0.15 * 0.15 - 0.0025 * std::sin(a) * std::sin(a)); };
  const auto work = [&](double from, double to) {
    double sum = 0;
    const int parts = 40000;  // midpoints: errors of 1e-4
    for (int i = 0; i < parts; ++i) {
      const double a = from + (to - from) * i / parts, b = from + (to - from) * (i + 1) / parts;
      sum -= gas_force(0.5 * (a + b)) * (height(b) - height(a));
    }
    return sum;
  };
  for (const std::string& method : methods) {
    SCOPED_TRACE(method);
    const auto error = [&](double step) {
      SimulateOptions options = by(method, 0.25, step);
      if (method.ends_with("projected")) options.options.set("accuracy", 1e-10);
      const Outcome r = run(start, options);
      EXPECT_GT(coordinate(r.end, "turn"), 4 * pi);
      return work(0.1, coordinate(r.end, "turn")) - (r.end.energy() - before.energy());
    };
    const double coarse = error(0.0005);
    EXPECT_GT(work(0.1, 4 * pi), 50);
    if (method.ends_with("variational")) {
      EXPECT_NEAR(coarse / error(0.00025), 4, 0.5);  // of second order
    } else {
      EXPECT_LT(std::abs(coarse), 1e-3);  // 1e-10 of some 1e4 N m in 100 parts of the motion, and the sum's own 1e-4
    }
  }
}

// Hill's muscle and its forearm as three equations of their own, by Runge and Kutta's method with small steps.
TEST(ValidationMuscle, MovesAsItsEquationsSay) {
  struct Y {
    double q, u, a;
  };
  const auto rate = [](const Y& y) {
    const double v = 0.03 * y.u / 1.2, stretch = (0.13 - 0.03 * y.q - 0.12) / (0.5 * 0.12);
    const double by_speed = v > 0 ? (1 - v) / (1 + 4 * v) : 1.8 - 0.8 * (1 + v) / (1 - 5.25 * v);
    const double torque = 800 * 0.03 * y.a * std::exp(-stretch * stretch) * by_speed;
    return Y{y.u, (torque - 0.05 * y.u - 1.5 * 9.81 * 0.3 * std::sin(y.q)) / (0.01 + 1.5 * 0.09), (0.3 - y.a) / 0.05};
  };
  Y y{0, 0, 0.05};
  const int steps = 5000;
  const double h = 0.5 / steps;
  for (int i = 0; i < steps; ++i) {
    const auto ahead = [&](const Y& k, double by) { return Y{y.q + by * k.q, y.u + by * k.u, y.a + by * k.a}; };
    const Y k1 = rate(y), k2 = rate(ahead(k1, h / 2)), k3 = rate(ahead(k2, h / 2)), k4 = rate(ahead(k3, h));
    y = {y.q + h / 6 * (k1.q + 2 * k2.q + 2 * k3.q + k4.q), y.u + h / 6 * (k1.u + 2 * k2.u + 2 * k3.u + k4.u),
         y.a + h / 6 * (k1.a + 2 * k2.a + 2 * k3.a + k4.a)};
  }
  const Outcome r = run(start_of(load("muscle")), by("tree-projected", 0.5, 0.001));
  EXPECT_NEAR(coordinate(r.end, "elbow"), y.q, 1e-6);
  EXPECT_NEAR(speed(r.end, "elbow'"), y.u, 1e-5);
  EXPECT_NEAR(r.end.z()[0], 0.3 - 0.25 * std::exp(-0.5 / 0.05), 1e-7);
}

}  // namespace
}  // namespace polhode::study
