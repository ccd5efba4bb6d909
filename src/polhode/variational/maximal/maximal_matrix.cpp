#include "polhode/variational/maximal/maximal_step.h"

#include <algorithm>
#include <cmath>

#include "polhode/variational/maximal/six_vector.h"

// The matrix of Newton's iteration on a step in maximal coordinates, and its right-hand side.
namespace polhode::variational {

using maximal::Bodies;
using maximal::row_width;

/// Derivatives of the impulses of springs and dampers by the displacements d at the far end over h. Velocities change by T d;
/// at the middle, where they matter, places change by half of h d.
void MaximalStep::add_struts(double h, double share, const Bodies& next) {
  if (!forces_at_middle_)
    for (std::size_t b = 1; b < moving_.size(); ++b) moving_[b].w = next[b].w, moving_[b].v = next[b].v;
  struts_.evaluate(forces_at_middle_ ? t_ + 0.5 * h : t_, moving_, near_, strut_rows_, stiffness_);
  for (const StrutBlock& s : strut_blocks_) {
    const double* rows = strut_rows_.data() + 2 * row_width * s.strut;
    const double *a = rows + s.side_a * row_width, *b = rows + s.side_b * row_width;
    const double c = share * h * stiffness_[std::size_t(s.strut)].c;
    const Turn& by = turns_[std::size_t(s.body_b)];
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

void MaximalStep::fill_matrix(double h, double share, const Bodies& next, double compliance) {
  matrix_.clear();
  for (int b = 1; b < mechanism_.num_bodies(); ++b) {
    const Inertia& inertia = inertias_[std::size_t(b)];
    const Vec3<double>& w = next[std::size_t(b)].w;
    const Turn& by = turns_[std::size_t(b)];
    put_diagonal(matrix_.body(b), momentum_by_rate(inertia.J, w, by, h) * matrix_T(by), inertia.mass);
  }
  matrix_.put_rows(values_here_, values_next_);
  if (!strut_blocks_.empty()) add_struts(h, share, next);
  if (compliance > 0) matrix_.add_compliances(values_here_, compliance);
}

void MaximalStep::right_hand_side(double h) {
  std::transform(residual_.begin() + row_width, residual_.end(), correction_.begin(), [](double r) { return -r; });
  put_constraint_part(1 / h);
}

/// The right-hand sides of the constraints' rows, -scale times errors_, and what they add to bodies without inertia.
void MaximalStep::put_constraint_part(double scale) {
  const maximal::SaddleLayout& layout = matrix_.layout();
  std::fill(correction_.begin() + layout.num_bodies() * row_width, correction_.end(), 0.0);
  for (int i = 0; i < int(layout.rows().size()); ++i)
    correction_[layout.place(i)] = -scale * errors_[std::size_t(layout.rows()[std::size_t(i)])];
  matrix_.add_weighted_rows(values_here_, correction_);
}

}  // namespace polhode::variational
