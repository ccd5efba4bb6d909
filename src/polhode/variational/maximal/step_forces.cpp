#include "polhode/variational/maximal/step_forces.h"

#include <algorithm>
#include <cmath>

#include "polhode/variational/maximal/body_inertias.h"

namespace polhode::variational {

using maximal::Bodies;
using maximal::row_width;

StepForces::StepForces(const Mechanism& mechanism, double step)
    : mechanism_(mechanism),
      forces_(mechanism),
      struts_(mechanism),
      moving_(std::size_t(mechanism.num_bodies())),
      half_turns_(moving_.size()),
      loads_(moving_.size() * row_width),
      loads_at_middle_(loads_),
      strut_rows_(std::size_t(2 * row_width * struts_.num_rows())),
      stiffness_(std::size_t(struts_.size())) {
  forces_at_middle_ = has_stiff_springs(step);
}

std::vector<std::pair<int, int>> StepForces::couplings() const {
  std::vector<std::pair<int, int>> pairs;
  for (const maximal::Struts::Strut& strut : struts_.struts())
    for (const int a : bodies_of_row(strut.load))
      for (const int b : bodies_of_row(strut.read))
        if (a > 0 && b > 0 && a != b) pairs.emplace_back(a, b);
  return pairs;
}

std::array<int, 2> StepForces::bodies_of_row(int row) const {
  const maximal::Struts::Sides& sides = struts_.sides()[std::size_t(row)];
  return {sides.a, sides.b};
}

void StepForces::place_in(maximal::SaddleMatrix& matrix) {
  for (int i = 0; i < struts_.size(); ++i) {
    const auto [load, read] = struts_.struts()[std::size_t(i)];
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) {
        const int body_a = bodies_of_row(load)[std::size_t(a)], body_b = bodies_of_row(read)[std::size_t(b)];
        if (body_a > 0 && body_b > 0)
          strut_blocks_.push_back({i, 2 * load + a, 2 * read + b, body_a, body_b, matrix.coupling(body_a, body_b)});
      }
  }
}

/// How much a unit along a row moves its bodies, if they were free.
double StepForces::row_gives(int row, double weight) const {
  double gives = 0;
  for (int side = 0; side < 2; ++side) {
    const int body = bodies_of_row(row)[std::size_t(side)];
    if (body == 0) continue;
    const double* numbers = strut_rows_.data() + (2 * row + side) * row_width;
    const MassProperties& mass = mechanism_.bodies()[std::size_t(body)].mass;
    const double turning = std::min({mass.inertia.xx, mass.inertia.yy, mass.inertia.zz});
    const double by_shift = dot(linear_part(numbers), linear_part(numbers)),
                 by_rotation = dot(angular(numbers), angular(numbers));
    if (by_shift > 0) gives += by_shift / std::max(mass.mass, 1e-300);
    // A body without inertia moves with its neighbours, whose inertia is taken as the typical one.
    if (by_rotation > 0) gives += by_rotation / (turning > 0 ? turning : weight);
  }
  return gives;
}

/// Whether a spring would swing by a radian or more in a step, or a damper stop its bodies, if they were free: k and c times
/// how much they give. Laws may become stiff wherever they lead, and count as such.
bool StepForces::has_stiff_springs(double step) {
  if (struts_.size() == 0) return false;
  if (struts_.have_laws()) return true;
  const double weight = typical_mass(mechanism_);
  maximal::Bodies start;
  maximal::to_bodies(mechanism_, mechanism_.initial_q(), mechanism_.initial_u(), start);
  struts_.evaluate(mechanism_.initial_now(), start, mechanism_.initial_q(), strut_rows_, stiffness_);
  for (int i = 0; i < struts_.size(); ++i) {
    const auto [k, c] = stiffness_[std::size_t(i)];
    if (step * (step * std::abs(k) + std::abs(c)) * row_gives(struts_.struts()[std::size_t(i)].load, weight) > 1) return true;
  }
  return false;
}

