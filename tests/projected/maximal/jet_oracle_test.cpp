// The literal equations of Tuomela, Arponen & Normi: its lemmas at random points, and its three mechanisms against tree
// coordinates.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "polhode/format/language/model.h"
#include "polhode/projected/tree/make_integrator.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"
#include "tests/oracle/jet.h"
#include "tests/support/paths.h"
#include "tests/support/random.h"

namespace polhode::projected {
namespace {

using namespace oracle::jet;
using testing_support::Random;

Vector4d four(Random& random) {
  Vector4d a;
  for (int i = 0; i < 4; ++i) a[i] = random.uniform(-1, 1);
  return a;
}
/// A point of the unit sphere and a tangent there.
struct Tangent {
  Vector4d theta, theta1;
};
Tangent random_tangent(Random& random) {
  const Vector4d theta = four(random).normalized(), a = four(random);
  return {theta, 3 * (a - a.dot(theta) * theta)};
}
VectorXd random_numbers(Random& random, Eigen::Index n) {
  VectorXd a(n);
  for (double& x : a) x = random.uniform(-1, 1);
  return a;
}
VectorXd random_place(Random& random, int bodies) {
  VectorXd y = random_numbers(random, 7 * bodies);
  for (int b = 0; b < bodies; ++b) y.segment<4>(7 * b + 3).normalize();
  return y;
}
Matrix3d hat(const Vector3d& a) {
  Matrix3d A;
  A << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return A;
}
constexpr double rounding = 5e-15;  // some operations on numbers of order three

TEST(JetLemmas, TwoPointOne) {
  Random random(11);
  for (int k = 0; k < 20; ++k) {
    const auto [theta, theta1] = random_tangent(random);
    const Matrix34 h = H(theta), ht = H_tilde(theta), h1 = H(theta1), ht1 = H_tilde(theta1);
    const Eigen::Matrix4d across = Eigen::Matrix4d::Identity() - theta * theta.transpose();
    EXPECT_LT((h * h.transpose() - Matrix3d::Identity()).norm(), rounding);
    EXPECT_LT((ht * ht.transpose() - Matrix3d::Identity()).norm(), rounding);
    EXPECT_LT((h.transpose() * h - across).norm(), rounding);
    EXPECT_LT((ht.transpose() * ht - across).norm(), rounding);
    EXPECT_LT((ht1 * h.transpose() - ht * h1.transpose()).norm(), rounding);
    EXPECT_LT((h1 * ht.transpose() - h * ht1.transpose()).norm(), rounding);
    EXPECT_LT((h1 * h.transpose() + h * h1.transpose()).norm(), rounding);
    EXPECT_LT((ht1 * ht.transpose() + ht * ht1.transpose()).norm(), rounding);
    const Vector4d v = four(random), w = four(random);
    EXPECT_LT((H(v) * w + H(w) * v).norm() + (H_tilde(v) * w + H_tilde(w) * v).norm(), rounding);
  }
}

// (2.1) has the matrix a second time, entry by entry; and it is the rotation that the quaternion stands for everywhere else.
TEST(JetLemmas, RotationMatrixIsThatOfTheQuaternion) {
  Random random(12);
  for (int k = 0; k < 20; ++k) {
    const Vector4d t = four(random).normalized();
    Matrix3d printed;
    printed << t[0] * t[0] + t[1] * t[1] - 0.5, t[1] * t[2] - t[0] * t[3], t[1] * t[3] + t[0] * t[2], t[1] * t[2] + t[0] * t[3],
        t[0] * t[0] + t[2] * t[2] - 0.5, t[2] * t[3] - t[0] * t[1],  //
        t[1] * t[3] - t[0] * t[2], t[2] * t[3] + t[0] * t[1], t[0] * t[0] + t[3] * t[3] - 0.5;
    EXPECT_LT((R(t) - 2 * printed).norm(), rounding);
    const Mat3<double> engine = rotation(Quaternion<double>{t[0], t[1], t[2], t[3]});
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(R(t)(i, j), engine(i, j), rounding);
  }
}

// R^T dR/dt and dR/dt R^T, with dR/dt by a difference along the great circle: truncation (3 h)^2, rounding 1e-16/h.
TEST(JetLemmas, ThreePointOne) {
  Random random(13);
  constexpr double h = 1e-5;
  for (int k = 0; k < 20; ++k) {
    const Tangent point = random_tangent(random);
    const Vector4d &theta = point.theta, &theta1 = point.theta1;
    const double speed = theta1.norm();
    const auto along = [&](double t) -> Vector4d { return std::cos(t * speed) * theta + std::sin(t * speed) / speed * theta1; };
    const Matrix3d R1 = (R(along(h)) - R(along(-h))) / (2 * h);
    const Vector3d Omega = 2 * H(theta) * theta1, omega = 2 * H_tilde(theta) * theta1;
    EXPECT_LT((R(theta).transpose() * R1 - hat(Omega)).norm(), 1e-7);
    EXPECT_LT((R1 * R(theta).transpose() - hat(omega)).norm(), 1e-7);
    EXPECT_LT((omega - R(theta) * Omega).norm(), 3 * rounding);
    // 8 K is twice the gyroscopic torque of (3.7).
    const Matrix3d I = Vector3d(1, 2, 2.5).asDiagonal();
    EXPECT_LT((8 * christoffel(I, theta, theta1) - 2 * Omega.cross(I * Omega)).norm(), 1e-12);
  }
}

// g is a polynomial of degree four: differences of dg and g, truncation h^2 times some ten.
TEST(JetConstraints, DifferentialsAreDerivatives) {
  Random random(14);
  constexpr double h = 1e-4;
  for (const System& system : {pendulum(), quadrangle(), crank()}) {
    const int n = int(system.bodies.size());
    for (int k = 0; k < 5; ++k) {
      const VectorXd y = random_place(random, n), u = random_numbers(random, 7 * n);
      const VectorXd plus = g(system, y + h * u), minus = g(system, y - h * u);
      EXPECT_LT(((plus - minus) / (2 * h) - dg(system, y) * u).norm(), 1e-5);
      EXPECT_LT(((plus - 2 * g(system, y) + minus) / (h * h) - d2g(system, y, u)).norm(), 1e-4);
    }
  }
}

TEST(JetConstraints, HaveTheCountsOfTheTables) {
  const auto rows = [](const System& s) { return g(s, VectorXd::Zero(7 * Eigen::Index(s.bodies.size()))).size(); };
  EXPECT_EQ(rows(pendulum()), 3);
  EXPECT_EQ(rows(quadrangle()), 5 + 3 + 4 + 5);
  EXPECT_EQ(rows(crank()), 3 + 5 + 4 + 5);
}

/// A model's state in the paper's numbers: theta_1 = H^T Omega/2.
struct Jet {
  VectorXd y, y1, y2;  // y2: from the accelerations of the tree
};
Jet jet_of(const State& state) {
  const Mechanism& m = state.mechanism();
  const int n = m.num_bodies() - 1;
  const auto eigen = [](const Vec3<double>& a) { return Vector3d(a.x, a.y, a.z); };
  Jet jet{VectorXd(7 * n), VectorXd(7 * n), VectorXd(7 * n)};
  for (int i = 0; i < n; ++i) {
    const int b = m.body("body" + std::to_string(i + 1));
    const Transform<double>& X = state.pose(b);
    const Quaternion<double> r = quaternion(X.R);
    const Vector4d theta(r.w, r.x, r.y, r.z);
    const Vector3d Omega = eigen(transpose_times(X.R, state.velocity(b).angular));
    const Vector3d Omega1 = eigen(transpose_times(X.R, state.acceleration(b).angular));
    const Vector4d theta1 = H(theta).transpose() * Omega / 2;
    jet.y.segment<7>(7 * i) << eigen(X.p), theta;
    jet.y1.segment<7>(7 * i) << eigen(state.velocity(b).linear), theta1;
    // Omega_1 = 2 H theta_2, since H_1 theta_1 = 0, and <theta, theta_2> = -|theta_1|^2.
    jet.y2.segment<7>(7 * i) << eigen(state.acceleration(b).linear),
        H(theta).transpose() * Omega1 / 2 - theta1.squaredNorm() * theta;
  }
  return jet;
}

struct Case {
  const char* model;
  System (*system)();
};
const Case cases[] = {{"jet_pendulum", pendulum}, {"jet_quadrangle", quadrangle}, {"jet_crank", crank}};

/// States at the start and on the way, where everything turns.
std::vector<State> states(const char* model) {
  const Mechanism m = format::load_model(testing_support::model_path(model)).mechanism;
  State state = tree::initial_state(m);
  EXPECT_TRUE(tree::assemble(state, tree::given_by_model(m)).assembled);
  if (std::string(model) == "jet_pendulum")  // out of its plane
    for (int i = 0; i < 3; ++i) state.set_u(i, 0.7 + i);
  const auto stepper = make_integrator(m, {.accuracy = 1e-10});
  stepper->set(state);
  std::vector<State> all;
  for (const double t : {0.0, 0.4, 1.1, 2.3}) {
    while (stepper->time() < t) EXPECT_TRUE(stepper->step(t).ok());
    stepper->get(state);
    tree::realize(state, Stage::acceleration);
    all.push_back(state);
  }
  return all;
}

// The model files say what tables 2 to 7 say: their states meet the tables' equations. Projection leaves 1e-9 at most.
TEST(JetMechanisms, StatesOfTheModelsMeetTheEquationsOfTheTables) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.model);
    for (const State& state : states(c.model)) {
      const Jet jet = jet_of(state);
      EXPECT_LT(g(c.system(), jet.y).norm(), 1e-9);
      EXPECT_LT((dg(c.system(), jet.y) * jet.y1).norm(), 1e-8);
    }
  }
}

