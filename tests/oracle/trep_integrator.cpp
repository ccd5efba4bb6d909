#include "tests/oracle/trep_integrator.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <ctime>
#include <stdexcept>

#include "tests/oracle/trep_lagrangian.h"

namespace polhode::oracle::trep {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

double value(Kinematics& t, const Vector&, const Wire& c) {
  return (t.p(c.frame_a) - t.p(c.frame_b)).squaredNorm() - c.length * c.length;
}
double value(Kinematics& t, const Vector&, const PointAlong& c) { return c.direction.dot(t.p(c.frame_a) - t.p(c.frame_b)); }
double value(Kinematics&, const Vector& q, const ScrewPair& c) { return c.pitch * q[c.rotation] - q[c.translation]; }

/// (38).
double derivative(Kinematics& t, const Wire& c, int i) {
  return 2 * (t.p(c.frame_a) - t.p(c.frame_b)).dot(t.p_q(c.frame_a, i) - t.p_q(c.frame_b, i));
}
double derivative(Kinematics& t, const PointAlong& c, int i) {
  return c.direction.dot(t.p_q(c.frame_a, i) - t.p_q(c.frame_b, i));
}
/// (40).
double derivative(Kinematics&, const ScrewPair& c, int i) { return i == c.rotation ? c.pitch : i == c.translation ? -1 : 0; }

Vector values(Kinematics& t, const Vector& q, const std::vector<Constraint>& constraints) {
  Vector h(constraints.size());
  for (std::size_t c = 0; c < constraints.size(); ++c)
    h[c] = std::visit([&](const auto& model) { return value(t, q, model); }, constraints[c]);
  return h;
}

Matrix jacobian(Kinematics& t, const std::vector<Constraint>& constraints) {
  Matrix Dh(constraints.size(), t.num_q());
  for (std::size_t c = 0; c < constraints.size(); ++c)
    for (int i = 0; i < t.num_q(); ++i)
      Dh(c, i) = std::visit([&](const auto& model) { return derivative(t, model, i); }, constraints[c]);
  return Dh;
}

Vector sized(const Vector& v, int n) { return v.size() == n ? v : Vector(Vector::Zero(n)); }

}  // namespace

Integrator::Integrator(System system, double h, Options options)
    : system_(std::move(system)), h_(h), options_(options), n_(system_.tree.num_q()), tree_(system_.tree, options.caching) {
  GeneralizedForces& f = system_.forces;
  for (Vector* v : {&f.damping, &f.stiffness, &f.rest}) *v = sized(*v, n_);
  for (int i = 0; i < n_; ++i) {
    const auto given = [i](const Kinematic& k) { return k.variable == i; };
    if (std::none_of(system_.kinematic.begin(), system_.kinematic.end(), given)) dynamic_.push_back(i);
  }
}

Vector Integrator::force(double t, const Vector& q, const Vector& q_dot) const {
  const GeneralizedForces& f = system_.forces;
  Vector out = -f.damping.cwiseProduct(q_dot) - f.stiffness.cwiseProduct(q - f.rest);
  if (f.input) out += f.input(t);
  return out;
}

/// By q1, of the discrete force that gets the given part of h f_c.
Matrix Integrator::force_D2(double part) const {
  const GeneralizedForces& f = system_.forces;
  return (-part * (f.damping + options_.alpha * h_ * f.stiffness)).asDiagonal();
}

void Integrator::write_midpoint(const Vector& q0, const Vector& q1) {
  const double a = options_.alpha;
  tree_.write((1 - a) * q0 + a * q1, (q1 - q0) / h_);
}

/// D1 Ld + fd- (20), at the midpoint that the tree was last set to.
Vector Integrator::left_momentum(double t, const Vector& q0, const Vector& q1) {
  const double a = options_.alpha, share = options_.share == ForceShare::halves ? 0.5 : 1 - a;
  const Vector f = force(t + a * h_, (1 - a) * q0 + a * q1, (q1 - q0) / h_);
  return (1 - a) * h_ * L_q(tree_) - L_v(tree_) + share * h_ * f;
}

/// D2 Ld + fd+ (21), likewise.
Vector Integrator::right_momentum(double t, const Vector& q0, const Vector& q1) {
  const double a = options_.alpha, share = options_.share == ForceShare::halves ? 0.5 : a;
  const Vector f = force(t + a * h_, (1 - a) * q0 + a * q1, (q1 - q0) / h_);
  return a * h_ * L_q(tree_) + L_v(tree_) + share * h_ * f;
}

/// D2 D1 Ld + D2 fd- (22), likewise.
Matrix Integrator::D2_left_momentum() {
  const double a = options_.alpha, share = options_.share == ForceShare::halves ? 0.5 : 1 - a;
  const Matrix qv = L_qv(tree_);
  return (1 - a) * a * h_ * L_qq(tree_) + (1 - a) * qv - a * qv.transpose() - L_vv(tree_) / h_ + force_D2(share);
}

/// Redundant constraints leave their multipliers undetermined; the least-squares ones are as good as any.
Vector Integrator::solve(const Matrix& Df, const Vector& f) const {
  if (system_.constraints.empty()) return Df.partialPivLu().solve(f);
  return Df.completeOrthogonalDecomposition().solve(f);
}

State Integrator::start_from_two(const Vector& q0, const Vector& q1, double t0) {
  write_midpoint(q0, q1);
  return {.t = t0 + h_,
          .q = q1,
          .p = right_momentum(t0, q0, q1),
          .lambda = Vector::Zero(system_.constraints.size()),
          .kinematic = Vector::Zero(system_.kinematic.size())};
}

