#include "polhode/tree/rows/row_sweeps.h"

#include "polhode/tree/kernels/kernels.h"

namespace polhode::tree::row_sweeps {

void read_poses(const RowView& view, Workspace& w) {
  w.kernels().read_poses(w.tree(), w.block(), view.active.touched_bodies, w.constraint.X_WM.data());
}

void read_poses_and_columns(const RowView& view, Workspace& w) {
  w.kernels().read_poses(w.tree(), w.block(), view.active.moved_bodies, w.constraint.X_WM.data());
  w.kernels().read_columns(w.tree(), w.block(), view.active.moving_speeds, w.constraint.H.data());
}

void read_velocities(const RowView& view, Workspace& w) {
  auto& buffers = w.constraint;
  const std::vector<int>& bodies = view.active.moved_bodies;
  w.kernels().read_poses(w.tree(), w.block(), bodies, buffers.X_WM.data());
  w.kernels().read_motions(w.tree(), w.block(), bodies, buffers.V_WM.data(), buffers.A_WM.data());
}

void velocities_of(const RowView& view, Workspace& w, Numbers u) {
  auto& buffers = w.constraint;
  read_poses_and_columns(view, w);
  for (const int body : view.active.resting) buffers.V_WM[body] = {};
  for (const Carrier& c : view.active.carriers) {
    Motion<double> V{};
    if (c.parent >= 0) V = shifted(buffers.V_WM[c.parent], buffers.X_WM[c.body].p - buffers.X_WM[c.parent].p);
    for (int k = c.first_u; k < c.first_u + c.nu; ++k) V += u[k] * buffers.H[k];
    buffers.V_WM[c.body] = V;
  }
}

/// What is below a path counts as not accelerated, as adding the acceleration of one rigid body to all that a row touches
/// changes nothing.
void sum_bias_accelerations(const RowView& view, Workspace& w) {
  const auto& X_WM = w.constraint.X_WM;
  auto& A = w.constraint.A_WM;
  for (const int body : view.active.resting) A[body] = {};
  for (const Carrier& c : view.active.carriers)
    if (c.parent >= 0) A[c.body] += shifted(A[c.parent], X_WM[c.body].p - X_WM[c.parent].p);
}

void begin_loads(const RowView& view, Workspace& w) {
  w.kernels().read_poses(w.tree(), w.block(), view.active.moved_bodies, w.constraint.X_WM.data());
  for (const int body : view.active.moved_bodies) w.constraint.F[body] = {};
}

void gather_loads(const RowView& view, Workspace& w, NumbersOut tau) {
  auto& buffers = w.constraint;
  const std::vector<Carrier>& carriers = view.active.carriers;
  w.kernels().read_columns(w.tree(), w.block(), view.active.moving_speeds, buffers.H.data());
  for (std::size_t i = carriers.size(); i-- > 0;) {
    const Carrier& c = carriers[i];
    const Wrench<double>& F = buffers.F[c.body];
    for (int k = c.first_u; k < c.first_u + c.nu; ++k) tau[k] += dot(F, buffers.H[k]);
    if (c.parent >= 0) buffers.F[c.parent] += shifted_back(F, buffers.X_WM[c.body].p - buffers.X_WM[c.parent].p);
  }
}

}  // namespace polhode::tree::row_sweeps
