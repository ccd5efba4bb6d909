#include "from_mechanism.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "convert.h"
#include "link_frames.h"
#include "model_closures.h"
#include "model_forces.h"
#include "polhode/format/language/model.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"

namespace polhode::bench {
namespace {

State assembled_start(const Mechanism& mechanism) {
  State start = tree::initial_state(mechanism);
  const tree::Assembly assembly = tree::assemble(start, tree::given_by_model(mechanism));
  if (!assembly.assembled) throw std::runtime_error(fmt::format("the start cannot be assembled: {}", assembly.worst));
  return start;
}

Quaternion quaternion_from(const Mat3<double>& R) {
  const auto q = quaternion(R);
  return {q.w, q.x, q.y, q.z};
}

/// One link after another, each from its body's joint.
class Links {
 public:
  Links(const OwnModel& own, const LinkFrames& frames) : own_(own), frames_(frames), state_(own.start) {
    tree::realize(state_, Stage::velocity);
  }

  Link link(int body) const {
    const Body& b = own_.mechanism.bodies()[std::size_t(body)];
    const int first = frames_.first_of_root(body);
    const int parent = own_.mechanism.bodies()[std::size_t(first)].parent;
    Link link;
    link.parent = frames_.link_of(parent);
    if (parent != 0 && link.parent == world) refuse(fmt::format("body \"{}\" on a moved hook", b.name));
    const Transform<double>& X_BL = frames_.on_body(body);
    link.mass = b.mass.mass;
    link.centre = triple(inverse(X_BL) * b.mass.com);
    const SymMat3<double> I = rotated(transpose(X_BL.R), b.mass.inertia);
    link.inertia = {I.xx, I.yy, I.zz};
    first == body ? add_joint(body, parent, link) : add_root(body, first, parent, link);
    return link;
  }

 private:
  void add_joint(int body, int parent, Link& link) const {
    const Joint& joint = own_.mechanism.joints()[std::size_t(body)];
    const Transform<double>& X_BL = frames_.on_body(body);
    const Transform<double> at_zero = inverse(frames_.on_body(parent)) * joint.X_PF * joint.X_MB * X_BL;
    link.joint_at = triple(at_zero.p);
    link.zero = rows_of(at_zero.R);
    const Mat3<double> R_LM = transpose(X_BL.R) * joint.X_BM.R;
    const double sign = joint.reversed ? -1 : 1;
    const auto q = state_.q().subspan(std::size_t(joint.first_q));
    const auto u = state_.u().subspan(std::size_t(joint.first_u));
    if (std::holds_alternative<Revolute>(joint.model) || std::holds_alternative<Prismatic>(joint.model)) {
      link.joint = std::holds_alternative<Revolute>(joint.model) ? JointKind::hinge : JointKind::slide;
      link.axis = triple(sign * R_LM.col[2]);
      link.q[0] = q[0];
      link.u[0] = u[0];
    } else if (std::holds_alternative<Universal>(joint.model)) {
      // Turned over, M's y axis is the parent's, and it is M's x axis that the link carries.
      const int one = joint.reversed ? 1 : 0, two = 1 - one;
      link.joint = JointKind::universal;
      link.axis = triple(sign * R_LM.col[one]);
      link.axis2 = triple(sign * R_LM.col[two]);
      link.q = {q[std::size_t(one)], q[std::size_t(two)]};
      link.u = {u[std::size_t(one)], u[std::size_t(two)]};
    } else if (std::holds_alternative<Ball>(joint.model) && frames_.is_planar_twin()) {
      add_hinge_of_twin(body, parent, link);
    } else if (std::holds_alternative<Ball>(joint.model) || std::holds_alternative<Free>(joint.model)) {
      link.joint = std::holds_alternative<Ball>(joint.model) ? JointKind::ball : JointKind::free;
      add_turn(body, parent, link);
    } else {
      refuse(fmt::format("joint \"{}\", which is {}", joint.name, type_name(joint.model)));
    }
  }

  /// The frames between world and link say where it can go in the plane; so do its motion and symmetry.
  void add_root(int body, int first, int parent, Link& link) const {
    const Body& b = own_.mechanism.bodies()[std::size_t(body)];
    int num_speeds = 0;
    for (int at = body; at != parent; at = own_.mechanism.bodies()[std::size_t(at)].parent) {
      num_speeds += own_.mechanism.joints()[std::size_t(at)].nu;
    }
    if (!frames_.normal() || num_speeds != 3)
      refuse(fmt::format("massless bodies before \"{}\" that make no planar joint", b.name));
    link.joint = JointKind::free;
    link.joint_at = triple(own_.mechanism.joints()[std::size_t(first)].X_PF.p);
    add_turn(body, parent, link);
  }

