#pragma once
/// A mechanism to step through time, described once for every engine.
///
/// Each link has a frame whose origin is its joint.  Peers are compiled as C++17, so this header is too.

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "triple.h"

namespace polhode::bench {

inline constexpr double standard_gravity = 9.81;  // [m/s^2]
inline constexpr int world = -1;                  // as a parent, or as the second side of a closure

enum class JointKind { hinge, slide, universal, ball, free };

struct Link {
  int parent = world;
  JointKind joint = JointKind::hinge;
  Triple joint_at{};        // in the parent's frame [m]
  Rotation zero = no_turn;  // link's axes to the parent's while the joint's coordinates are zero
  Triple axis{0, 1, 0};     // of a hinge or slide, and the first of a universal joint, which the parent carries; at zero
                            // coordinates in the link's axes
  Triple axis2{};           // of a universal joint: perpendicular to the first, carried by the link
  Triple centre{};          // of mass, in the link's frame [m]
  Triple inertia{};         // about the centre of mass, in the link's axes [kg m^2]; zero for a point mass
  double mass = 1;          // [kg]

  // The start.
  std::array<double, 2> q{};    // of a hinge, slide or universal joint [rad], [m]
  std::array<double, 2> u{};    // their rates
  Quaternion turn{1, 0, 0, 0};  // of a ball or free joint: the link is at `zero` times this
  Triple omega{};               // of a ball or free joint: relative to the parent, in the parent's axes [rad/s]
  Triple shift{};               // of a free joint: of the link's origin from joint_at, in the parent's axes [m]
  Triple velocity{};            // and its rate [m/s]

  // Forces on the coordinate of a hinge or slide [N m], [N].
  double drive = 0;                   // constant
  double rest = 0;                    // of the spring
  std::array<double, 3> stiffness{};  // the spring pulls with s[0] x + s[1] x^2 + s[2] x^3, x = q - rest
  double damping = 0;                 // of every coordinate, of ball and universal joints too: the same about all axes

  bool has_spring() const { return stiffness[0] != 0 || stiffness[1] != 0 || stiffness[2] != 0; }
  /// On the coordinate: drive and spring, without damping.
  double force_at(double coordinate) const {
    const double x = coordinate - rest;
    return drive - x * (stiffness[0] + x * (stiffness[1] + x * stiffness[2]));
  }
};

/// What closes a loop between two links.
struct Closure {
  enum class Kind {
    planar,  // the point of b stays on the line through the point of a along a's y axis: 2 equations
    point,   // the points meet: 3 equations
    pin,     // and so do the links' y axes, as in the hinges of a planar mechanism: 5 equations
    rod      // the points stay `length` apart: 1 equation
  };
  Kind kind = Kind::planar;
  int link_a, link_b;  // the second may be the world
  Triple p_a, p_b;     // from the links' origins, in the links' axes [m]
  double length = 0;   // of a rod [m]
  /// Where p_b is in the world at a time, and how fast: of a rod whose upper end is moved; link_b is the world then.
  std::function<void(double t, Triple& position, Triple& velocity)> hook{};
};

struct Problem {
  std::string name;
  std::vector<Link> links;  // parents first
  std::vector<Closure> closures;
  Triple gravity{0, 0, -standard_gravity};  // [m/s^2]
  double dt = 0.01;                         // [s]
  int steps = 1000;                         //
  double energy_scale = 1;                  // errors of the energy are given relative to this [J]
  std::vector<double> exact_x;              // x of link 0's centre after each step, where it is known [m]

  /// Polhode's own model, where the problem was made from one (from_mechanism.h); else Polhode builds it from the links.
  std::shared_ptr<const struct OwnModel> own;

  /// Nothing feeds or takes energy but the drives, whose work is known.
  bool is_conservative() const {
    for (const Link& link : links) {
      if (link.damping != 0) return false;
    }
    for (const Closure& closure : closures) {
      if (closure.hook) return false;
    }
    return true;
  }
};

/// How one link moves, in the world's axes.
struct BodyState {
  Triple centre{};    // of mass [m]
  Triple velocity{};  // of the centre of mass [m/s]
  Triple omega{};     // [rad/s]
  Rotation R{};       // link's axes to the world's
};

/// The frame of a link in the world.
struct LinkFrame {
  Triple origin{};  // its joint [m]
  Rotation R = no_turn;
  Triple velocity{};  // of the origin [m/s]
  Triple omega{};     // [rad/s]
};

/// Every link as it is at the start.
std::vector<LinkFrame> frames_at_start(const Problem& problem);

/// How every link moves at the start: what an engine must show before its first step.
std::vector<BodyState> start_of(const Problem& problem);

/// Where a point of a link is, that is given in its frame.
inline Triple point_on(const LinkFrame& frame, const Triple& p) { return frame.origin + rotated(frame.R, p); }

/// Whether the links that a closure joins cannot leave the plane across its first link's y axis, being carried by hinges along
/// it and slides across it alone.  A planar closure, a point and a pin are the same then, but for equations that say nothing.
bool stays_in_plane(const Problem& problem, const Closure& closure);

/// The link with no moment of inertia less than a millionth of what its joint feels, for engines that cannot do without.
Link with_some_inertia(Link link);

/// For engines that cannot move point masses: so much where there is none at all, what is light stays as it is.
Problem with_some_inertia(Problem problem, double some);

}  // namespace polhode::bench
