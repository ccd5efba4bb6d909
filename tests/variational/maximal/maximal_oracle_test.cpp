// The literal integrator of Bruedigam & Manchester and its second-order reading, against motions that are known without them.
#include <cmath>

#include "tests/oracle/maximal_from_mechanism.h"
#include "tests/oracle/maximal_variational.h"
#include "tests/support/random.h"
#include "tests/variational/stepping.h"

namespace polhode::variational {
namespace {

using namespace oracle::maximal;
using oracle::maximal::Body;  // not the engine's
using oracle::maximal::Motion;
using oracle::maximal::TurnRule;
using testing_support::Random;

constexpr double pi = 3.14159265358979323846;

Vector3d random_vector(Random& random, double magnitude) {
  const Vec3<double> a = random.vec3(magnitude);
  return {a.x, a.y, a.z};
}
Vector4d random_quaternion(Random& random) {
  Vector4d q;
  for (int i = 0; i < 4; ++i) q[i] = random.uniform(-1, 1);
  return q.normalized();
}
Matrix3d matrix(const Vector4d& q) {
  Matrix3d R;
  for (int i = 0; i < 3; ++i) R.col(i) = rotated(q, Vector3d::Unit(i));
  return R;
}
Vector4d turn(const Vector3d& axis, double angle) {
  Vector4d q;
  q << std::cos(angle / 2), std::sin(angle / 2) * axis;
  return q;
}
using Stepping = Step (*)(const System&, double, Motions&);
Step second_order(const System& system, double h, Motions& motions) { return second_order_step(system, h, motions); }
Step exponential(const System& system, double h, Motions& motions) {
  return second_order_step(system, h, motions, TurnRule::exponential);
}

Motions after(const System& system, Motions motions, double t, int steps, Stepping step) {
  for (int k = 0; k < steps; ++k)
    if (!step(system, t / steps, motions).converged) {
      ADD_FAILURE() << "step " << k << " did not converge";
      break;
    }
  return motions;
}
/// By how much the error falls when there are twice as many steps.
template <class Error>
double ratio(const System& system, const Motions& start, double t, int steps, Stepping step, const Error& error) {
  return error(after(system, start, t, steps, step)) / error(after(system, start, t, 2 * steps, step));
}

/// A brick with three different moments that hangs on one side of its centre.
Body brick(double mass) { return {mass, mass * Vector3d(0.02, 0.05, 0.04).asDiagonal()}; }
constexpr double arm = 0.4;

/// Swings about y, from an angle, at rest; its centre of mass is at `arm` below the joint in the drawing.
System pendulum(bool with_pin) {
  System system{.bodies = {brick(1.7)}};
  if (with_pin)
    system.joints = {revolute(ground, 0, {0.3, 0.1, 0}, {0, 0, arm}, Vector3d::UnitY(), Vector3d::UnitY())};
  else
    system.joints = {{.a = ground, .b = 0, .p_a = {0.3, 0.1, 0}, .p_b = {0, 0, arm}}};
  return system;
}
Motion swung(double angle) {
  const Vector4d q = turn(Vector3d::UnitY(), angle);
  return {.x = Vector3d(0.3, 0.1, 0) - rotated(q, {0, 0, arm}), .q = q};
}
/// A quarter of the period of a physical pendulum, by the elliptic integral.
double quarter_period(double amplitude) {
  const double inertia = 1.7 * (0.05 + arm * arm), weight = 1.7 * 9.81 * arm;
  return std::comp_ellint_1(std::sin(amplitude / 2)) * std::sqrt(inertia / weight);
}

TEST(MaximalOracleMatrices, MultiplyAndRotateAsTheirDefinitions) {
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const Vector4d a = random_quaternion(random), b = random_quaternion(random);
    const Quaternion<double> p{a[0], a[1], a[2], a[3]}, r{b[0], b[1], b[2], b[3]}, product = p * r;
    EXPECT_LT((L(a) * b - Vector4d(product.w, product.x, product.y, product.z)).norm(), 1e-15);
    EXPECT_LT((L(a) * b - R(b) * a).norm(), 1e-15);
    EXPECT_LT((L(a) * (T() * a) - Vector4d(1, 0, 0, 0)).norm(), 1e-15);
    const Vector3d x = random_vector(random, 1);
    const Vec3<double> turned = rotation(p) * Vec3<double>{x[0], x[1], x[2]};
    EXPECT_LT((rotated(a, x) - Vector3d(turned.x, turned.y, turned.z)).norm(), 1e-15);
  }
}

// Central differences: truncation h^2, rounding 1e-16/h; places are of order one.
TEST(MaximalOracleSystem, GradientsAreDerivativesOfTheErrors) {
  Random random(2);
  System system{.bodies = {brick(1), brick(2)}};
  system.joints = {
      revolute(0, 1, random_vector(random, 1), random_vector(random, 1), random_vector(random, 1), random_vector(random, 1)),
      {.a = ground, .b = 0, .p_a = random_vector(random, 1), .p_b = random_vector(random, 1)}};
  Motions at(2);
  for (Motion& m : at)
    m = {random_vector(random, 1), random_quaternion(random), random_vector(random, 1), random_vector(random, 1)};
  const Eigen::MatrixXd G = jacobian(system, at), G_r = rotational_gradients(system, at);
  constexpr double h = 1e-5;
  for (int b = 0; b < 2; ++b)
    for (int k = 0; k < 3; ++k) {
      Motions plus = at, minus = at;
      plus[b].x[k] += h, minus[b].x[k] -= h;
      EXPECT_LT(((errors(system, plus) - errors(system, minus)) / (2 * h) - G.col(6 * b + k)).norm(), 1e-9);
      plus = minus = at;
      plus[b].q = L(at[b].q) * turn(Vector3d::Unit(k), h);
      minus[b].q = L(at[b].q) * turn(Vector3d::Unit(k), -h);
      const Eigen::VectorXd by_angle = (errors(system, plus) - errors(system, minus)) / (2 * h);
      EXPECT_LT((by_angle - G.col(6 * b + 3 + k)).norm(), 1e-9);
      EXPECT_LT((2 * by_angle - G_r.col(6 * b + 3 + k)).norm(), 2e-9);  // (43): half the angle
    }
}

// (26) alone: v_k = v_0 - k h g and x_k = x_0 + k h v_0 - h^2 g k (k + 1)/2, to rounding.
TEST(MaximalOracleFirstOrder, ThrownBodyFollowsTheSumOfItsSteps) {
  const System system{.bodies = {brick(2)}};
  const Motion start{.x = {1, 2, 3}, .v = {0.5, -1, 4}};
  const int k = 50;
  const double h = 0.01;
  const Motions end = after(system, {start}, k * h, k, first_order_step);
  const Vector3d expected = start.x + k * h * start.v + h * h * k * (k + 1) / 2 * system.gravity;
  EXPECT_LT((end[0].x - expected).norm(), 1e-12);
}
TEST(MaximalOracleSecondOrder, ThrownBodyFollowsTheParabola) {
  const System system{.bodies = {brick(2)}};
  const Motion start{.x = {1, 2, 3}, .v = {0.5, -1, 4}};
  const Motions end = after(system, {start}, 0.5, 50, second_order);
  EXPECT_LT((end[0].x - (start.x + 0.5 * start.v + 0.125 * system.gravity)).norm(), 1e-12);
}

// (33) without torque says that the momentum in Ground axes stays, exactly. At knots it is h/2 sqrt(4/h^2 - w^2) J w + h/2 w x
// J w.
TEST(MaximalOracleFirstOrder, FreeTopKeepsItsMomentumInGround) {
  Random random(3);
  const System system{.bodies = {brick(1)}};
  Motions m{{.q = random_quaternion(random), .omega = {3, -2, 4}}};
  const double h = 0.02;
  const auto momentum = [&](const Motion& from, const Vector3d& w) -> Vector3d {
    const Vector3d A = system.bodies[0].inertia * w;
    return rotated(from.q, h / 2 * (std::sqrt(4 / (h * h) - w.squaredNorm()) * A + w.cross(A)));
  };
  ASSERT_TRUE(first_order_step(system, h, m).converged);
  Vector3d before = Vector3d::Zero();
  for (int k = 0; k < 200; ++k) {
    const Motion from = m[0];
    ASSERT_TRUE(first_order_step(system, h, m).converged);
    const Vector3d now = momentum(from, m[0].omega);
    if (k > 0) {
      ASSERT_LT((now - before).norm(), 1e-14);  // of 0.3: some roundings a step
    }
    before = now;
    ASSERT_NEAR(m[0].q.norm(), 1, 1e-13);
  }
}
TEST(MaximalOracleSecondOrder, FreeTopKeepsItsMomentumInGround) {
  const System system{.bodies = {brick(1)}, .gravity = Vector3d::Zero()};
  const Motions m{{.omega = {3, -2, 4}}};
  const Vector3d before = angular_momentum(system, m);
  for (const Stepping step : {second_order, exponential})
    EXPECT_LT((angular_momentum(system, after(system, m, 4, 200, step)) - before).norm(), 1e-13);  // 200 steps of roundings
}

// Euler's top with two equal moments: it turns about the momentum at |M|/I_1 while it turns back about its own axis,
// R(t) = exp(t M/I_1) R(0) exp(t w_3 (1 - I_3/I_1) e_3).
TEST(MaximalOracleFreeTop, SymmetricTopConvergesToEulersSolution) {
  System system{.bodies = {{1, Vector3d(0.05, 0.05, 0.02).asDiagonal()}}};
  system.gravity.setZero();
  Random random(4);
  const Motion start{.q = random_quaternion(random), .omega = {2, -1, 5}};
  const Vector3d momentum = rotated(start.q, system.bodies[0].inertia * start.omega);
  const double t = 1, rate = momentum.norm() / 0.05;
  const Vector4d exact =
      L(turn(momentum.normalized(), t * rate)) * L(start.q) * turn(Vector3d::UnitZ(), t * start.omega[2] * (1 - 0.02 / 0.05));
  const auto error = [&](const Motions& m) { return (matrix(m[0].q) - matrix(exact)).norm(); };
  EXPECT_NEAR(ratio(system, {start}, t, 400, first_order_step, error), 2, 0.1);
  EXPECT_NEAR(ratio(system, {start}, t, 400, second_order, error), 4, 0.1);
  EXPECT_LT(error(after(system, {start}, t, 800, second_order)), 1e-4);
  EXPECT_NEAR(ratio(system, {start}, t, 100, exponential, error), 4, 0.1);
  // Steady spin about a principal axis takes no error from the exponential, at any step.
  Motions spinning{{.omega = {0, 0, 5}}};
  EXPECT_LT((after(system, spinning, 1, 7, exponential)[0].q - turn(Vector3d::UnitZ(), 5)).norm(), 1e-13);
}

// A torque about a principal axis: omega = t tau/J. In (33) it stands twice, as the whole equation is twice the usual one.
TEST(MaximalOracleTorques, SpinABodyUpAtTheirOwnRate) {
  System system{.bodies = {brick(1)}};
  system.bodies[0].load.torque_B = {0, 0, 0.08};
  system.gravity.setZero();
  const auto error = [&](const Motions& m) { return std::abs(m[0].omega[2] - 2.0); };  // 0.08/0.04 in one second
  EXPECT_LT(error(after(system, {Motion{}}, 1, 200, second_order)), 1e-3);
  EXPECT_LT(error(after(system, {Motion{}}, 1, 200, first_order_step)), 1e-3);
  // In Ground axes about the same axis it does the same.
  std::swap(system.bodies[0].load.torque_B, system.bodies[0].load.torque_W);
  EXPECT_LT(error(after(system, {Motion{}}, 1, 200, second_order)), 1e-3);
}

// Released at 100 degrees it hangs straight after a quarter of the period.
TEST(MaximalOraclePendulum, PassesTheLowestPlaceAfterAQuarterOfItsPeriod) {
  const double amplitude = 100 * pi / 180, quarter = quarter_period(amplitude);
  const auto error = [&](const Motions& m) { return std::abs(m[0].x[0] - 0.3); };
  for (const bool with_pin : {true, false}) {
    const System system = pendulum(with_pin);
    const Motions start{swung(amplitude)};
    ASSERT_LT(errors(system, start).norm(), 1e-15);
    EXPECT_NEAR(ratio(system, start, quarter, 200, first_order_step, error), 2, 0.05);
    EXPECT_NEAR(ratio(system, start, quarter, 50, second_order, error), 4, 0.1);
    EXPECT_LT(error(after(system, start, quarter, 400, second_order)), 1e-5);
    EXPECT_NEAR(ratio(system, start, quarter, 50, exponential, error), 4, 0.1);
  }
}

// At rest the joint carries the weight: the multiplier is the force, in newtons, on body b with a minus, (17).
TEST(MaximalOraclePendulum, HangsAtRestOnItsWeight) {
  const System system = pendulum(false);
  Motions m{swung(0)};
  const Step step = first_order_step(system, 0.01, m);
  EXPECT_LT((step.lambda - Vector3d(0, 0, -1.7 * 9.81)).norm(), 1e-10);
  EXPECT_LT(m[0].v.norm() + m[0].omega.norm(), 1e-12);
  m = {swung(0)};
  const Step second = second_order_step(system, 0.01, m);
  EXPECT_LT((second.lambda + second.mu - 0.01 * Vector3d(0, 0, -1.7 * 9.81)).norm(), 1e-12);
}

// Both are the same equations: only the first kick differs, and what is called the velocity.
TEST(MaximalOracleSecondOrder, StepsThroughThePlacesOfTheFirstOrderEquationsFromItsOwnHalfStep) {
  const System system = pendulum(false);
  Motions start{swung(1.2)};
  const Vector3d spin(1, 2, -3);  // about the joint: v = w x (x - joint)
  start[0].omega = spin;
  start[0].v = rotated(start[0].q, spin.cross(Vector3d(0, 0, -arm)));
  Motions second = start, halfway;
  ASSERT_TRUE(second_order_step(system, 0.01, second, TurnRule::chord, &halfway).converged);
  Motions first = halfway;
  for (int k = 0; k < 100; ++k) {
    ASSERT_TRUE(second_order_step(system, 0.01, second).converged);
    ASSERT_TRUE(first_order_step(system, 0.01, first).converged);
  }
  EXPECT_LT((first[0].x - second[0].x).norm() + (first[0].q - second[0].q).norm(), 1e-10);
}

// RATTLE is symmetric: back with the opposite velocities it comes to where it was.
TEST(MaximalOracleSecondOrder, RunsBackwardsAlongItsOwnMotion) {
  const System system = pendulum(false);
  Motions start{swung(1.2)};
  start[0].omega = {1, 2, -3};
  start[0].v = rotated(start[0].q, start[0].omega.cross(Vector3d(0, 0, -arm)));
  for (const Stepping step : {second_order, exponential}) {
    Motions m = after(system, start, 1, 50, step);
    m[0].v *= -1, m[0].omega *= -1;
    m = after(system, m, 1, 50, step);
    EXPECT_LT((m[0].x - start[0].x).norm() + (m[0].omega + start[0].omega).norm(), 1e-10);
  }
}

/// Places and axes of all bodies, largest difference.
double distance(const Mechanism& mechanism, const Motions& found, const Motions& expected) {
  double most = 0;
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const Transform<double> X = pose_of_body(mechanism, b, found), Y = pose_of_body(mechanism, b, expected);
    most = std::max(most, norm(X.p - Y.p));
    for (int i = 0; i < 3; ++i) most = std::max(most, norm(X.R.col[i] - Y.R.col[i]));
  }
  return most;
}

