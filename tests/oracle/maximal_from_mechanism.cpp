#include "tests/oracle/maximal_from_mechanism.h"

#include <stdexcept>

#include "polhode/spatial/quaternion.h"
#include "tests/oracle/oracle.h"

namespace polhode::oracle::maximal {
namespace {

Vector3d eigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
Vec3<double> vec3(const Vector3d& a) { return {a[0], a[1], a[2]}; }
Matrix3d eigen(const Mat3<double>& A) {
  Matrix3d out;
  for (int j = 0; j < 3; ++j) out.col(j) = eigen(A.col[j]);
  return out;
}

/// From the centre of mass; Ground's is its origin.
Vector3d from_center(const Mechanism& mechanism, int body, const Vec3<double>& p) {
  return eigen(body == 0 ? p : p - mechanism.bodies()[std::size_t(body)].mass.com);
}

/// Frames F on the parent and M on the child share an origin, and their z axes if the joint is revolute, whichever way round.
void add_joint(System& system, const Mechanism& mechanism, const JointModel& model, int parent, int child,
               const Transform<double>& X_PF, const Transform<double>& X_BM) {
  if (std::holds_alternative<Free>(model)) return;
  const Vector3d p = from_center(mechanism, parent, X_PF.p), c = from_center(mechanism, child, X_BM.p);
  if (std::holds_alternative<Revolute>(model))
    system.joints.push_back(revolute(parent - 1, child - 1, p, c, eigen(X_PF.R.col[2]), eigen(X_BM.R.col[2])));
  else if (std::holds_alternative<Ball>(model))
    system.joints.push_back({.a = parent - 1, .b = child - 1, .p_a = p, .p_b = c});
  else
    throw std::invalid_argument("the oracle has no joints of type " + std::string(type_name(model)));
}

void add_loads(System& system, const Mechanism& mechanism) {
  const Forces& f = mechanism.forces();
  if (f.any([]<class F>(const F&) { return !std::is_same_v<F, BodyForce> && !std::is_same_v<F, GravityLift>; }))
    throw std::invalid_argument("the oracle has no forces but gravity and constant ones on bodies");
  for (const BodyForce& force : f.of<BodyForce>()) {
    Load& load = system.bodies[std::size_t(force.body.body) - 1].load;
    (force.in_ground ? load.force_W : load.force_B) += eigen(force.force);
    (force.in_ground ? load.torque_W : load.torque_B) += eigen(force.torque);
  }
  for (const GravityLift& lift : f.of<GravityLift>())
    system.bodies[std::size_t(lift.body.body) - 1].load.force_W += eigen(lift.force);
}

}  // namespace

System from_mechanism(const Mechanism& mechanism) {
  if (!mechanism.constraints().empty()) throw std::invalid_argument("the oracle has no constraints but joints");
  System system;
  system.gravity = eigen(mechanism.gravity());
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const MassProperties& mass = mechanism.bodies()[std::size_t(b)].mass;
    system.bodies.push_back({mass.mass, eigen(mass.inertia.full())});
  }
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const polhode::Joint& joint = mechanism.joints()[std::size_t(b)];
    add_joint(system, mechanism, joint.model, mechanism.bodies()[std::size_t(b)].parent, b, joint.X_PF, joint.X_BM);
  }
  for (const LoopJoint& joint : mechanism.loop_joints())
    add_joint(system, mechanism, joint.model, joint.parent, joint.child, joint.X_PF, joint.X_BM);
  add_loads(system, mechanism);
  return system;
}

Motions motions_of(const Mechanism& mechanism, std::span<const double> q, std::span<const double> u) {
  const Vector rest(u.size());
  const auto bodies = motions(mechanism, Vector(q.begin(), q.end()), Vector(u.begin(), u.end()), rest);
  Motions out;
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const Quaternion<double> r = quaternion(bodies[b].X_WB.R);
    out.push_back({eigen(bodies[b].p_C), Vector4d(r.w, r.x, r.y, r.z), eigen(bodies[b].v_C),
                   eigen(transpose_times(bodies[b].X_WB.R, bodies[b].V_WB.angular))});
  }
  return out;
}

Transform<double> pose_of_body(const Mechanism& mechanism, int body, const Motions& motions) {
  const Motion& m = motions[std::size_t(body) - 1];
  const Mat3<double> R = rotation(Quaternion<double>{m.q[0], m.q[1], m.q[2], m.q[3]});
  return {R, vec3(m.x) - R * mechanism.bodies()[std::size_t(body)].mass.com};
}

}  // namespace polhode::oracle::maximal
