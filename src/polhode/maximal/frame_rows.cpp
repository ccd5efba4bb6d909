#include "polhode/maximal/frame_rows.h"

#include <algorithm>

#include "polhode/spatial/along.h"

namespace polhode::maximal {
namespace {

template <class T>
void rows_of(const Constraint& constraint, const Transform<T>* X, FrameRow<T>* rows) {
  std::visit(
      [&](const auto& model) {
        using Model = std::remove_cvref_t<decltype(model)>;
        if constexpr (FrameConstraint<Model>) {
          model.evaluate(X[0], X[1], rows);
        } else if constexpr (CaseConstraint<Model>) {
          model.evaluate(X[0], X[1], X[2], rows);
        }
      },
      constraint.model);
}

}  // namespace

void FrameRows::evaluate(Poses X_WC, double* h, double* values) const {
  Transform<double> X[3];
  for (int i = 0; i < num_places; ++i) X[i] = places[i].pose(X_WC);
  FrameRow<double> rows[most_rows];
  rows_of(*constraint, X, rows);
  for (int i = 0; i < num_rows; ++i) h[first_row + i] = rows[i].value;
  if (values == nullptr) return;
  // Both frames may be on one body: then their loads add up.
  for (int side = 0; side < 2; ++side)
    if (places[side].first_value >= 0) std::fill_n(values + places[side].first_value, num_rows * row_width, 0.0);
  for (int side = 0; side < 2; ++side) {
    const Place& place = places[side];
    if (place.first_value < 0) continue;
    const Vec3<double> r = place.arm(X[side], X_WC);
    double* row = values + place.first_value;
    for (int i = 0; i < num_rows; ++i, row += row_width)
      add_load(X_WC[place.body].R, r, side == 0 ? rows[i].on_a : rows[i].on_b, row);
  }
}

/// The row's rate as a dual number along the motion with d(w, v)/dt = 0: its slope is dG/dt (w, v).
void FrameRows::bias(Poses X_WC, Velocities V_WC, double* b) const {
  Transform<Dual<double>> X[3];
  Motion<Dual<double>> V[3];
  for (int i = 0; i < num_places; ++i) {
    const Transform<double> X_WF = places[i].pose(X_WC);
    const Vec3<double> r = places[i].arm(X_WF, X_WC);
    const Motion<double> V_WF = places[i].velocity(V_WC, r);
    X[i] = along(X_WF, V_WF);
    V[i] = along(V_WF, places[i].bias_acceleration(V_WC, r));
  }
  FrameRow<Dual<double>> rows[most_rows];
  rows_of(*constraint, X, rows);
  for (int i = 0; i < num_rows; ++i) b[first_row + i] = -(dot(rows[i].on_a, V[0]) + dot(rows[i].on_b, V[1])).slope;
}

/// As joints that keep origins or axes together.
void FrameRows::turn_frames(std::span<const Vec3<double>> normals) {
  const auto& model = constraint->model;
  if (!std::holds_alternative<CoincidentPoints>(model) && !std::holds_alternative<CoincidentFrames>(model) &&
      !std::holds_alternative<ConstantOrientation>(model))
    return;
  const Mat3<double> turn = rotation_with_z(transpose_times(places[0].X_CF.R, normals[std::size_t(places[0].body)]));
  for (int i = 0; i < 2; ++i) places[i].X_CF.R = places[i].X_CF.R * turn;
}

}  // namespace polhode::maximal