// Loops with redundant rows, offset centres of mass and speeds at the start: the motion of tree-variational at order four,
// whose own error at these steps is far below.
TEST(MaximalOracleFromMechanism, ConvergesToTheMotionInTreeCoordinates) {
  for (const auto& [model, t, steps, first_order_steps] :
       {std::tuple{"four_bar", 0.1, 50, 400}, {"bricard", 0.5, 50, 50}, {"four_bar_chain", 0.2, 20, 40}}) {
    SCOPED_TRACE(model);
    const Mechanism mechanism = load(model);
    State start = tree::initial_state(mechanism);
    ASSERT_TRUE(tree::assemble(start, tree::given_by_model(mechanism)).assembled);
    const System system = from_mechanism(mechanism);
    const Motions motions = motions_of(mechanism, start.q(), start.u());
    ASSERT_LT(errors(system, motions).norm(), 1e-11);
    EXPECT_LT((jacobian(system, motions) *
               [&] {
                 Eigen::VectorXd v(6 * Eigen::Index(motions.size()));
                 for (std::size_t b = 0; b < motions.size(); ++b)
                   v.segment<6>(6 * Eigen::Index(b)) << motions[b].v, motions[b].omega;
                 return v;
               }())
                  .norm(),
              1e-9);
    const State end = end_of_run(start, t, {.step = t / steps / 4, .order = 4});
    const Motions expected = motions_of(mechanism, end.q(), end.u());
    const auto error = [&](const Motions& m) { return distance(mechanism, m, expected); };
    EXPECT_NEAR(ratio(system, motions, t, first_order_steps, first_order_step, error), 2, 0.2);
    EXPECT_NEAR(ratio(system, motions, t, steps, second_order, error), 4, 0.4);
    EXPECT_LT(errors(system, after(system, motions, t, steps, second_order)).norm(), 1e-12);
  }
}

TEST(MaximalOracleFromMechanism, KeepsTheEnergyOfTheMechanism) {
  const Mechanism mechanism = load("four_bar_chain");
  const State start = tree::initial_state(mechanism);
  const System system = from_mechanism(mechanism);
  Motions m = motions_of(mechanism, start.q(), start.u());
  State realized = start;
  tree::Workspace w(mechanism);
  tree::realize(realized, w, Stage::velocity);
  EXPECT_NEAR(energy(system, m), realized.energy(), 1e-13);
  const double before = energy(system, m);
  m = after(system, m, 1, 100, second_order);
  EXPECT_NEAR(energy(system, m), before, 0.1);  // some (h omega)^2, 1e-3, of the 100 J that move
}

}  // namespace
}  // namespace polhode::variational
