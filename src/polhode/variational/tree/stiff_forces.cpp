#include "polhode/variational/tree/stiff_forces.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode::variational {
namespace {

double inverse_mass(const Mechanism& mechanism, int body) {
  if (body == 0) return 0;
  const double mass = mechanism.bodies()[body].mass.mass;
  return mass > 0 ? 1 / mass : std::numeric_limits<double>::infinity();
}

}  // namespace

StiffForces::StiffForces(const Mechanism& mechanism, double step) : mechanism_(mechanism), num_u_(mechanism.num_u()) {
  const Forces& f = mechanism_.forces();
  for (const PointSpring& s : f.point_springs)
    add_spring(mechanism_, {s.frame_a, s.frame_b, s.stiffness, s.rest, s.damping, nullptr}, s.stiffness, step);
  for (const NonlinearSpring& s : f.nonlinear_springs)
    add_spring(mechanism_, {s.frame_a, s.frame_b, 0, s.rest, s.damping, &s.law}, std::abs(s.law.stiffness(0.1)), step);

  const std::size_t n = std::size_t(num_u_);
  if (!springs_.empty()) jacobian_a_.resize(6 * n), jacobian_b_.resize(6 * n);
  if (f.potentials.empty() && f.elements.empty()) return;
  by_displacement_.resize(n * n), by_speed_.resize(n * n);
  tree::Workspace w(mechanism_);
  tree::kinematics(w, mechanism_.initial_q(), w.no_speeds);
  tree::read_bodies(w);
  const Configuration start{mechanism_, 0, mechanism_.initial_q(), w.no_speeds, w.X_WB, w.at_rest};
  users_ = add_users_derivatives(start, start);
}

void StiffForces::add_spring(const Mechanism& mechanism, const Spring& spring, double stiffness, double step) {
  const int a = mechanism.frames()[spring.frame_a].body, b = mechanism.frames()[spring.frame_b].body;
  const double per_mass = inverse_mass(mechanism, a) + inverse_mass(mechanism, b);
  constexpr double soft = 0.05;  // Newton's error then shrinks twentyfold or better with each correction anyway
  if (step * (step * std::abs(stiffness) + spring.damping) * per_mass > soft) springs_.push_back(spring);
}

/// dl/dt = d . (v_b - v_a) along the line d between the ends.
void StiffForces::evaluate_spring(tree::Workspace& w, const Spring& spring, double weight, double alpha, double h,
                                  double* right, double* left) {
  const auto end = [&](int frame) {
    const Frame& f = mechanism_.frames()[frame];
    return w.X_WB[f.body] * f.X_BF.p;
  };
  const std::size_t n = std::size_t(num_u_);
  const Vec3<double> p = end(spring.frame_b) - end(spring.frame_a);
  const double length = norm(p);
  std::fill_n(right, n, 0.0);
  std::fill_n(left, n, 0.0);
  if (length == 0) return;
  const Vec3<double> d = (1 / length) * p;
  tree::frame_jacobian(w, spring.frame_a, jacobian_a_);
  tree::frame_jacobian(w, spring.frame_b, jacobian_b_);
  const double k = spring.law != nullptr ? spring.law->stiffness(length - spring.rest) : spring.stiffness;
  const double kappa = weight * (alpha * k + spring.damping / h);
  for (std::size_t u = 0; u < n; ++u) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += d[i] * (jacobian_b_[(3 + i) * n + u] - jacobian_a_[(3 + i) * n + u]);
    right[u] = sum, left[u] = kappa * sum;
  }
}

bool StiffForces::add_users_derivatives(const Configuration& at, const Configuration& at_rest) {
  std::fill(by_displacement_.begin(), by_displacement_.end(), 0.0);
  std::fill(by_speed_.begin(), by_speed_.end(), 0.0);
  ForceDerivatives out{num_u_, by_displacement_, by_speed_};
  bool any = false;
  for (const auto& f : mechanism_.forces().potentials) any |= f->add_derivatives(at_rest, out);
  for (const auto& f : mechanism_.forces().elements) any |= f->add_derivatives(at, out);
  return any;
}

void StiffForces::evaluate(tree::Workspace& w, double t, std::span<const double> q, std::span<const double> u, double weight,
                           double alpha, double h, std::span<double> right, std::span<double> left) {
  const std::size_t n = std::size_t(num_u_);
  tree::kinematics(w, q, u);
  tree::read_bodies(w);
  std::size_t row = 0;
  for (const Spring& spring : springs_) {
    evaluate_spring(w, spring, weight, alpha, h, right.data() + row * n, left.data() + row * n);
    ++row;
  }
  if (!users_) return;
  add_users_derivatives({mechanism_, t, q, u, w.X_WB, w.V_WB}, {mechanism_, t, q, w.no_speeds, w.X_WB, w.at_rest});
  for (std::size_t i = 0; i < n; ++i, ++row)
    for (std::size_t j = 0; j < n; ++j) {
      right[row * n + j] = i == j ? 1 : 0;
      left[row * n + j] = -weight * (alpha * by_displacement_[i * n + j] + by_speed_[i * n + j] / h);
    }
}

}  // namespace polhode::variational
