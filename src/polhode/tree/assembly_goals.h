#pragma once
#include <vector>

#include "polhode/tree/dynamics.h"

/// What a configuration should come near to, where its constraints leave a choice: inverse kinematics.
/// Each goal adds weight * |error|^2 to what is made small.
namespace polhode::tree {

/// A point that is fixed in a frame (a marker) goes to a point in Ground. Error: their distance [m].
struct PointGoal {
  int frame;
  Vec3<double> target;
  double weight = 1;
  Vec3<double> point{};  ///< in the frame's axes
};
/// A frame turns to R_WF. Error: the rotation vector between the two [rad].
struct OrientationGoal {
  int frame;
  Mat3<double> target;
  double weight = 1;
};
/// A coordinate takes a value.
struct CoordinateGoal {
  int q;
  double target;
  double weight = 1;
};

struct Goals {
  std::vector<PointGoal> points;
  std::vector<OrientationGoal> orientations;
  std::vector<CoordinateGoal> coordinates;

  int num_rows() const { return 3 * int(points.size() + orientations.size()) + int(coordinates.size()); }
  bool empty() const { return num_rows() == 0; }
};

/// Throws std::invalid_argument for indices that do not exist, numbers that are not finite and negative weights.
void validate(const Goals& goals, const Mechanism& mechanism);

/// Errors times the roots of their weights, and their derivatives by speed (num_rows x num_u, row after row). Points first,
/// then orientations, then coordinates. Needs positions(w, q). `scratch` has 6 num_u numbers; without values no derivatives.
void goal_errors(Workspace& w, const Goals& goals, Numbers q, NumbersOut r, NumbersOut values, NumbersOut scratch);

}  // namespace polhode::tree
