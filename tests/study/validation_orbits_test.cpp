// Closed forms of one particle: Kepler's ellipse, and the cycloid on which every swing takes the same time.
#include "polhode/mechanism/builder.h"
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

// t = E - e sin E, x = cos E - e, y = sqrt(1 - e^2) sin E with half axis and G M of one.
Vec3<double> on_the_ellipse(double t, double e) {
  double E = t;
  for (int i = 0; i < 50; ++i) E -= (E - e * std::sin(E) - t) / (1 - e * std::cos(E));
  return {std::cos(E) - e, std::sqrt(1 - e * e) * std::sin(E), 0};
}

// Two turns; phase errors grow with the square of the time, by about a thousand in all.
TEST(ValidationKepler, PlanetIsWhereKeplersEquationPutsIt) {
  SimulateOptions options = projected(4 * pi, 1e-12);
  options.interval = pi / 7;
  run(start_of(load("kepler")), options, [](const State& s) {
    EXPECT_LT(norm(place(s, "planet") - on_the_ellipse(s.time(), 0.6)), 1e-8) << s.time();
    EXPECT_NEAR(s.energy(), -0.5, 1e-9);  // -m/(2 a)
  });
}

TEST(ValidationKepler, VariationalStepsConvergeToTheEllipseAtSecondOrder) {
  const auto error = [](double dt) {
    const Outcome r = run(start_of(load("kepler")), variational(2 * pi, dt));
    return norm(place(r.end, "planet") - Vec3<double>{0.4, 0, 0});
  };
  const double coarse = error(pi / 500), fine = error(pi / 1000);
  EXPECT_NEAR(coarse / fine, 4, 0.3);
}

constexpr double wheel = 0.25;  ///< radius of the wheel whose rim draws the cycloid [m]

/// x = a (s + sin s), z = a (1 - cos s): the joint's coordinate is the wheel's angle.
class CycloidX final : public FunctionOfOne {
 public:
  double derivative_of_order(int order, double s) const override {
    return wheel * ((order == 0 ? s : order == 1 ? 1 : 0) + std::sin(s + order * pi / 2));
  }
};
Mechanism bead_on_a_cycloid(double start) {
  MechanismBuilder builder;
  builder.add_body({.name = "bead", .mass = {.mass = 1}});
  std::array<FunctionBased::Component, 6> rail{};
  rail[3] = {std::make_shared<CycloidX>(), {0}};
  rail[5] = {std::make_shared<Sinusoid>(-wheel, 1, pi / 2), {0}};
  builder.add_joint({.name = "rail", .model = FunctionBased(1, rail), .child = "bead"});
  builder.set_initial({.coordinate = "rail", .value = start});
  return builder.build();
}

/// The same curve as a user's constraint on a free particle: z = a (1 - cos s) where x = a (s + sin s), dz/dx = tan(s/2).
class OnCycloid final : public CustomConstraint {
 public:
  explicit OnCycloid(int body) : body_(body) {}
  int num_rows() const override { return 1; }
  std::vector<int> bodies() const override { return {body_}; }
  void errors(const ConstraintConfiguration& at, std::span<double> h) const override {
    h[0] = at.X_WB[0].p.z - wheel * (1 - std::cos(parameter(at.X_WB[0].p.x)));
  }
  void gradient(const ConstraintConfiguration& at, int, ConstraintGradient& out) const override {
    const Vec3<double>& p = at.X_WB[0].p;
    out.add_force_at(0, p, {-std::tan(parameter(p.x) / 2), 0, 1});
  }
  static double parameter(double x) {
    double s = x / (2 * wheel);
    for (int i = 0; i < 60; ++i) s -= (s + std::sin(s) - x / wheel) / (1 + std::cos(s));
    return s;
  }

 private:
  int body_;
};
Mechanism particle_on_a_cycloid(double start) {
  MechanismBuilder builder;
  builder.add_body({.name = "bead",
                    .mass = {.mass = 1},
                    .drawn_pose = at(wheel * (start + std::sin(start)), 0, wheel * (1 - std::cos(start)))});
  builder.add_constraint({"rail", [](const Mechanism& m) { return std::make_shared<OnCycloid>(m.body("bead")); }});
  builder.add_constraint({"plane", PointConstraintSpec{ground_name, "bead", {0, 1, 0}}});
  return builder.build();
}

// The arc from the bottom is 4 a sin(s/2) and swings as cos(w t) with w^2 = g/(4 a), from whatever height: Huygens' pendulum.
TEST(ValidationCycloid, EverySwingTakesTheSameTime) {
  const double w = std::sqrt(standard_gravity / (4 * wheel)), period = 2 * pi / w;
  for (const double start : {0.05, 1.0, 2.0, 2.6}) {
    for (const bool constrained : {false, true}) {
      SCOPED_TRACE(testing::Message() << "from " << start << (constrained ? " by a constraint" : " by a joint"));
      const Mechanism m = constrained ? particle_on_a_cycloid(start) : bead_on_a_cycloid(start);
      SimulateOptions options = projected(1.25 * period, 1e-11);
      options.interval = period / 8;
      run(start_of(m), options, [&](const State& s) {
        // Near the cusp, at s = pi, the curve is steep: x is an ill-conditioned measure of s there, by cos(s/2)^-2 < 14.
        const double arc = 2 * std::sin(OnCycloid::parameter(place(s, "bead").x) / 2);
        EXPECT_NEAR(arc, 2 * std::sin(start / 2) * std::cos(w * s.time()), 1e-8) << s.time();
      });
    }
  }
}

}  // namespace
}  // namespace polhode::study
