#pragma once
/// A mechanism to step through time, described once for every engine.
///
/// Each link has a frame whose origin is its joint and whose axes are the world's while all coordinates are zero.
/// Everything starts as a picture in the x-z plane; gravity is along -z.  Peers are compiled as C++17, so this header is too.

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace polhode::bench {

using Triple = std::array<double, 3>;
using Rotation = std::array<double, 9>;  // row after row

inline constexpr double gravity = 9.81;  // along the world's -z [m/s^2]
inline constexpr int world = -1;         // as a parent

enum class JointKind { hinge_about_y, ball, slide_along_x };

struct Link {
  int parent = world;
  JointKind joint = JointKind::hinge_about_y;
  Triple joint_at{};   // in the parent's frame [m]
  Triple centre{};     // of mass, in the link's frame [m]
  Triple inertia{};    // about the centre of mass, in the link's axes [kg m^2]; zero for a point mass
  double mass = 1;     // [kg]
  double q = 0;        // at the start: angle about y (of a ball joint too) [rad], or distance along x [m]
  double turning = 0;  // at the start: rate about the world's z; of a link on a ball joint at the world's origin [rad/s]
};

/// Two points, one on each link, that meet.  The mechanism is planar then, so x and z say it all.
struct Closure {
  int link_a, link_b;  // the second may be the world
  Triple p_a, p_b;     // from the links' origins, in the links' axes [m]
  bool pin = false;    // a hinge about y like those of the tree: Polhode closes the loop by a joint then
};

struct Problem {
  std::string name;
  std::vector<Link> links;  // parents first
  std::vector<Closure> closures;
  double dt = 0.01;             // [s]
  int steps = 1000;             //
  double energy_scale = 1;      // errors of the energy are given relative to this [J]
  std::vector<double> exact_x;  // x of link 0's centre after each step, where it is known [m]
};

/// How one link moves, in the world's axes.
struct BodyState {
  Triple centre{};    // of mass [m]
  Triple velocity{};  // of the centre of mass [m/s]
  Triple omega{};     // [rad/s]
  Rotation R{};       // link's axes to the world's
};

inline Rotation rotation_about_y(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c, 0, s, 0, 1, 0, -s, 0, c};
}

inline Triple rotated(const Rotation& R, const Triple& a) {
  return {R[0] * a[0] + R[1] * a[1] + R[2] * a[2], R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
          R[6] * a[0] + R[7] * a[1] + R[8] * a[2]};
}

inline Triple rotated_back(const Rotation& R, const Triple& a) {
  return {R[0] * a[0] + R[3] * a[1] + R[6] * a[2], R[1] * a[0] + R[4] * a[1] + R[7] * a[2],
          R[2] * a[0] + R[5] * a[1] + R[8] * a[2]};
}

inline Triple operator+(const Triple& a, const Triple& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Triple operator-(const Triple& a, const Triple& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

inline Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// A link as it is drawn at the start.
struct Drawn {
  Triple joint;    // its joint in the world [m]
  double angle;    // about y, from the world [rad]
  double turning;  // about the world's z [rad/s]
};

inline std::vector<Drawn> drawn_at_start(const Problem& problem) {
  std::vector<Drawn> drawn;
  for (const Link& link : problem.links) {
    Drawn here{link.joint_at, 0, link.turning};
    if (link.parent != world) {
      const Drawn& parent = drawn[link.parent];
      here = {parent.joint + rotated(rotation_about_y(parent.angle), link.joint_at), parent.angle,
              parent.turning + link.turning};
    }
    if (link.joint == JointKind::slide_along_x) {
      here.joint = here.joint + rotated(rotation_about_y(here.angle), {link.q, 0, 0});
    } else {
      here.angle += link.q;
    }
    drawn.push_back(here);
  }
  return drawn;
}

/// How every link moves at the start: what an engine must show before its first step.
inline std::vector<BodyState> start_of(const Problem& problem) {
  const std::vector<Drawn> drawn = drawn_at_start(problem);
  std::vector<BodyState> bodies;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const Rotation R = rotation_about_y(drawn[i].angle);
    const Triple centre = drawn[i].joint + rotated(R, problem.links[i].centre);
    const Triple omega{0, 0, drawn[i].turning};
    bodies.push_back({centre, cross(omega, centre), omega, R});  // what turns at the start turns about the origin
  }
  return bodies;
}

/// For engines that cannot move point masses.
inline Problem with_least_inertia(Problem problem, double least) {
  for (Link& link : problem.links) {
    for (double& I : link.inertia) I = I < least ? least : I;
  }
  return problem;
}

}  // namespace polhode::bench
