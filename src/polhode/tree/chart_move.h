#pragma once
#include <vector>

#include "polhode/tree/dynamics.h"

/// Moving coordinates by small motions that are given by speed: what solvers for configurations take their steps with.
namespace polhode::tree {

/// q = q0 (+) step: every joint moves along its own chart, quaternions stay unit ones. q must not be q0.
void move_on_charts(const Mechanism& mechanism, Numbers q0, Numbers step, NumbersOut q);

/// By speed, a motion of order one: 1 rad where the speed turns something, `length` where it only shifts.
std::vector<double> motion_scales(const Mechanism& mechanism, double length);

/// The largest distance of a frame from Ground's origin, at least 0.01 m; needs positions().
double extent(Workspace& w);

/// By coordinate, the speed that is its rate, whatever q; -1 where there is none.
std::vector<int> speeds_of_coordinates(const Mechanism& mechanism);

}  // namespace polhode::tree
