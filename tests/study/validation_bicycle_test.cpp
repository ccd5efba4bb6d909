// The benchmark bicycle (Meijaard, Papadopoulos, Ruina and Schwab 2007): its linearised equations, and between which speeds it
// runs by itself.
#include <Eigen/Dense>
#include <complex>

#include "tests/oracle/constrained.h"
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

/// Lean and steer about upright straight running, x = (lean, steer, their rates), from the nonlinear constrained dynamics.
/// The paper's z points down and its steer axis with it; ours point up, so that its steer has the other sign.
class Linearised {
 public:
  Linearised() : m_(load("bicycle")), state_(m_) {}

  /// The 4 x 4 matrix of dx/dt at the forward speed v, by differences of fourth order. With steps of 2e-3 they leave
  /// 1e-11 of the third and fifth derivatives, rounding 1e-13/1e-3 = 1e-10.
  Eigen::Matrix4d matrix(double v) {
    constexpr double h = 2e-3;
    Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
    A.topRightCorner<2, 2>().setIdentity();
    for (int k = 0; k < 4; ++k) {
      const Eigen::Vector4d e = Eigen::Vector4d::Unit(k);
      A.block<2, 1>(2, k) = (8 * (accelerations(v, h * e) - accelerations(v, -h * e)) -
                             (accelerations(v, 2 * h * e) - accelerations(v, -2 * h * e))) /
                            (12 * h);
    }
    return A;
  }

 private:
  /// Second derivatives of lean and steer. The bicycle pitches by a little of second order when it leans or steers, which the
  /// assembly finds; by symmetry that, and all else of even order, cancels in the differences.
  Eigen::Vector2d accelerations(double v, const Eigen::Vector4d& x) {
    state_ = State(m_);
    set_q("trunk.qw", std::cos(x[0] / 2));
    set_q("trunk.qx", std::sin(x[0] / 2));
    set_q("steer", -x[1]);
    EXPECT_TRUE(tree::assemble(state_, lean_and_steer()).assembled);
    const std::vector<double> q(state_.q().begin(), state_.q().end()), still(std::size_t(m_.num_u()), 0.0);
    // Lean rate, steer rate and the rear wheel's are given; the wheels' six equations give the other six speeds.
    const Eigen::MatrixXd G = oracle::constraint_equations(m_, 0, q, still).G;
    const std::vector<int> given{m_.speed("trunk.wx"), m_.speed("steer'"), m_.speed("rear hub'")};
    std::vector<int> rest;
    for (int i = 0; i < m_.num_u(); ++i)
      if (std::find(given.begin(), given.end(), i) == given.end()) rest.push_back(i);
    const Eigen::Vector3d rates(x[2], -x[3], v / 0.3);
    const Eigen::VectorXd others = -G(Eigen::all, rest).fullPivLu().solve(G(Eigen::all, given) * rates);
    for (int i = 0; i < 3; ++i) state_.set_u(given[std::size_t(i)], rates[i]);
    for (int i = 0; i < 6; ++i) state_.set_u(rest[std::size_t(i)], others[i]);
    tree::realize(state_, Stage::acceleration);
    return {state_.u_dot()[std::size_t(given[0])], -state_.u_dot()[std::size_t(given[1])]};
  }
  void set_q(const char* name, double value) { state_.set_q(m_.coordinate(name), value); }
  tree::Given lean_and_steer() const {
    tree::Given given{std::vector<char>(std::size_t(m_.num_u())), std::vector<char>(std::size_t(m_.num_u()))};
    for (const char* name : {"trunk.wx", "trunk.wz", "steer'"}) given.coordinate[std::size_t(m_.speed(name))] = 1;
    return given;
  }

  Mechanism m_;
  State state_;
};