// Algorithm 3.2 and articulated bodies with loops. Accelerations are up to some hundreds; the matrix has entries from 0.04
// (inertia of the slider) to 830 and the states are off by the tolerance above.
TEST(JetMechanisms, AccelerationsAreThoseInTreeCoordinates) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.model);
    double fastest = 0;
    for (const State& state : states(c.model)) {
      const Jet jet = jet_of(state);
      const Distribution found = distribution(c.system(), jet.y, jet.y1);
      EXPECT_LT((found.y2 - jet.y2).norm(), 1e-8 * (1 + jet.y2.norm())) << "at " << state.time();
      EXPECT_GT(jet.y2.norm(), 0.1);
      fastest = std::max(fastest, jet.y1.norm());
    }
    EXPECT_GT(fastest, 1);  // so that K and d2g matter
  }
}

// Lemma 3.6, with dW/dt by the chain rule along (y_1, y_2), and by a difference.
TEST(JetMechanisms, EnergyChangesByTheWorkOfTheTorque) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.model);
    const System system = c.system();
    for (const State& state : states(c.model)) {
      const Jet jet = jet_of(state);
      const VectorXd y2 = distribution(system, jet.y, jet.y1).y2;
      constexpr double h = 1e-5;
      const auto W = [&](double t) {
        VectorXd y = jet.y + t * jet.y1 + t * t / 2 * y2, y1 = jet.y1 + t * y2;
        return energy(system, y, y1);
      };
      // Energies of up to 1e4 J are rounded at 1e-12 and divided by h; truncation h^2 times rates of 1e3 cubed.
      EXPECT_NEAR((W(h) - W(-h)) / (2 * h), power(system, jet.y, jet.y1), 1e-2);
      EXPECT_NEAR(energy(system, jet.y, jet.y1), state.energy(), 1e-9 * (1 + std::abs(state.energy())));
    }
  }
}

// (3.6): hanging at rest, minus lambda is the force on body 1.
TEST(JetMechanisms, PendulumHangsOnItsWeight) {
  VectorXd y(7);
  y << 0, -0.765, 0, std::sqrt(0.5), 0, 0, -std::sqrt(0.5);  // e_1 of the body points down
  const Distribution found = distribution(pendulum(), y, VectorXd::Zero(7));
  EXPECT_LT(g(pendulum(), y).norm(), 1e-15);
  EXPECT_LT(found.y2.norm(), 1e-12);
  EXPECT_LT((found.lambda - Vector3d(0, -38.34 * 9.81, 0)).norm(), 1e-10);
}

}  // namespace
}  // namespace polhode::projected
