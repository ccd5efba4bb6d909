#pragma once
#include <span>
#include <vector>

#include "polhode/maximal/joint_coordinates.h"

/// Between tree coordinates and bodies with coordinates of their own.
namespace polhode::maximal {

/// The two ways between them, with what they need of the mechanism worked out once. Does not allocate after it is built.
class TreeMap {
 public:
  explicit TreeMap(const Mechanism& mechanism);

  const Mechanism& mechanism() const { return mechanism_; }
  std::span<const JointCoordinates> joints() const { return joints_; }  ///< of body 1, 2, ...
  const JointCoordinates& joint_of(int body) const { return joints_[std::size_t(body - 1)]; }

  /// Poses and velocities of all bodies from coordinates and speeds. `bodies` gets its size here.
  void to_bodies(std::span<const double> q, std::span<const double> u, Bodies& bodies) const;

  /// Coordinates and speeds from poses and velocities; nearest ones where the bodies have slipped off their joints a little.
  /// On entry q holds coordinates near by: angles are counted on from them and quaternions keep their sign.
  void to_tree(const Bodies& bodies, std::span<double> q, std::span<double> u) const;

  /// Whether some joint's angles may change by half a turn while its body hardly moves: they must be read after every step.
  bool has_singular_places() const { return has_singular_places_; }

 private:
  Mechanism mechanism_;
  std::vector<JointCoordinates> joints_;
  bool has_singular_places_ = false;
};

/// The same for a single use.
void to_bodies(const Mechanism& mechanism, std::span<const double> q, std::span<const double> u, Bodies& bodies);
void to_tree(const Mechanism& mechanism, const Bodies& bodies, std::span<double> q, std::span<double> u);

/// Pose of the body's own frame B in Ground.
Transform<double> pose_of_body(const Mechanism& mechanism, int body, const BodyMotion& motion);

}  // namespace polhode::maximal