Eigen::Matrix2d matrix(double a, double b, double c, double d) { return (Eigen::Matrix2d() << a, b, c, d).finished(); }
// The paper's table: M d2x/dt2 + v C1 dx/dt + (g K0 + v^2 K2) x = 0.
const Eigen::Matrix2d M = matrix(80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686);
const Eigen::Matrix2d K0 = matrix(-80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618);
const Eigen::Matrix2d K2 = matrix(0, 76.59734589573222, 0, 2.65431523794604);
const Eigen::Matrix2d C1 = matrix(0, 33.86641391492494, -0.85035641456978, 1.68540397397560);

// The differences' errors, above, times entries of up to a hundred.
TEST(ValidationBicycle, LinearisedEquationsHaveThePublishedCoefficients) {
  Linearised bicycle;
  for (const double v : {0.0, 3.0, 6.0}) {
    const Eigen::Matrix4d A = bicycle.matrix(v);
    const Eigen::Matrix2d stiffness = -M.inverse() * (standard_gravity * K0 + v * v * K2), damping = -v * M.inverse() * C1;
    EXPECT_LT((A.bottomLeftCorner<2, 2>() - stiffness).cwiseAbs().maxCoeff(), 1e-6) << v;
    EXPECT_LT((A.bottomRightCorner<2, 2>() - damping).cwiseAbs().maxCoeff(), 1e-6) << v;
  }
}

/// The speed at which f changes its sign, by halving.
template <class F>
double zero_of(const F& f, double low, double high) {
  const bool sign = f(low) > 0;
  for (int i = 0; i < 34; ++i) ((f((low + high) / 2) > 0) == sign ? low : high) = (low + high) / 2;
  return (low + high) / 2;
}

// Errors of 1e-8 in the matrix shift the growth rates by as much, and these cross zero at slopes of about one per m/s.
TEST(ValidationBicycle, RunsByItselfBetweenThePublishedSpeeds) {
  Linearised bicycle;
  const auto growth = [&](double v, bool weave) {  // of the oscillating pair, or of the slowest real mode
    double most = -1e300;
    for (const std::complex<double> s : bicycle.matrix(v).eigenvalues())
      if ((std::abs(s.imag()) > 1e-3) == weave) most = std::max(most, s.real());
    return most;
  };
  EXPECT_NEAR(zero_of([&](double v) { return growth(v, true); }, 4, 4.6), 4.29238253634111, 1e-6);
  EXPECT_NEAR(zero_of([&](double v) { return growth(v, false); }, 5.8, 6.2), 6.02426201538837, 1e-6);
}

/// Running straight at v, leaning over at 0.05 rad/s.
State running(double v) {
  const Mechanism m = load("bicycle");
  State state = tree::initial_state(m);
  state.set_u(m.speed("trunk.vx"), v);
  state.set_u(m.speed("rear hub'"), v / 0.3);
  state.set_u(m.speed("front hub'"), v / 0.35);
  return state;
}
double lean(const State& s) { return std::asin(s.pose(s.mechanism().body("rear frame")).R.col[1].z); }

// Slowest rates: at 5 m/s -0.32 /s or faster in time, at 3.5 m/s +0.8 /s, weaving.
TEST(ValidationBicycle, RightsItselfAtFiveMetresPerSecondAndFallsAtLess) {
  const auto largest_lean = [](double v, double from, double to) {
    double most = 0;
    SimulateOptions options = projected(to, 1e-8, "rk5");
    options.interval = 0.02;
    const Outcome r = run(running(v), options, [&](const State& s) {
      if (s.time() >= from) most = std::max(most, std::abs(lean(s)));
    });
    EXPECT_LT(r.summary.energy_span(), 1e-5 * r.summary.energy_start) << v;
    return most;
  };
  EXPECT_LT(largest_lean(5, 6, 8), 0.3 * largest_lean(5, 0, 2));
  EXPECT_GT(largest_lean(3.5, 3, 4), 1.5 * largest_lean(3.5, 0, 1));
}

}  // namespace
}  // namespace polhode::study
