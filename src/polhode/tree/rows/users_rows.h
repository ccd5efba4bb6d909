#pragma once
#include "polhode/tree/rows/row_view.h"

/// Rows of users' own constraints (mechanism/constraints/custom_constraint.h), asked through virtual functions.
namespace polhode::tree::users_rows {

/// Reads X_WM, and H for the values; the values must be zero before.
void evaluate(const RowView& view, Workspace& w, double t, Numbers q, const RowOutput& out);
/// h_t and v_t, as Constraints::rates. Reads X_WM.
void rates(const RowView& view, Workspace& w, double t, Numbers q, NumbersOut h_t);
/// out = G u. Reads X_WM and V_WM.
void multiply(const RowView& view, Workspace& w, double t, Numbers q, Numbers u, NumbersOut out);
/// From G u to dh/dt and v. Reads X_WM.
void add_rates(const RowView& view, Workspace& w, double t, Numbers q, NumbersOut e);
/// Adds the rows' loads times lambda to F, at the origins of M, and to tau what acts on speeds directly. Reads X_WM.
void add_loads(const RowView& view, Workspace& w, double t, Numbers q, Numbers lambda, NumbersOut tau);
/// b with G du/dt = b. Reads X_WM, V_WM and A_WM.
void acceleration_bias(const RowView& view, Workspace& w, double t, Numbers q, Numbers u, NumbersOut b);

}  // namespace polhode::tree::users_rows
