#include "joint_cases.h"

#include <cmath>

namespace polhode::test {
namespace {

/// A roller on a ring: M's origin goes round a circle in F's xy-plane, and M rolls about its own x axis, the radius.
class RollerOnRing final : public CustomJoint {
 public:
  std::string_view type_name() const override { return "roller-on-ring"; }
  int nq() const override { return 2; }
  int nv() const override { return 2; }
  Transform<double> X_FM(const double* q) const override {
    const Mat3<double> R = rotation_z(q[0]);
    return {R * rotation_x(q[1]), radius * R.col[0]};
  }
  void H_FM(const double* q, Motion<double>* H) const override {
    const Mat3<double> R = rotation_z(q[0]);
    H[0] = {z_axis, radius * R.col[1]};
    H[1] = {R.col[0], {}};
  }
  Motion<double> Hdot_u(const double* q, const double* u) const override {
    const Mat3<double> R = rotation_z(q[0]);
    return {(u[0] * u[1]) * R.col[1], (-radius * u[0] * u[0]) * R.col[0]};
  }

 private:
  static constexpr double radius = 0.7;
};

/// A type of the library dressed as a user's, with the default ways to read poses and to make constraint rows.
template <class J>
class Dressed final : public CustomJoint {
 public:
  std::string_view type_name() const override { return "dressed"; }
  int nq() const override { return j_.nq; }
  int nv() const override { return j_.nv; }
  int nchart() const override { return j_.nchart; }
  Transform<double> X_FM(const double* q) const override { return j_.template X_FM<double>(q); }
  void H_FM(const double* q, Motion<double>* H) const override { j_.template H_FM<double>(q, H); }
  Motion<double> Hdot_u(const double* q, const double* u) const override { return j_.template Hdot_u<double>(q, u); }
  void N(const double* q, const double* u, double* q_dot) const override { j_.template N<double>(q, u, q_dot); }
  void N_inverse(const double* q, const double* q_dot, double* u) const override { j_.template N_inverse<double>(q, q_dot, u); }
  void retract(const double* q0, const double* theta, double* q1) const override { j_.retract(q0, theta, q1); }
  void rate_of_chart(const double* q0, const double* theta, const double* u, double* theta_dot) const override {
    j_.rate_of_chart(q0, theta, u, theta_dot);
  }
  void zero(double* q) const override { j_.zero(q); }

 private:
  J j_;
};

/// sin(x0) (1 + x1)^2: mixed derivatives of every order.
class WavingParabola final : public ScalarFunction {
 public:
  int num_arguments() const override { return 2; }
  double derivative(std::span<const int> by, const double* x) const override {
    int order[2] = {0, 0};
    for (const int i : by) ++order[i];
    const double wave[] = {std::sin(x[0]), std::cos(x[0]), -std::sin(x[0]), -std::cos(x[0])};
    const double parabola[] = {(1 + x[1]) * (1 + x[1]), 2 * (1 + x[1]), 2};
    return wave[order[0] % 4] * (order[1] < 3 ? parabola[order[1]] : 0);
  }
};

FunctionBased knee() {
  const auto turn = std::make_shared<Linear>();
  const auto roll_back =
      std::make_shared<CubicSpline>(std::vector<double>{-2, -1, 0, 0.7, 2}, std::vector<double>{0.1, 0.05, 0, -0.2, 0.1});
  const auto drop = std::make_shared<Polynomial>(std::vector<double>{0.02, -0.1, 0.03, 0.01});
  const auto sway = std::make_shared<Sinusoid>(0.2, 1.5, 0.3);
  const auto tilt = std::make_shared<Constant>(0.2);
  return FunctionBased(1, {{{sway, {0}}, {tilt, {}}, {turn, {0}}, {roll_back, {0}}, {drop, {0}}, {}}});
}
FunctionBased rail() {
  const auto turn = std::make_shared<Linear>();
  const auto lean = std::make_shared<Linear>(std::vector<double>{0.3, 1.0}, 0.1);
  const auto wave = std::make_shared<WavingParabola>();
  return FunctionBased(3, {{{turn, {0}}, {}, {lean, {0, 1}}, {wave, {1, 2}}, {turn, {2}}, {wave, {2, 0}}}});
}

}  // namespace

std::vector<JointCase> all_joint_cases() {
  std::vector<JointCase> cases{
      {.name = "weld", .model = Weld{}},
      {.name = "revolute", .model = Revolute{}, .range = 10},
      {.name = "prismatic", .model = Prismatic{}},
      {.name = "screw", .model = Screw(0.13), .range = 20},
      {.name = "left-handed screw", .model = Screw(-0.4), .range = 20},
      {.name = "screw without lead", .model = Screw(0), .range = 10},
      {.name = "cylindrical", .model = Cylindrical{}, .range = 10},
      {.name = "universal", .model = Universal{}},
      {.name = "bend-stretch", .model = BendStretch{}},
      {.name = "planar", .model = Planar{}},
      {.name = "spherical-coordinates", .model = SphericalCoordinates{}},
      {.name = "gimbal", .model = Gimbal{}},
      {.name = "spherical", .model = Ball{}},
      {.name = "ellipsoid", .model = Ellipsoid{{0.3, 0.5, 0.8}}},
      {.name = "line-orientation", .model = LineOrientation{}},
      {.name = "translation", .model = Translation{}},
      {.name = "bushing", .model = Bushing{}},
      {.name = "free-line", .model = FreeLine{}},
      {.name = "free", .model = Free{}},
      {.name = "function-based knee", .model = knee(), .range = 1.8, .closed_form = false},
      {.name = "function-based rail", .model = rail(), .range = 1.2, .closed_form = false},
  };
  // Slopes of custom joints are central differences with a step of 6e-6 on functions whose third derivatives reach 100.
  const double difference = 1e-8;
  const auto add_custom = [&](const char* name, std::shared_ptr<const CustomJoint> joint) {
    cases.push_back({.name = name, .model = Custom(joint), .range = 1.8, .closed_form = false, .rounding = difference});
  };
  add_custom("custom roller on ring", std::make_shared<RollerOnRing>());
  add_custom("custom ball", std::make_shared<Dressed<Ball>>());
  add_custom("custom free", std::make_shared<Dressed<Free>>());
  add_custom("custom weld", std::make_shared<Dressed<Weld>>());

  const auto forward = cases;
  for (JointCase c : forward) {
    c.name += ", reversed";
    c.reversed = true;
    cases.push_back(c);
  }
  return cases;
}

TEST(JointCases, CoverEveryTypeForwardAndReversed) {
  std::vector<int> found(2 * std::variant_size_v<JointModel>, 0);
  for (const JointCase& c : all_joint_cases()) ++found[2 * c.model.index() + c.reversed];
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_GT(found[i], 0) << "alternative " << i / 2 << " of JointModel";
}

}  // namespace polhode::test
