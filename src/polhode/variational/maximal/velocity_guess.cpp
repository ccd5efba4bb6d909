#include "polhode/variational/maximal/velocity_guess.h"

#include <algorithm>
#include <cmath>

#include "polhode/variational/maximal/acceptance.h"

namespace polhode::variational {

VelocityGuess::VelocityGuess(std::size_t bodies, std::size_t rows) {
  for (Past& past : past_) {
    past.bodies.resize(bodies);
    past.lambda.resize(rows);
  }
}

void VelocityGuess::learn(double t_mid, const maximal::Bodies& bodies, std::span<const double> lambda, double around) {
  std::rotate(past_.begin(), past_.end() - 1, past_.end());
  past_[0].t_mid = t_mid;
  for (std::size_t b = 1; b < bodies.size(); ++b) past_[0].bodies[b] = {bodies[b].w, bodies[b].v};
  for (std::size_t i = 0; i < lambda.size(); ++i) past_[0].lambda[i] = lambda[i] / around;
  known_ = std::min(known_ + 1, num_past);
}

void VelocityGuess::guess(double t_mid, double around, maximal::Bodies& next, std::span<double> lambda) const {
  const double ahead = known_ < 2 ? 0 : (t_mid - past_[0].t_mid) / (past_[0].t_mid - past_[1].t_mid);
  std::array<double, num_past> c{1 + ahead, -ahead, 0, 0};
  if (follows_smoothly(t_mid)) c = {4, -6, 4, -1};
  const std::size_t n = c[3] != 0 ? 4 : 2;
  for (std::size_t b = 1; b < next.size(); ++b) {
    Velocities sum = c[0] * past_[0].bodies[b];
    for (std::size_t i = 1; i < n; ++i) sum = sum + c[i] * past_[i].bodies[b];
    next[b].w = sum.w;
    next[b].v = sum.v;
  }
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    double sum = c[0] * past_[0].lambda[k];
    for (std::size_t i = 1; i < n; ++i) sum += c[i] * past_[i].lambda[k];
    lambda[k] = around * sum;
  }
}

/// Whether t_mid and the last four steps are equally far apart, and the third differences of their velocities well below the
/// second ones. Those of motion that steps do not resolve, to and fro, are above.
bool VelocityGuess::follows_smoothly(double t_mid) const {
  if (known_ < num_past) return false;
  const double h = t_mid - past_[0].t_mid;
  for (std::size_t i = 1; i < num_past; ++i)
    if (!(std::abs(past_[i - 1].t_mid - past_[i].t_mid - h) <= acceptance::equal_steps * std::abs(h))) return false;
  double second = 0, third = 0;
  for (std::size_t b = 1; b < past_[0].bodies.size(); ++b) {
    const Velocities newer = past_[0].bodies[b] + -2.0 * past_[1].bodies[b] + past_[2].bodies[b];
    const Velocities older = past_[1].bodies[b] + -2.0 * past_[2].bodies[b] + past_[3].bodies[b];
    const Velocities change = newer + -1.0 * older;
    second += dot(newer.w, newer.w) + dot(newer.v, newer.v);
    third += dot(change.w, change.w) + dot(change.v, change.v);
  }
  return third <= acceptance::third_by_second * second;
}

double VelocityGuess::largest_change(const maximal::Bodies& next) const {
  double largest = 0;
  for (std::size_t b = 1; b < next.size(); ++b) {
    const Vec3<double> by = next[b].w - past_[0].bodies[b].w;
    largest = std::max(largest, dot(by, by));
  }
  return largest;
}

void VelocityGuess::remember(Memory& memory) {
  memory(known_);
  for (Past& past : past_) memory(past);
}

}  // namespace polhode::variational
