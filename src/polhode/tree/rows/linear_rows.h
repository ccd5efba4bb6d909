#pragma once
#include "polhode/tree/rows/row_view.h"

/// Rows that are linear in coordinates, functions of coordinates or speeds, as mechanism/constraints/linear_equation.h has
/// them: couplers, screws, gears, cams, prescribed coordinates, speeds and accelerations.
namespace polhode::tree::linear_rows {

void evaluate(const RowView& view, double t, Numbers q, const RowOutput& out);
/// h_t and v_t, as Constraints::rates; rows at acceleration level are left as they are.
void rates(const RowView& view, double t, NumbersOut h_t);
/// out = G u.
void multiply(const RowView& view, Numbers q, Numbers u, NumbersOut out);
/// tau += G^T lambda.
void add_loads(const RowView& view, Numbers q, Numbers lambda, NumbersOut tau);
/// From G u to dh/dt and v.
void add_rates(const RowView& view, double t, NumbersOut e);
void acceleration_bias(const RowView& view, double t, Numbers q, Numbers u, NumbersOut b);

}  // namespace polhode::tree::linear_rows
