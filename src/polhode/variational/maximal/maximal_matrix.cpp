#include "polhode/variational/maximal/maximal_step.h"

#include <algorithm>
#include <cmath>

#include "polhode/variational/maximal/six_vector.h"

// The matrix of Newton's iteration on a step in maximal coordinates, and its right-hand side.
namespace polhode::variational {

using maximal::Bodies;
using maximal::row_width;

namespace {

/// A block of rows of eight as columns of eight, six of them.
template <int num_rows>
void transpose(const double* rows, double* columns, bool zeros_below) {
  for (int c = 0; c < 6; ++c)
    for (int i = 0; i < num_rows; ++i) columns[row_width * c + i] = rows[row_width * i + c];
  if (!zeros_below) return;
  for (int c = 0; c < 6; ++c)
    for (int i = num_rows; i < row_width; ++i) columns[row_width * c + i] = 0;
}
void transpose(int num_rows, const double* rows, double* columns, bool zeros_below) {
  switch (num_rows) {
    case 1: return transpose<1>(rows, columns, zeros_below);
    case 2: return transpose<2>(rows, columns, zeros_below);
    case 3: return transpose<3>(rows, columns, zeros_below);
    case 4: return transpose<4>(rows, columns, zeros_below);
    case 5: return transpose<5>(rows, columns, zeros_below);
    default: return transpose<6>(rows, columns, zeros_below);
  }
}

}  // namespace

void MaximalStep::fill_constraints(std::span<const double> here, std::span<const double> next) {
  for (const auto& element : constraints_.elements())
    for (int s = element.first_side; s < element.first_side + element.num_sides; ++s) {
      const std::size_t first = std::size_t(constraints_.sides()[std::size_t(s)].first_value);
      const SideBlocks& to = blocks_[std::size_t(s)];
      std::copy_n(here.data() + first, element.num_rows * row_width, to.columns);
      transpose(element.num_rows, next.data() + first, to.rows, to.is_first);
    }
}

void MaximalStep::augment(std::span<const double> here, std::span<const double> next) {
  for (const Pair& pair : pairs_) {
    const auto& element = constraints_.elements()[std::size_t(pair.element)];
    const double* a = here.data() + constraints_.sides()[std::size_t(pair.side_a)].first_value;
    const double* b = next.data() + constraints_.sides()[std::size_t(pair.side_b)].first_value;
    for (int i = 0; i < element.num_rows; ++i, a += row_width, b += row_width)
      for (int c = 0; c < 6; ++c)
        for (int r = 0; r < row_width; ++r) pair.block[row_width * c + r] += weight_ * a[r] * b[c];
  }
}

/// Derivatives of the impulses of springs and dampers by the displacements d at the far end over h. Velocities change by T d;
/// at the middle, where they matter, places change by half of h d.
void MaximalStep::add_struts(double h, double share, const Bodies& next) {
  if (!forces_at_middle_)
    for (std::size_t b = 1; b < moving_.size(); ++b) moving_[b].w = next[b].w, moving_[b].v = next[b].v;
  struts_.evaluate(forces_.now(forces_at_middle_ ? t_ + 0.5 * h : t_), moving_, near_, strut_rows_, stiffness_);
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

/// As parts of how much the rows give by themselves, G D^-1 G^T with the bodies' own inertia.
void MaximalStep::add_compliance(double compliance) {
  const auto elements = constraints_.elements();
  for (std::size_t e = 0; e < elements.size(); ++e) {
    double* entry = ldu_.diagonal(rows_of_[e].node) + rows_of_[e].first * (row_width + 1);
    for (int i = 0; i < elements[e].num_rows; ++i) {
      double gives = 0;
      for (const auto& side : constraints_.sides(elements[e])) {
        const double* row = values_here_.data() + side.first_value + i * row_width;
        const Inertia& inertia = inertias_[std::size_t(side.body)];
        gives += inertia.per_rotation * dot(angular(row), angular(row)) +
                 inertia.per_shift * dot(linear_part(row), linear_part(row));
      }
      entry[i * (row_width + 1)] -= compliance * gives;
    }
  }
}

void MaximalStep::fill_matrix(double h, double share, const Bodies& next, double compliance) {
  ldu_.clear();
  for (int b = 1; b < mechanism_.num_bodies(); ++b) {
    const Inertia& inertia = inertias_[std::size_t(b)];
    const Vec3<double>& w = next[std::size_t(b)].w;
    const Turn& by = turns_[std::size_t(b)];
    put_diagonal(diagonals_[std::size_t(b)], momentum_by_rate(inertia.J, w, by, h) * matrix_T(by), inertia.mass);
  }
  fill_constraints(values_here_, values_next_);
  augment(values_here_, values_next_);
  if (!strut_blocks_.empty()) add_struts(h, share, next);
  if (compliance > 0) add_compliance(compliance);
}

void MaximalStep::right_hand_side(double h) {
  std::transform(residual_.begin() + row_width, residual_.end(), correction_.begin(), [](double r) { return -r; });
  put_constraint_part(1 / h);
}

/// The right-hand sides of the constraints' rows, -scale times errors_, and what augment() makes of them in bodies' rows.
void MaximalStep::put_constraint_part(double scale) {
  for (const Pair& pair : pairs_) {
    if (pair.side_a != pair.side_b) continue;
    const auto& element = constraints_.elements()[std::size_t(pair.element)];
    const auto& side = constraints_.sides()[std::size_t(pair.side_a)];
    const double* row = values_here_.data() + side.first_value;
    double* on_body = correction_.data() + std::size_t(side.body - 1) * row_width;
    for (int i = 0; i < element.num_rows; ++i, row += row_width)
      for (int k = 0; k < row_width; ++k) on_body[k] -= weight_ * scale * errors_[std::size_t(element.first_row + i)] * row[k];
  }
  std::fill(correction_.begin() + (mechanism_.num_bodies() - 1) * row_width, correction_.end(), 0.0);
  for (std::size_t e = 0; e < rows_of_.size(); ++e) {
    const auto& element = constraints_.elements()[e];
    double* rows = correction_.data() + rows_of_[e].node * row_width + rows_of_[e].first;
    for (int i = 0; i < element.num_rows; ++i) rows[i] = -scale * errors_[std::size_t(element.first_row + i)];
  }
}

}  // namespace polhode::variational
