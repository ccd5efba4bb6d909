#pragma once
#include <string>
#include <vector>

#include "polhode/mechanism/joint_model.h"

/// Questions about a joint of any type that are asked once, while a mechanism is built.
namespace polhode {

std::vector<double> zero_coordinates(const JointModel& model);
/// Coordinates with no symmetry about them: what holds here holds almost everywhere. Two different ones for two samples.
std::vector<double> generic_coordinates(const JointModel& model, int sample);

Transform<double> pose_at(const JointModel& model, const std::vector<double>& q);
std::vector<Motion<double>> hinge_columns(const JointModel& model, const std::vector<double>& q);
std::vector<double> coordinates_of_pose(const JointModel& model, const Transform<double>& X_FM);

/// For each coordinate the speed that is its rate, whatever q; -1 where there is none, as for a quaternion's components.
std::vector<int> speed_of_coordinate(const JointModel& model);

/// By speed of the joint: it turns the child, if only besides moving it, so that it is measured in angles. Two generic places
/// show it without asking joint types, users' own included, to declare it.
std::vector<bool> turning_speeds(const JointModel& joint);

/// What is wrong with the numbers that belong to the joint's type, such as a screw's lead; empty when nothing is.
std::string problem_with_parameters(const JointModel& model);

/// Moves q onto the joint's own manifold, which makes quaternions unit ones; false when there is no way, as from (0, 0, 0, 0).
bool normalize_coordinates(const JointModel& model, double* q);

}  // namespace polhode
