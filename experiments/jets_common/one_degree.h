#pragma once
#include <functional>
#include <vector>

#include "taylor.h"

/// The paper's mechanisms as what they are: one coordinate, from which the places of all bodies follow by geometry. Nothing of
/// the library is used here, so that it may be held against this.
namespace polhode::experiments::jets {

/// A body's place, by the coordinate: centre of mass and axes, in the world.
struct Placed {
  TaylorVector centre;
  std::array<TaylorVector, 3> axes;
};

struct BodyData {
  double mass;                    ///< [kg]
  std::array<double, 3> inertia;  ///< about the body's axes [kg m^2]
};

struct OneDegree {
  std::vector<BodyData> bodies;
  std::function<std::vector<Placed>(Taylor coordinate)> places;
  double torque;  ///< on the coordinate [N m]
  double start;   ///< of the coordinate, at rest [rad]
};

struct ExactMotion {
  std::vector<double> t{}, coordinate{};                      ///< [s], [rad]
  std::vector<std::vector<std::array<double, 3>>> centres{};  ///< by time and body [m]
};

/// At equal intervals, the start first. Gravity is 9.81 along -y. Throws std::logic_error if the energy says that the solution
/// is not exact to 1e-10 of what is exchanged.
ExactMotion follow(const OneDegree& mechanism, double interval, int intervals);

/// A rod's axes in the plane of x and y, given its unit direction.
std::array<TaylorVector, 3> axes_in_plane(const TaylorVector& along);

}  // namespace polhode::experiments::jets