State Integrator::start_from_rates(const Vector& q0, const Vector& q_dot0, double t0) {
  tree_.write(q0, q_dot0);
  return {.t = t0,
          .q = q0,
          .p = L_v(tree_),
          .lambda = Vector::Zero(system_.constraints.size()),
          .kinematic = Vector::Zero(system_.kinematic.size())};
}

State Integrator::step(const State& from) {
  const int rows = int(system_.constraints.size()), d = int(dynamic_.size());
  const double goal = options_.tolerance * (1 + from.p.lpNorm<Eigen::Infinity>());
  const Matrix pi0 = constraint_jacobian(from.q);

  Vector q1 = from.q, lambda = from.lambda;
  for (const Kinematic& k : system_.kinematic) q1[k.variable] = k.signal(from.t + h_);

  Vector f(d + rows), momentum_balance(n_);
  Matrix Df = Matrix::Zero(d + rows, d + rows);
  bool at_rounding = d + rows == 0;
  for (int iteration = 0;; ++iteration) {
    tree_.write(q1, (q1 - from.q) / h_);
    f.tail(rows) = values(tree_, q1, system_.constraints);
    Df.bottomLeftCorner(rows, d) = jacobian(tree_, system_.constraints)(Eigen::all, dynamic_);

    write_midpoint(from.q, q1);
    momentum_balance = from.p + left_momentum(from.t, from.q, q1) - pi0.transpose() * lambda;
    f.head(d) = momentum_balance(dynamic_);
    if (at_rounding || f.lpNorm<Eigen::Infinity>() <= goal) {
      State to{.t = from.t + h_,
               .q = q1,
               .p = right_momentum(from.t, from.q, q1),
               .lambda = lambda,
               .kinematic = Vector(system_.kinematic.size()),
               .iterations = iteration};
      // What a kinematic variable's row lacks is the impulse that holds it to its signal.
      for (std::size_t k = 0; k < system_.kinematic.size(); ++k)
        to.kinematic[k] = -momentum_balance[system_.kinematic[k].variable];
      return to;
    }
    if (iteration == options_.max_iterations || !f.allFinite())
      throw std::runtime_error("the oracle's Newton iteration did not converge");

    Df.topLeftCorner(d, d) = D2_left_momentum()(dynamic_, dynamic_);
    Df.topRightCorner(d, rows) = -pi0.transpose()(dynamic_, Eigen::all);
    const Vector z = -solve(Df, f);
    q1(dynamic_) += z.head(d);
    // The rates are differences over h, so for small h the residual is rounding before it is below the goal.
    at_rounding = z.head(d).lpNorm<Eigen::Infinity>() <= 2e-15 * (1 + q1.lpNorm<Eigen::Infinity>());
    lambda += z.tail(rows);
  }
}

State Integrator::run(State state, int steps) {
  for (int k = 0; k < steps; ++k) state = step(state);
  return state;
}

Vector Integrator::assembled(Vector q) {
  for (int iteration = 0; iteration < options_.max_iterations; ++iteration) {
    const Vector h = constraint_values(q);
    if (h.lpNorm<Eigen::Infinity>() <= options_.tolerance) return q;
    q -= constraint_jacobian(q).completeOrthogonalDecomposition().solve(h);
  }
  throw std::runtime_error("the oracle could not assemble the mechanism");
}

Vector Integrator::constraint_values(const Vector& q) {
  tree_.write(q, Vector::Zero(n_));
  return values(tree_, q, system_.constraints);
}

Matrix Integrator::constraint_jacobian(const Vector& q) {
  if (system_.constraints.empty()) return Matrix(0, n_);
  tree_.write(q, Vector::Zero(n_));
  return jacobian(tree_, system_.constraints);
}

Vector Integrator::rates(const State& state) {
  const int rows = int(system_.constraints.size());
  tree_.write(state.q, Vector::Zero(n_));
  Matrix A = Matrix::Zero(n_ + rows, n_ + rows);
  A.topLeftCorner(n_, n_) = L_vv(tree_);
  A.bottomLeftCorner(rows, n_) = jacobian(tree_, system_.constraints);
  A.topRightCorner(n_, rows) = A.bottomLeftCorner(rows, n_).transpose();
  Vector right = Vector::Zero(n_ + rows);
  right.head(n_) = state.p;
  return solve(A, right).head(n_);
}

double Integrator::energy(const State& state) {
  const Vector q_dot = rates(state);
  tree_.write(state.q, q_dot);
  const GeneralizedForces& f = system_.forces;
  return trep::energy(tree_) + 0.5 * f.stiffness.dot((state.q - f.rest).cwiseAbs2());
}

double seconds_for(const System& system, const Vector& q0, double h, int steps, Caching caching) {
  Integrator integrator(system, h, {.caching = caching});
  const State start = integrator.start_from_rates(q0, Vector::Zero(q0.size()));
  const std::clock_t before = std::clock();
  integrator.run(start, steps);
  return double(std::clock() - before) / CLOCKS_PER_SEC;
}

System link_pendulum(int links, const Mass& mass) {
  System system;
  int end = -1;
  for (int i = 0; i < links; ++i) {
    const int hinge = system.tree.add({.parent = end, .primitive = Primitive::ry, .variable = i});
    end = system.tree.add({.parent = hinge, .primitive = Primitive::tz, .constant = -1, .mass = mass});
  }
  return system;
}

}  // namespace polhode::oracle::trep
