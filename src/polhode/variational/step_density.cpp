#include "polhode/variational/step_density.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/tree/chart_move.h"

namespace polhode::variational {
namespace {

/// Differences in time go over this part of 1/Q: their truncation is the square of it, their rounding 1e-16 over the square.
constexpr double reach = 0.002;
/// Accelerations of this part of those that weights would cause are rounding; the motion is then at rest.
constexpr double at_rest = 1e-9;
/// rho may differ from Q by this factor, and from one step to the next by the other one.
constexpr double farthest = 4, most_change = 2;

/// The positive root of V x^3 + A x^2 = J x + S; 0 where nothing is on the right.
double positive_root(double V, double A, double J, double S) {
  if (!(J > 0 || S > 0)) return 0;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double by_V = V > 0 ? std::max(std::sqrt(2 * J / V), std::cbrt(2 * S / V)) : infinity;
  const double by_A = A > 0 ? std::max(2 * J / A, std::sqrt(2 * S / A)) : infinity;
  double x = std::min(by_V, by_A);  // above the root, where the polynomial is convex: Newton comes down to it
  for (int i = 0; i < 60 && std::isfinite(x); ++i) {
    const double value = ((V * x + A) * x - J) * x - S, slope = (3 * V * x + 2 * A) * x - J;
    const double next = x - value / slope;
    if (!(next < x * (1 - 1e-14))) break;
    x = next;
  }
  return x;
}

}  // namespace

StepDensity::StepDensity(const State& state, const Wanted& wanted)
    : dynamics_(state),
      workspace_(state.mechanism()),
      wanted_(wanted),
      eps_(std::pow(12 * wanted.accuracy, 1.0 / wanted.order)),
      largest_step_(wanted.largest_step),
      z_(state.z().begin(), state.z().end()),
      z_dot_(z_.size()) {
  for (Motion* motion : {&near_, &nearer_}) {
    motion->q.resize(state.q().size());
    motion->u.resize(state.u().size());
  }
  for (auto* by_speed : {&step_, &a_here_, &a_, &a_ahead_, &a_behind_, &momentum_, &u_}) by_speed->resize(state.u().size());
}

void StepDensity::set(const State& state) {
  dynamics_.set(state);
  restart();
}

void StepDensity::accelerate(double t, Numbers q, Numbers u, std::vector<double>& a) {
  dynamics_.evaluate(workspace_, t, q, u, z_, a, z_dot_);
}

void StepDensity::advance(Numbers q, Numbers u, Numbers a, double s, std::vector<double>& q1, std::vector<double>& u1) {
  for (std::size_t i = 0; i < u.size(); ++i) {
    step_[i] = s * (u[i] + 0.5 * s * a[i]);
    u1[i] = u[i] + s * a[i];
  }
  tree::move_on_charts(dynamics_.mechanism(), q, step_, q1);
}

/// As the mass matrix at workspace_'s positions measures it.
double StepDensity::square(const std::vector<double>& x) {
  tree::multiply_mass(workspace_, x, momentum_);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * momentum_[i];
  return sum;
}

/// Q.
double StepDensity::rate_at(double t, Numbers q, Numbers u, double delta) {
  accelerate(t, q, u, a_);
  advance(q, u, a_, delta, nearer_.q, nearer_.u);
  accelerate(t + delta, nearer_.q, nearer_.u, a_ahead_);
  advance(q, u, a_, -delta, nearer_.q, nearer_.u);
  accelerate(t - delta, nearer_.q, nearer_.u, a_behind_);
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double ahead = a_ahead_[i], behind = a_behind_[i];
    a_ahead_[i] = (ahead - behind) / (2 * delta);                   // from here on the third derivative
    a_behind_[i] = (ahead - 2 * a_[i] + behind) / (delta * delta);  // and the fourth
    u_[i] = u[i];
  }
  tree::positions(workspace_, q);
  const double x = positive_root(square(u_), square(a_) + weakest_, square(a_ahead_), square(a_behind_));
  const double floor = eps_ / largest_step_;
  return std::sqrt(x + floor * floor);
}

/// What rounding leaves of accelerations where weights and forces balance.
void StepDensity::find_weakest(double t, Numbers q, Numbers u) {
  accelerate(t, q, u, a_here_);
  tree::positions(workspace_, q);
  std::copy(u.begin(), u.end(), u_.begin());
  double mass = 0;
  for (const Body& body : dynamics_.mechanism().bodies()) mass += body.mass.mass;
  const Vec3<double>& g = dynamics_.mechanism().gravity();
  weakest_ = at_rest * at_rest * (mass * dot(g, g) + square(a_here_) + square(u_) / (largest_step_ * largest_step_));
}

/// A power of two, so that it is the same on the way back but where two of them meet.
double StepDensity::difference(double rate) const { return std::exp2(std::floor(std::log2(reach / rate))); }

/// G, and Q.
double StepDensity::log_slope(double t, Numbers q, Numbers u, double delta) {
  accelerate(t, q, u, a_here_);
  advance(q, u, a_here_, delta, near_.q, near_.u);
  const double ahead = std::log(rate_at(t + delta, near_.q, near_.u, delta));
  advance(q, u, a_here_, -delta, near_.q, near_.u);
  const double behind = std::log(rate_at(t - delta, near_.q, near_.u, delta));
  rate_ = std::exp(0.5 * (ahead + behind));
  return (ahead - behind) / (2 * delta);
}

double StepDensity::propose(double t, Numbers q, Numbers u, Numbers z) {
  std::copy(z.begin(), z.end(), z_.begin());
  if (!known_) {
    find_weakest(t, q, u);
    rate_ = eps_ / largest_step_;
    for (int i = 0; i < 4; ++i) rate_ = rate_at(t, q, u, difference(rate_));
    density_ = rate_;
    taken_ = 0;
  }
  const double slope = std::isfinite(density_) && density_ > 0 ? log_slope(t, q, u, difference(density_)) : std::nan("");
  if (!std::isfinite(slope) || !std::isfinite(rate_)) {  // a force jumps or has no value near here: as before
    proposed_ = std::isfinite(density_) ? std::max(density_, eps_ / largest_step_) : eps_ / largest_step_;
    return std::min(eps_ / proposed_, largest_step_);
  }
  const bool lost = density_ > farthest * rate_ || farthest * density_ < rate_;
  resets_ += lost;
  const double from = lost ? rate_ : density_;
  const double share = 0.5 * ((lost ? 0 : taken_) + eps_);
  proposed_ = std::clamp(from + share * slope, from / most_change, from * most_change);
  return std::min(eps_ / proposed_, largest_step_);
}

void StepDensity::took(double h) {
  known_ = true;
  density_ = proposed_;
  taken_ = std::min(h * proposed_, eps_);
}

}  // namespace polhode::variational
