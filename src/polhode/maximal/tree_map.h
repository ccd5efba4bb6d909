#pragma once
#include <span>

#include "polhode/maximal/body_motion.h"
#include "polhode/mechanism/mechanism.h"

/// Between tree coordinates and bodies with coordinates of their own.
namespace polhode::maximal {

/// Poses and velocities of all bodies from coordinates and speeds.
void to_bodies(const Mechanism& mechanism, std::span<const double> q, std::span<const double> u, Bodies& bodies);

/// Coordinates and speeds from poses and velocities; nearest ones where the bodies have slipped off their joints a little.
/// On entry q holds coordinates near by: angles are counted on from them and quaternions keep their sign.
void to_tree(const Mechanism& mechanism, const Bodies& bodies, std::span<double> q, std::span<double> u);

/// Pose of the body's own frame B in Ground, and velocity of B's origin in Ground axes.
Transform<double> pose_of_body(const Mechanism& mechanism, int body, const BodyMotion& motion);
Motion<double> velocity_of_body(const Mechanism& mechanism, int body, const BodyMotion& motion);

}  // namespace polhode::maximal