void StepForces::evaluate_loads(const StepNode& here, const Bodies& velocities) {
  if (forces_at_middle_) return;
  for (std::size_t b = 1; b < moving_.size(); ++b)
    moving_[b] = {here.bodies[b].x, here.bodies[b].r, velocities[b].w, velocities[b].v};
  forces_.evaluate(here.t, moving_, here.near, loads_);
}

void StepForces::evaluate(const StepNode& here, double h, const Bodies& next, std::span<const Turn> turns) {
  if (forces_at_middle_) {
    evaluate_loads_at_middle(here, h, next, turns);
  } else if (forces_.depend_on_velocity()) {
    evaluate_loads(here, next);
  }
}

/// The forces at the middle of the step, in axes there; in those of the start where Newton's equations are.
void StepForces::evaluate_loads_at_middle(const StepNode& here, double h, const Bodies& next, std::span<const Turn> turns) {
  for (std::size_t b = 1; b < moving_.size(); ++b) {
    const Turn half = half_turns_[b] = half_of(turns[b]);
    moving_[b].r = here.bodies[b].r * Quaternion<double>{half.e, half.n.x, half.n.y, half.n.z};
    moving_[b].x = here.bodies[b].x + (0.5 * h) * next[b].v;
    moving_[b].w = next[b].w;
    moving_[b].v = next[b].v;
  }
  forces_.evaluate(here.t + 0.5 * h, moving_, here.near, loads_at_middle_);
  for (std::size_t b = 1; b < moving_.size(); ++b) {
    const double* load = loads_at_middle_.data() + b * row_width;
    put(loads_.data() + b * row_width, in_axes_at_start(half_turns_[b], angular(load)), linear_part(load));
  }
}

void StepForces::turn_to_end() {
  if (!forces_at_middle_) return;
  for (std::size_t b = 1; b < half_turns_.size(); ++b) {
    const double* load = loads_at_middle_.data() + b * row_width;
    put(loads_.data() + b * row_width, in_axes_at_end(half_turns_[b], angular(load)), linear_part(load));
  }
}

double StepForces::power(const Bodies& velocities) const {
  double sum = 0;
  for (std::size_t b = 1; b < velocities.size(); ++b) {
    const double* load = loads_.data() + b * row_width;
    sum += dot(angular(load), velocities[b].w) + dot(linear_part(load), velocities[b].v);
  }
  return sum;
}

/// Velocities change by T d; at the middle, where they matter, places change by half of h d.
void StepForces::add_struts(const StepNode& here, const StepSize& size, const Bodies& next, std::span<const Turn> turns) {
  if (strut_blocks_.empty()) return;
  const auto [h, share] = size;
  for (std::size_t b = 1; b < moving_.size() && !forces_at_middle_; ++b) {
    moving_[b].w = next[b].w;
    moving_[b].v = next[b].v;
  }
  struts_.evaluate(forces_.now(forces_at_middle_ ? here.t + 0.5 * h : here.t), moving_, here.near, strut_rows_, stiffness_);
  for (const StrutBlock& s : strut_blocks_) {
    const double *a = strut_rows_.data() + s.row_a * row_width, *b = strut_rows_.data() + s.row_b * row_width;
    const double c = share * h * stiffness_[std::size_t(s.strut)].c;
    const Turn& by = turns[std::size_t(s.body_b)];
    Vec3<double> load = angular(a), by_rotation = c * transpose_times(matrix_T(by), angular(b));
    double by_shift = c;
    if (forces_at_middle_) {
      const double k = share * h * 0.5 * h * stiffness_[std::size_t(s.strut)].k;
      load = in_axes_at_start(half_turns_[std::size_t(s.body_a)], load);
      by_rotation += k * in_axes_at_end(half_turns_[std::size_t(s.body_b)], angular(b));
      by_shift += k;
    }
    const double left[] = {load.x, load.y, load.z, a[3], a[4], a[5]};
    const double right[] = {by_rotation.x, by_rotation.y, by_rotation.z, by_shift * b[3], by_shift * b[4], by_shift * b[5]};
    for (int column = 0; column < 6; ++column)
      for (int row = 0; row < 6; ++row) s.block[row_width * column + row] += left[row] * right[column];
  }
}

}  // namespace polhode::variational