  void add_hinge_of_twin(int body, int parent, Link& link) const {
    link.joint = JointKind::hinge;
    link.zero = rows_of(relative(body, parent).R);
    const Transform<double> X_WL = state_.pose(body) * frames_.on_body(body);
    link.axis = triple(transpose_times(X_WL.R, *frames_.normal()));
    link.u[0] = dot(state_.velocity(body).angular - state_.velocity(parent).angular, *frames_.normal());
  }

  Transform<double> relative(int body, int parent) const {
    return inverse(state_.pose(parent) * frames_.on_body(parent)) * state_.pose(body) * frames_.on_body(body);
  }

  /// Of a ball or free joint, from how the two bodies move.
  void add_turn(int body, int parent, Link& link) const {
    const Transform<double> X_PL = relative(body, parent);
    link.turn = quaternion_from(transpose(mat3(link.zero)) * X_PL.R);
    const Motion<double>&V = state_.velocity(body), &V_parent = state_.velocity(parent);
    const Transform<double> X_WP = state_.pose(parent) * frames_.on_body(parent);
    const Vec3<double> r = state_.pose(body).R * frames_.on_body(body).p;
    const Vec3<double> from_parent = state_.pose(body).p + r - state_.pose(parent).p;
    link.omega = triple(transpose_times(X_WP.R, V.angular - V_parent.angular));
    if (link.joint != JointKind::free) return;
    link.shift = triple(X_PL.p) - link.joint_at;
    link.velocity = triple(
        transpose_times(X_WP.R, V.linear + cross(V.angular, r) - V_parent.linear - cross(V_parent.angular, from_parent)));
  }

  const OwnModel& own_;
  const LinkFrames& frames_;
  State state_;
};

/// See from_mechanism.h.
double energy_scale(const Problem& problem, double kinetic) {
  std::vector<double> reach;  // from the first joint to each link's, along the links
  double scale = kinetic;
  for (const Link& link : problem.links) {
    reach.push_back(link.parent == world ? 0 : reach[std::size_t(link.parent)] + length(link.joint_at));
    scale += link.mass * length(problem.gravity) * (reach.back() + length(link.centre));
  }
  return scale;
}

void refuse_what_links_cannot_do(const OwnModel& own, const LinkFrames& frames) {
  const Mechanism& mechanism = own.mechanism;
  for (int body = 1; body < mechanism.num_bodies(); ++body) {
    const Joint& joint = mechanism.joints()[std::size_t(body)];
    for (int i = 0; i < joint.nu; ++i) {
      if (own.start.drives()[std::size_t(joint.first_u + i)] != Drive::forces && frames.role(body) != BodyRole::hook) {
        refuse(fmt::format("joint \"{}\", which is driven by other than forces", joint.name));
      }
    }
  }
  for (int i = 0; i < mechanism.num_constraint_elements(); ++i) {
    if (!own.start.is_enabled(i)) refuse("constraints that are not enabled");
  }
  if (!mechanism.description().events().empty()) refuse("events");
}

}  // namespace

OwnModel::OwnModel(Mechanism of) : mechanism(of), start(assembled_start(mechanism)) {}

std::shared_ptr<const OwnModel> load_own_model(const std::string& path) {
  return std::make_shared<const OwnModel>(format::load_model(path).mechanism);
}

std::vector<LinkPlace> link_places(const OwnModel& own) { return LinkFrames(own).places(); }

Problem problem_of(std::shared_ptr<const OwnModel> own) {
  const LinkFrames frames(*own);
  refuse_what_links_cannot_do(*own, frames);
  Problem problem;
  problem.name = own->mechanism.name();
  problem.gravity = triple(own->mechanism.gravity());
  const Links links(*own, frames);
  for (const LinkPlace& place : frames.places()) problem.links.push_back(links.link(place.body));
  add_forces(*own, frames, problem);
  problem.closures = closures_of(*own, frames);
  State start = own->start;
  tree::realize(start, Stage::velocity);
  problem.energy_scale = energy_scale(problem, start.kinetic_energy());
  problem.own = std::move(own);
  return problem;
}

}  // namespace polhode::bench
