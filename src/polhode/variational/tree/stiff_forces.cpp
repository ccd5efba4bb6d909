#include "polhode/variational/tree/stiff_forces.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/mechanism/applied_forces.h"
#include "polhode/variational/tree/acceptance.h"

namespace polhode::variational {
namespace {

double inverse_mass(const Mechanism& mechanism, int body) {
  if (body == 0) return 0;
  const double mass = mechanism.bodies()[body].mass.mass;
  return mass > 0 ? 1 / mass : std::numeric_limits<double>::infinity();
}

}  // namespace

StiffForces::StiffForces(const Mechanism& mechanism, double step) : mechanism_(mechanism), num_u_(mechanism.num_u()) {
  mechanism_.forces().for_each([&]<class F>(const F& f) {
    if constexpr (LineForceType<F>) {
      const Spring spring{f.frame_a, f.frame_b, &f, [](const void* force, const Now& now, double length, double rate) {
                            return tension_slopes(*static_cast<const F*>(force), now, length, rate);
                          }};
      add_spring(spring, spring.slopes(spring.force, mechanism_.initial_now(), f.usual_length() + 0.1, 0), step);
    } else if constexpr (LawForceType<F>) {
      for (const LawLoad& load : f.loads) add_law(load);
    }
  });

  const std::size_t n = std::size_t(num_u_);
  if (!mechanism_.forces().has_users_elements()) return;
  for (auto* matrix : {&by_displacement_, &by_speed_}) matrix->resize(n * n);
  tree::Workspace w(mechanism_);
  tree::kinematics(w, mechanism_.initial_q(), w.no_speeds);
  tree::read_bodies(w);
  users_ = find_users_derivatives(w, mechanism_.initial_now(), mechanism_.initial_q(), w.no_speeds);
}

/// usual: the slopes of its tension where it is stretched a little.
void StiffForces::add_spring(const Spring& spring, const TensionSlopes& usual, double step) {
  const double per_mass = inverse_mass(mechanism_, spring.frame_a.body) + inverse_mass(mechanism_, spring.frame_b.body);
  const double change = step * (step * std::abs(usual.by_length) + std::abs(usual.by_rate)) * per_mass;
  if (change > acceptance::soft) springs_.push_back(spring);
}

void StiffForces::add_law(const LawLoad& load) {
  LawSlopes slopes(mechanism_, load.law);
  const auto speeds = slopes.speeds();
  const auto own = std::find(speeds.begin(), speeds.end(), load.u);
  if (speeds.empty()) return;
  const int own_slot = own == speeds.end() ? -1 : int(own - speeds.begin());
  const bool has_row = speeds.size() > (own_slot >= 0 ? 1u : 0u);
  num_law_rows_ += has_row ? 1 : 0;
  laws_.push_back({load, std::move(slopes), own_slot, has_row});
}

void StiffForces::add_own_slopes(const Now& now, std::span<const double> q, std::span<const double> u, double weight,
                                 double alpha, double h, std::span<double> stiffness) {
  for (LawRow& law : laws_) {
    if (law.own < 0) continue;
    const LawSlopes::Slope slope = law.slopes.evaluate(now, q, u)[std::size_t(law.own)];
    stiffness[std::size_t(law.load.u)] += weight * (alpha * slope.by_displacement + slope.by_speed / h);
  }
}

/// The row is what a unit of the force does to the speeds; the other one the law's slopes, but the one that is a coordinate's
/// own.
void StiffForces::evaluate_law(tree::Workspace& w, LawRow& law, const Now& now, std::span<const double> q,
                               std::span<const double> u, double weight, double alpha, double h, double* right, double* left) {
  const std::size_t n = std::size_t(num_u_);
  std::fill_n(right, n, 0.0);
  std::fill_n(left, n, 0.0);
  if (law.load.on_speed()) {
    right[law.load.u] = 1;
  } else {
    const std::size_t body = std::size_t(law.load.place.body);
    std::fill(w.wrenches_B.begin(), w.wrenches_B.end(), Wrench<double>{});
    w.wrenches_B[body] = law.load.unit(w.X_WB[body]);
    tree::multiply_jacobian_transpose(w, w.wrenches_B, {right, n});
  }
  const auto slopes = law.slopes.evaluate(now, q, u);
  for (std::size_t k = 0; k < slopes.size(); ++k)
    if (int(k) != law.own)
      left[law.slopes.speeds()[k]] = -weight * (alpha * slopes[k].by_displacement + slopes[k].by_speed / h);
}

/// dl/dt = d . (v_b - v_a) along the line d between the ends: the row is what a unit tension along it, pushing the ends apart,
/// does to the speeds.
void StiffForces::evaluate_spring(tree::Workspace& w, const Spring& spring, const Now& now, double weight, double alpha,
                                  double h, double* right, double* left) {
  const auto end = [&](const FramePlace& frame) { return w.X_WB[frame.body] * frame.X_BF.p; };
  const std::size_t n = std::size_t(num_u_);
  const Vec3<double> p = end(spring.frame_b) - end(spring.frame_a);
  const double length = norm(p);
  std::fill_n(right, n, 0.0);
  std::fill_n(left, n, 0.0);
  if (length == 0) return;
  const Vec3<double> d = (1 / length) * p;
  std::fill(w.wrenches_B.begin(), w.wrenches_B.end(), Wrench<double>{});
  const auto push = [&](const FramePlace& frame, const Vec3<double>& force) {
    w.wrenches_B[frame.body] += shifted_back(Wrench<double>{{}, force}, end(frame) - w.X_WB[frame.body].p);
  };
  push(spring.frame_a, -d);
  push(spring.frame_b, d);
  tree::multiply_jacobian_transpose(w, w.wrenches_B, {right, n});
  const TensionSlopes slopes = spring.slopes(spring.force, now, length, 0);
  const double kappa = weight * (alpha * slopes.by_length + slopes.by_rate / h);
  for (std::size_t u = 0; u < n; ++u) left[u] = kappa * right[u];
}

bool StiffForces::find_users_derivatives(const tree::Workspace& w, const Now& now, std::span<const double> q,
                                         std::span<const double> u) {
  std::fill(by_displacement_.begin(), by_displacement_.end(), 0.0);
  std::fill(by_speed_.begin(), by_speed_.end(), 0.0);
  ForceDerivatives out{num_u_, by_displacement_, by_speed_};
  const Configuration at{mechanism_, now.t, q, u, w.X_WB, w.V_WB, now.z, now.discrete, now.inputs};
  return add_users_derivatives(at, {mechanism_, now.t, q, w.no_speeds, w.X_WB, w.at_rest}, w.scratches, out);
}

void StiffForces::evaluate(tree::Workspace& w, const Now& now, std::span<const double> q, std::span<const double> u,
                           double weight, double alpha, double h, std::span<double> right, std::span<double> left) {
  const std::size_t n = std::size_t(num_u_);
  tree::kinematics(w, q, u);
  tree::read_bodies(w);
  std::size_t row = 0;
  for (const Spring& spring : springs_) {
    evaluate_spring(w, spring, now, weight, alpha, h, right.data() + row * n, left.data() + row * n);
    ++row;
  }
  for (LawRow& law : laws_) {
    if (!law.has_row) continue;
    evaluate_law(w, law, now, q, u, weight, alpha, h, right.data() + row * n, left.data() + row * n);
    ++row;
  }
  if (!users_) return;
  find_users_derivatives(w, now, q, u);
  for (std::size_t i = 0; i < n; ++i, ++row)
    for (std::size_t j = 0; j < n; ++j) {
      right[row * n + j] = i == j ? 1 : 0;
      left[row * n + j] = -weight * (alpha * by_displacement_[i * n + j] + by_speed_[i * n + j] / h);
    }
}

}  // namespace polhode::variational
