#include "problems.h"

#include "exact_lift.h"

namespace polhode::bench {
namespace {

constexpr double pi = 3.14159265358979323846;

/// Of mass 1 and length 1, along its own -z.
Link rod(int parent, Triple joint_at, double angle) {
  Link link;
  link.parent = parent;
  link.joint_at = joint_at;
  link.centre = {0, 0, -0.5};
  link.inertia = {1.0 / 12, 1.0 / 12, 0.01};
  link.q[0] = angle;
  return link;
}

/// The lower end of a rod, in its axes.
constexpr Triple end_of_rod{0, 0, -1};

Problem chain(int n, double angle, JointKind joint) {
  Problem problem;
  for (int i = 0; i < n; ++i) {
    problem.links.push_back(rod(i - 1, i == 0 ? Triple{} : end_of_rod, 0));
    problem.links.back().joint = joint;
  }
  if (joint == JointKind::ball) {
    problem.links[0].turn = quaternion_about({0, 1, 0}, angle);
  } else {
    problem.links[0].q[0] = angle;
  }
  problem.energy_scale = standard_gravity * n * n / 2;  // the horizontal chain above the hanging one
  return problem;
}

/// A link of the device: along its own -z, a point mass at `centre`, hung `offset` from its parent's joint.
Link arm(int parent, Triple offset, double centre, double angle) {
  Link link;
  link.parent = parent;
  link.joint_at = offset;
  link.centre = {0, 0, -centre};
  link.q[0] = angle;
  return link;
}

Closure planar_closure(int a, int b, const Triple& p_a, const Triple& p_b) { return {Closure::Kind::planar, a, b, p_a, p_b}; }

}  // namespace

Problem planar_chain(int n, double angle) {
  Problem problem = chain(n, angle, JointKind::hinge);
  problem.name = "planar chain";
  return problem;
}

Problem ball_chain(int n, double angle) {
  Problem problem = chain(n, angle, JointKind::ball);
  problem.name = "ball-joint chain";
  problem.links[0].omega = {0, 0, 1};
  return problem;
}

Problem closed_chain_device() {
  Problem problem;
  problem.name = "closed-chain device";
  // J, K and A as in trep's example; the other four close the loops to rounding.
  enum { J, H, K, M, A, C, E };
  problem.links = {
      arm(world, {0, 0, 0}, 0.5, -0.62255204),         // J
      arm(J, {0, 0, -1}, 1, 1.3475745936717858),       // H
      arm(world, {-1.5, 0, 0}, 1, 0.09570229),         // K
      arm(K, {0, 0, -2}, 0.5, -1.3423373429748695),    // M
      arm(world, {1.5, 0, 0}, 1, 0.03672044),          // A
      arm(A, {0, 0, -2}, 0.375, 1.2814322989550011),   // C
      arm(C, {0, 0, -0.75}, 0.5, 0.9280924516529816),  // E
  };
  problem.closures = {planar_closure(H, E, {0, 0, -1}, {0, 0, -1}), planar_closure(H, M, {0, 0, -2}, {0, 0, -1})};
  problem.steps = 12000;
  problem.energy_scale = 11.3211436110959;  // V(start) less the least V that the loops allow
  return problem;
}

Problem scissor_lift(int segments) {
  const ExactLift lift{.segments = segments};
  Problem problem;
  problem.name = "scissor lift";
  const double I = lift.link_inertia;

  Link slider;
  slider.joint = JointKind::slide;
  slider.axis = {1, 0, 0};
  slider.inertia = {I, I, I};
  slider.mass = lift.slider_mass;
  slider.q[0] = lift.length * std::cos(lift.start_angle);
  problem.links.push_back(slider);

  // Chain 0 starts at the world, chain 1 at the slider.  At every knot links of the two sides swap places, so the angles
  // from the horizontal are alternately theta and pi - theta.
  std::array<int, 2> last{world, 0};
  std::array<double, 2> last_angle{0, 0};
  for (int segment = 0; segment < lift.segments; ++segment) {
    for (int side = 0; side < 2; ++side) {
      const bool falls_to_the_right = (segment + side) % 2 == 0;
      const double angle = falls_to_the_right ? lift.start_angle : pi - lift.start_angle;
      Link link;
      link.parent = last[side];
      link.joint_at = {segment == 0 ? 0.0 : lift.length, 0, 0};
      link.centre = {lift.length / 2, 0, 0};
      link.inertia = {I, I, I};
      link.mass = lift.link_mass;
      link.q[0] = angle - last_angle[side];
      last_angle[side] = angle;
      last[side] = static_cast<int>(problem.links.size());
      problem.links.push_back(link);
    }
    const Triple middle{lift.length / 2, 0, 0};
    problem.closures.push_back(planar_closure(last[0], last[1], middle, middle));
  }
  problem.energy_scale = lift.energy_scale();
  problem.exact_x = lift.slider_positions(problem.dt, problem.steps);
  return problem;
}

Problem closed_chain(int n) {
  Problem problem;
  problem.name = "closed chain";
  constexpr double rise = 0.5;  // of the line between the ends [rad]
  Triple end{};
  double last_angle = 0;
  for (int i = 0; i < n; ++i) {
    // Down, round and up: directions from -90 to 90 degrees before all is turned; a rod that hangs points to -90 degrees.
    const double direction = rise + pi * ((i + 0.5) / n - 0.5), angle = -0.5 * pi - direction;
    problem.links.push_back(rod(i - 1, i == 0 ? Triple{} : end_of_rod, angle - last_angle));
    end = end + rotated(rotation_about({0, 1, 0}, angle), end_of_rod);
    last_angle = angle;
  }
  problem.closures = {{Closure::Kind::pin, n - 1, world, end_of_rod, end}};
  problem.energy_scale = standard_gravity * n * n / 2;
  return problem;
}

Problem four_bar_chain(int rhombi) {
  Problem problem;
  problem.name = "chain of four-bars";
  constexpr double tilt = 0.6;         // of the chain [rad]
  const double half = std::asin(0.6);  // the rods' angle from the long diagonal
  for (int i = 0; i < rhombi; ++i) {
    const int a = 4 * i, b = a + 1, c = a + 2, d = a + 3;  // upper left, upper right, below a, below b
    const int above = i == 0 ? world : c - 4;
    const double of_above = i == 0 ? -tilt : -half;  // so that the first ones stand at tilt
    const Triple top = i == 0 ? Triple{} : end_of_rod;
    problem.links.push_back(rod(above, top, half - of_above));
    problem.links.push_back(rod(above, top, -half - of_above));
    problem.links.push_back(rod(a, end_of_rod, -2 * half));
    problem.links.push_back(rod(b, end_of_rod, 2 * half));
    problem.closures.push_back({Closure::Kind::pin, c, d, end_of_rod, end_of_rod});
  }
  problem.energy_scale = standard_gravity * 4 * rhombi * 1.6 * rhombi / 2;  // all of it lifted by half of its length
  return problem;
}

Problem closed_ball_chain(int n) {
  Problem problem = closed_chain(n);
  problem.name = "closed ball-joint chain";
  for (Link& link : problem.links) {
    link.joint = JointKind::ball;
    link.turn = quaternion_about({0, 1, 0}, link.q[0]);
    link.q[0] = 0;
  }
  Closure& closure = problem.closures[0];
  closure.kind = Closure::Kind::point;
  problem.links[0].omega = (1 / length(closure.p_b)) * closure.p_b;
  return problem;
}

Problem double_pendulum() {
  Problem problem = planar_chain(2, 2 * pi / 3);
  problem.name = "double pendulum";
  problem.links[1].q[0] = -pi / 6;
  problem.steps = 360000;
  return problem;
}

Problem four_link_loop() {
  Problem problem;
  problem.name = "four-link loop";
  constexpr double left = 0.9, right = -0.1, half = 0.5;  // angles of the upper links; the short one's length
  const auto end = [](double angle) { return rotated(rotation_about({0, 1, 0}, angle), end_of_rod); };
  const auto angle_to = [](const Triple& d) { return std::atan2(-d[0], -d[2]); };
  // The lower corner: 1 from the end of the left link and a half from that of the right one, below both.
  const Triple a = end(left), b = end(right), across = b - a;
  const double apart = length(across), along = (apart * apart + 1 - half * half) / (2 * apart);
  Triple down = (1 / apart) * cross(across, {0, 1, 0});
  if (down[2] > 0) down = -1 * down;
  const Triple corner = a + (along / apart) * across + std::sqrt(1 - along * along) * down;

  problem.links = {rod(world, {}, left), rod(world, {}, right), rod(0, end_of_rod, angle_to(corner - a) - left),
                   rod(1, end_of_rod, angle_to(corner - b) - right)};
  Link& shorter = problem.links[3];
  shorter.mass = half;
  shorter.centre = {0, 0, -half / 2};
  shorter.inertia = {half * half * half / 12, half * half * half / 12, 0.005};
  problem.closures = {{Closure::Kind::pin, 2, 3, end_of_rod, {0, 0, -half}}};
  problem.steps = 6000;
  problem.energy_scale = standard_gravity * (0.5 + 0.5 + 1.5 + half * (1 + half / 2));  // as if each chain were lifted alone
  return problem;
}

}  // namespace polhode::bench
