#pragma once
#include <span>
#include <vector>

#include "polhode/mechanism/mechanism.h"

/// The mechanism as discrete mechanics sees it.
namespace polhode::variational {

/// One link of the tree that the discrete Lagrangian is written on, hanging in its parent by a single primitive joint.
///
/// Joints of several degrees whose speeds are the rates of their coordinates (universal, planar, gimbal, ...) are chains of
/// pins and sliders on links without mass: that changes neither coordinates nor Lagrangian, and every pin, slider and screw
/// has a hinge column that is constant in its link's frame, which is what makes the second variation simple. Welds disappear
/// in the link that they are welded to. What is left is `general`: joints that turn on the group, and users' own.
struct Link {
  enum class Kind : int { pin, slider, screw, general };
  int parent;
  Kind kind;
  int first_u, nu;    ///< speeds of the mechanism, which are the link's degrees of freedom
  int first_q;        ///< of the first of its coordinates
  int general = -1;   ///< index among the general links, or -1
  bool held = false;  ///< driven or locked: its increment is given, not solved for
  bool massless = false;
  bool gathers = false;  ///< has more than one child
  bool opens = false;    ///< the highest-numbered child of a parent that gathers: the first that an inward sweep meets
  double R_PF[9] = {}, p_PF[3] = {};  ///< where the joint sits in the parent link's frame; columns of R one after another
  double lead = 0;                    ///< of a screw [m/rad]
  double mass = 0, first_moment[3] = {}, inertia[6] = {};  ///< about the link's origin, in its frame: xx yy zz xy xz yz
  double mass_outboard = 0;                                ///< of the link and of all that hangs on it [kg]
};

/// A joint whose motion over a step is not just the addition of numbers.
struct GeneralJoint {
  enum class Kind : int {
    turning,  ///< R1 = exp(theta) R0: ball, and the turning part of free, reversed or not, with two axes or three
    other     ///< ellipsoid, function-based, custom: through the joint's own functions
  };
  Kind kind;
  int link;
  int joint;  ///< in the mechanism
  int first_q, first_u, nu;
  bool reversed;
  bool speeds_in_moving_frame;  ///< speeds are about axes of M (line orientation), otherwise of F
  /// Two axes only, although what turns would feel the third one: its spin is held by a nonholonomic rule. Otherwise what has
  /// two axes is a line, and nothing depends on its spin.
  bool holds_spin;
};

class DiscreteTree {
 public:
  explicit DiscreteTree(const Mechanism& mechanism);

  const std::vector<Link>& links() const { return links_; }  ///< links()[0] is Ground
  const std::vector<GeneralJoint>& general() const { return general_; }
  int num_u() const { return num_u_; }
  /// By speed: the coordinate whose rate it is; -1 for the speeds of general joints.
  const std::vector<int>& coordinate_of_speed() const { return coordinate_of_speed_; }
  /// Magnitude of gravity, which points along -z of the frame that the links' tree is rooted in [m/s^2].
  double gravity() const { return gravity_; }
  /// By speed, not 0 where it is driven; all speeds of a link or none.
  void hold(std::span<const char> driven);

 private:
  friend class DiscreteTreeBuilder;
  std::vector<Link> links_;
  std::vector<GeneralJoint> general_;
  std::vector<int> coordinate_of_speed_;
  int num_u_ = 0;
  double gravity_ = 0;
};

}  // namespace polhode::variational
