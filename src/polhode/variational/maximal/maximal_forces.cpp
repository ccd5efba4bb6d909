#include "polhode/variational/maximal/maximal_step.h"

#include <algorithm>
#include <cmath>

#include "polhode/variational/maximal/six_vector.h"

// Forces in a step in maximal coordinates.
namespace polhode::variational {

using maximal::Bodies;
using maximal::row_width;

/// Whether a spring would swing by a radian or more in a step, or a damper stop its bodies, if they were free: k and c times
/// how much they give.
bool MaximalStep::has_stiff_springs(double step) {
  if (struts_.size() == 0) return false;
  maximal::Bodies start;
  constraints_.tree_map().to_bodies(mechanism_.initial_q(), mechanism_.initial_u(), start);
  struts_.evaluate({0, mechanism_.initial_inputs()}, start, mechanism_.initial_q(), strut_rows_, stiffness_);
  for (int i = 0; i < struts_.size(); ++i) {
    double gives = 0;
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? struts_.sides()[std::size_t(i)].a : struts_.sides()[std::size_t(i)].b;
      if (body == 0) continue;
      const double* row = strut_rows_.data() + (2 * i + side) * row_width;
      const MassProperties& mass = mechanism_.bodies()[std::size_t(body)].mass;
      const double turning = std::min({mass.inertia.xx, mass.inertia.yy, mass.inertia.zz});
      const double by_shift = dot(linear_part(row), linear_part(row)), by_rotation = dot(angular(row), angular(row));
      if (by_shift > 0) gives += by_shift / std::max(mass.mass, 1e-300);
      // A body without inertia moves with its neighbours, whose inertia is taken as the typical one.
      if (by_rotation > 0) gives += by_rotation / (turning > 0 ? turning : weight_);
    }
    const auto [k, c] = stiffness_[std::size_t(i)];
    if (step * (step * std::abs(k) + std::abs(c)) * gives > 1) return true;
  }
  return false;
}

/// The forces here, with velocities as given.
void MaximalStep::evaluate_loads(const Bodies& velocities) {
  if (forces_at_middle_) return;
  for (std::size_t b = 1; b < moving_.size(); ++b) {
    moving_[b].x = here_[b].x, moving_[b].r = here_[b].r;
    moving_[b].w = velocities[b].w, moving_[b].v = velocities[b].v;
  }
  forces_.evaluate(t_, moving_, near_, loads_);
}

/// Loads that velocities or places within the step change are found in solve().
void MaximalStep::change(const Outside& outside) {
  forces_.set(outside);
  evaluate_loads(here_);
}

/// The forces at the middle of the step, in axes there; in those of the start where Newton's equations are.
void MaximalStep::evaluate_loads_at_middle(double h, const Bodies& next) {
  for (std::size_t b = 1; b < moving_.size(); ++b) {
    const Turn half = half_turns_[b] = half_of(turns_[b]);
    const Quaternion<double>& r = here_[b].r;
    moving_[b].r = r * Quaternion<double>{half.e, half.n.x, half.n.y, half.n.z};
    moving_[b].x = here_[b].x + (0.5 * h) * next[b].v;
    moving_[b].w = next[b].w, moving_[b].v = next[b].v;
  }
  forces_.evaluate(t_ + 0.5 * h, moving_, near_, loads_at_middle_);
  for (std::size_t b = 1; b < moving_.size(); ++b) {
    const double* load = loads_at_middle_.data() + b * row_width;
    put(loads_.data() + b * row_width, in_axes_at_start(half_turns_[b], angular(load)), linear_part(load));
  }
}

void MaximalStep::kick(double h, double share, std::span<double> momenta) {
  if (forces_at_middle_)
    for (std::size_t b = 1; b < half_turns_.size(); ++b) {
      const double* load = loads_at_middle_.data() + b * row_width;
      put(loads_.data() + b * row_width, in_axes_at_end(half_turns_[b], angular(load)), linear_part(load));
    }
  for (std::size_t i = 0; i < momenta.size(); ++i) momenta[i] += share * h * loads_[i];
}

double MaximalStep::kinetic_energy(const Bodies& velocities) const {
  double twice = 0;
  for (std::size_t b = 1; b < velocities.size(); ++b) {
    const auto& [x, r, w, v] = velocities[b];
    twice += inertias_[b].mass * dot(v, v) + dot(w, inertias_[b].J * w);
  }
  return 0.5 * twice;
}

double MaximalStep::power(const Bodies& velocities) const {
  double sum = 0;
  for (std::size_t b = 1; b < velocities.size(); ++b) {
    const double* load = loads_.data() + b * row_width;
    sum += dot(angular(load), velocities[b].w) + dot(linear_part(load), velocities[b].v);
  }
  return sum;
}

}  // namespace polhode::variational
