#pragma once
#include "polhode/tree/rows/row_view.h"

/// Sweeps over the bodies on the paths of rows: what products with G and its transpose, and biases, read and leave, in the
/// workspace's buffers for constraints.
namespace polhode::tree::row_sweeps {

/// X_WM of the bodies that rows act on, after positions() or kinematics(); with H of the speeds that move them, too.
void read_poses(const RowView& view, Workspace& w);
void read_poses_and_columns(const RowView& view, Workspace& w);
/// X_WM, V_WM and each body's own part of A_WM as kinematics() left them, of all bodies that rows touch or that carry those.
void read_velocities(const RowView& view, Workspace& w);
/// The velocities V_WM that speeds u give, in place of those of the mechanism.
void velocities_of(const RowView& view, Workspace& w, Numbers u);
/// Accelerations A_WM at du/dt = 0 in place of each body's own part.
void sum_bias_accelerations(const RowView& view, Workspace& w);
/// Before loads are added to F: X_WM, and F = 0.
void begin_loads(const RowView& view, Workspace& w);
/// tau += what the loads F do to speeds; F ends as sums over what each carrier carries.
void gather_loads(const RowView& view, Workspace& w, NumbersOut tau);

}  // namespace polhode::tree::row_sweeps
