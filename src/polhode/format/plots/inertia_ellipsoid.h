#pragma once
#include <optional>

#include "polhode/spatial/inertia.h"
#include "polhode/spatial/quaternion.h"

namespace polhode::format {

/// A solid of even density, for showing how mass is spread.
struct InertiaEllipsoid {
  Vec3<double> semiaxes;    ///< [m]; zero across thin rods and plates
  Quaternion<double> axes;  ///< from the ellipsoid's axes to the frame that the inertia is given in
};

/// The one with this mass and inertia about its centre; none for what has no inertia.
std::optional<InertiaEllipsoid> inertia_ellipsoid(const MassProperties& mass);

}  // namespace polhode::format
