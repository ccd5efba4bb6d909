#pragma once
#include "polhode/tree/rows/row_view.h"

/// Rows between frames: those of joints that close loops and of constraints between two frames. What a row is, is written in
/// mechanism/constraints/ and in the joints; here it meets poses, velocities and hinge columns of the tree.
namespace polhode::tree::frame_rows {

/// Reads X_WM, and H for the values; the values must be zero before.
void evaluate(const RowView& view, Workspace& w, const RowOutput& out);
/// Constraints::gaps. Reads X_WM.
void gaps(const RowView& view, const Workspace& w, double gap, NumbersOut allowed);
/// out = G u. Reads X_WM and V_WM.
void multiply(const RowView& view, const Workspace& w, NumbersOut out);
/// Adds the rows' loads times lambda to F, at the origins of M. Reads X_WM.
void add_loads(const RowView& view, Workspace& w, Numbers lambda);
/// b with G du/dt = b. Reads X_WM, V_WM and A_WM.
void acceleration_bias(const RowView& view, const Workspace& w, NumbersOut b);

}  // namespace polhode::tree::frame_rows
