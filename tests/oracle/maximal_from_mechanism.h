#pragma once
#include <span>

#include "polhode/mechanism/mechanism.h"
#include "tests/oracle/maximal_system.h"

namespace polhode::oracle::maximal {

/// A mechanism of ball, revolute and free joints, closed loops included, with gravity and constant forces on bodies; all else
/// is refused with std::invalid_argument. Body b of the mechanism is bodies[b - 1] of the system.
System from_mechanism(const Mechanism& mechanism);

/// Where its bodies are and how they move, by definition (oracle.h).
Motions motions_of(const Mechanism& mechanism, std::span<const double> q, std::span<const double> u);

/// Pose of the mechanism's body b (from 1) in Ground.
Transform<double> pose_of_body(const Mechanism& mechanism, int body, const Motions& motions);

}  // namespace polhode::oracle::maximal
