#include "polhode/projected/tree/charts.h"

#include <algorithm>

namespace polhode::projected {
namespace {

/// Whether the joint's rates are its speeds, in a chart that is its coordinates.
template <int n>
constexpr bool has_plain_rates(const RatesAreSpeeds<n>*) {
  return true;
}
constexpr bool has_plain_rates(const void*) { return false; }

}  // namespace

Charts::Charts(const Mechanism& mechanism) : mechanism_(mechanism) {
  for (std::size_t b = 1; b < mechanism.joints().size(); ++b) {
    const Joint& j = mechanism.joints()[b];
    if (j.nq == 0) continue;
    if (!std::visit([](const auto& model) { return has_plain_rates(&model); }, j.model)) {
      curved_.push_back({int(b), j.first_q, j.nq, j.first_chart, j.nchart, j.first_u, j.nu});
      continue;
    }
    if (!flat_.empty()) {
      Run& last = flat_.back();
      if (last.first_q + last.size == j.first_q && last.first_chart + last.size == j.first_chart &&
          last.first_u + last.size == j.first_u) {
        last.size += j.nq;
        continue;
      }
    }
    flat_.push_back({j.first_q, j.first_chart, j.first_u, j.nq});
  }
}

void Charts::retract(const double* q0, const double* theta, double* q) const {
  for (const Run& run : flat_)
    for (int i = 0; i < run.size; ++i) q[run.first_q + i] = q0[run.first_q + i] + theta[run.first_chart + i];
  for (const Curved& c : curved_)
    std::visit([&](const auto& model) { model.retract(q0 + c.first_q, theta + c.first_chart, q + c.first_q); },
               mechanism_.joints()[std::size_t(c.joint)].model);
}

void Charts::rates(const double* q, const double* theta, const double* u, double* theta_dot) const {
  for (const Run& run : flat_)
    for (int i = 0; i < run.size; ++i) theta_dot[run.first_chart + i] = u[run.first_u + i];
  curved_rates(q, theta, u, theta_dot);
}

void Charts::curved_rates(const double* q, const double* theta, const double* u, double* theta_dot) const {
  for (const Curved& c : curved_)
    std::visit(
        [&](const auto& model) {
          model.rate_of_chart(q + c.first_q, theta + c.first_chart, u + c.first_u, theta_dot + c.first_chart);
        },
        mechanism_.joints()[std::size_t(c.joint)].model);
}

void Charts::normalize(double* q) const {
  constexpr double nowhere[CustomJoint::max_coordinates] = {};
  double moved[CustomJoint::max_coordinates];
  for (const Curved& c : curved_) {
    std::visit([&](const auto& model) { model.retract(q + c.first_q, nowhere, moved); },
               mechanism_.joints()[std::size_t(c.joint)].model);
    std::copy_n(moved, c.nq, q + c.first_q);
  }
}

}  // namespace polhode::projected
