#include "model_forces.h"

#include <fmt/format.h>

#include "convert.h"

namespace polhode::bench {
namespace {

class ForceReader {
 public:
  ForceReader(const OwnModel& own, const LinkFrames& frames, Problem& problem)
      : mechanism_(own.mechanism), frames_(frames), links_(problem.links) {}

  void add() {
    const Forces& forces = mechanism_.forces();
    refuse_others(forces);
    for (const CoordinateForce& force : forces.of<CoordinateForce>())
      single(force.coordinate.u, "a force").drive += force.value;
    for (const CoordinateSpring& spring : forces.of<CoordinateSpring>())
      add_spring(spring.coordinate.u, spring.rest, {spring.stiffness});
    for (const NonlinearCoordinateSpring& spring : forces.of<NonlinearCoordinateSpring>()) {
      const auto* powers = std::get_if<ForceLaw::Powers>(&spring.law.form());
      if (!powers || powers->stiffnesses.size() > 3) refuse(fmt::format("the spring of {}", speed_name(spring.coordinate.u)));
      add_spring(spring.coordinate.u, spring.rest, powers->stiffnesses);
    }
    for (const BodyForce& force : forces.of<BodyForce>()) add_torque(force);
    add_dampings(forces.of<CoordinateDamping>());
  }

 private:
  std::string speed_name(int u) const { return fmt::format("\"{}\"", mechanism_.speed_names()[std::size_t(u)]); }

  static void refuse_others(const Forces& forces) {
    forces.for_each([]<class F>(const F&) {
      if constexpr (UsersForceType<F>) refuse("force elements of the user's");
      if constexpr (std::is_same_v<F, CoordinateInput>) refuse("forces that depend on time");
      if constexpr (std::is_same_v<F, GravityLift>) refuse("bodies without weight");
      if constexpr (LineForceType<F>) refuse("springs between points");
      if constexpr (BodyForceType<F> && !std::is_same_v<F, BodyForce>) refuse("forces on bodies that depend on where they are");
    });
  }

  int body_of_speed(int u) const {
    int body = mechanism_.num_bodies() - 1;
    const auto has_it = [&](const Joint& joint) { return joint.first_u <= u && u < joint.first_u + joint.nu; };
    while (!has_it(mechanism_.joints()[std::size_t(body)])) --body;
    return body;
  }

  Link& link_of_speed(int u, const char* what) {
    const int body = body_of_speed(u);
    if (frames_.role(body) != BodyRole::link || frames_.first_of_root(body) != body) {
      refuse(fmt::format("{} on {}", what, speed_name(u)));
    }
    return links_[std::size_t(frames_.link_of(body))];
  }

  /// The link whose only speed it is.
  Link& single(int u, const char* what) {
    Link& link = link_of_speed(u, what);
    const bool is_twin = mechanism_.joints()[std::size_t(body_of_speed(u))].nu != 1;
    if (is_twin) refuse(fmt::format("{} on {}", what, speed_name(u)));
    return link;
  }

  void add_spring(int u, double rest, const std::vector<double>& stiffness) {
    Link& link = single(u, "a spring");
    if (link.has_spring()) refuse(fmt::format("two springs on {}", speed_name(u)));
    link.rest = rest;
    for (std::size_t i = 0; i < stiffness.size(); ++i) link.stiffness[i] = stiffness[i];
  }

  /// Along a hinge on the world a torque does the same work as a force on the angle.
  void add_torque(const BodyForce& force) {
    const Joint& joint = mechanism_.joints()[std::size_t(force.body.body)];
    const Body& body = mechanism_.bodies()[std::size_t(force.body.body)];
    const std::string what = fmt::format("the force on body \"{}\"", body.name);
    if (norm(force.force) > 0 || body.parent != 0 || !std::holds_alternative<Revolute>(joint.model)) refuse(what);
    const Vec3<double> axis = (joint.reversed ? -1.0 : 1.0) * (force.in_ground ? joint.X_PF.R.col[2] : joint.X_BM.R.col[2]);
    const double along = dot(force.torque, axis);
    if (norm(force.torque - along * axis) > 1e-12 * norm(force.torque)) refuse(what);
    links_[std::size_t(frames_.link_of(force.body.body))].drive += along;
  }

  void add_dampings(const std::vector<CoordinateDamping>& dampings) {
    std::vector<double> by_speed(std::size_t(mechanism_.num_u()));
    for (const CoordinateDamping& damping : dampings) {
      if (damping.quadratic != 0) refuse(fmt::format("quadratic damping of {}", speed_name(damping.coordinate.u)));
      by_speed[std::size_t(damping.coordinate.u)] += damping.damping;
    }
    for (const CoordinateDamping& damping : dampings) {
      const Joint& joint = mechanism_.joints()[std::size_t(body_of_speed(damping.coordinate.u))];
      Link& link = link_of_speed(damping.coordinate.u, "damping");
      link.damping = by_speed[std::size_t(damping.coordinate.u)];
      for (int i = 0; i < joint.nu; ++i) {
        if (by_speed[std::size_t(joint.first_u + i)] != link.damping || link.joint == JointKind::free) {
          refuse(fmt::format("damping of joint \"{}\" that is not alike about all its axes", joint.name));
        }
      }
    }
  }

  const Mechanism& mechanism_;
  const LinkFrames& frames_;
  std::vector<Link>& links_;
};

}  // namespace

void add_forces(const OwnModel& own, const LinkFrames& frames, Problem& problem) { ForceReader(own, frames, problem).add(); }

}  // namespace polhode::bench
