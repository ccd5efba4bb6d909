#pragma once
/// A mechanism for tree-projected and its peer, described once for both.
///
/// Each link has a frame whose origin is its joint and whose axes are the world's while all coordinates are zero.
/// Peers are compiled as C++17, so this header is too.

#include <array>
#include <string>
#include <vector>

namespace polhode::bench {

using Triple = std::array<double, 3>;

inline constexpr int fixed_world = -1;  // as a parent or as a side of a closure

struct TreeLink {
  enum class Kind { hinge, slide, universal };
  int parent = fixed_world;
  Kind joint = Kind::hinge;
  Triple joint_at{};                // in the parent's frame [m]
  Triple axis{0, 1, 0};             // of the joint, at zero coordinates
  Triple axis2{};                   // of a universal joint, perpendicular to the first, carried with it
  Triple centre{};                  // of mass, in the link's frame [m]
  std::array<double, 6> inertia{};  // about the centre of mass, in the link's axes: xx yy zz xy xz yz [kg m^2]
  double mass = 1;                  // [kg]
  std::array<double, 2> q{}, u{};   // at the start [rad], [m], and per second
};

/// What closes a loop between two links.
struct LoopClosure {
  enum class Kind {
    planar,   // the point of b stays in two planes of a, normal to its x and z: 2 rows, enough where all moves in the x-z plane
    point,    // the points coincide: 3 rows
    pin,      // and `axis` of b stays perpendicular to two axes of a: 5 rows
    free_pin  // and to the first of those only: 4 rows
  };
  Kind kind = Kind::planar;
  int link_a, link_b;
  Triple p_a, p_b;                     // from the links' origins, in the links' axes [m]
  Triple axis{}, across{}, across2{};  // of a pin: in b's axes; in a's axes
};

struct LoopProblem {
  std::string name;
  Triple gravity{0, 0, -9.81};
  std::vector<TreeLink> links;  // parents first
  std::vector<LoopClosure> closures;
  double time = 10;       // to be timed over [s]
  double error_time = 1;  // over which errors are compared: short enough for them not to grow chaotically [s]
};

}  // namespace polhode::bench
