#pragma once

namespace polhode {

/// What determines the motion of a speed and of the coordinate it belongs to (Simbody theory manual, table in 10.3).
///   forces        the equations of motion
///   acceleration  du/dt is known; u and q follow by integration
///   velocity      u is known; q follows by integration
///   position      q is known, and so u and du/dt
///   fast          q is where the forces on it balance, whatever the rest does; u = 0
enum class Drive : char { forces, acceleration, velocity, position, fast };

constexpr const char* name(Drive drive) {
  constexpr const char* names[] = {"forces", "acceleration", "velocity", "position", "fast"};
  return names[int(drive)];
}

}  // namespace polhode
