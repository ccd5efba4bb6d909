// Every constraint again, as the sentence that defines it, on frames that move along a curve.
#include <stdexcept>

#include "polhode/mechanism/constraints/loop_joint.h"
#include "tests/oracle/constrained.h"

namespace polhode::oracle {
namespace {

/// A moment of the motion: values, with first and second derivatives by time. Speeds have first ones only.
struct Moment {
  const Mechanism& mechanism;
  Dual2 t;
  std::vector<Dual2> q;
  std::vector<Dual1> u;
  std::vector<Transform<Dual2>> X_WB;

  Transform<Dual2> frame(int f) const {
    const Frame& frame = mechanism.frames()[std::size_t(f)];
    return X_WB[std::size_t(frame.body)] * cast<Dual2>(frame.X_BF);
  }
};

using Rows = std::vector<RowErrors>;
void holds_position(Rows& out, const Dual2& h) {
  out.push_back({RowErrors::Level::position, h.value.value, h.value.slope, h.slope.slope});
}
void holds_velocity(Rows& out, const Dual1& v) { out.push_back({RowErrors::Level::velocity, 0, v.value, v.slope}); }

/// Along a frame's k-th axis.
Dual2 along_axis(const Transform<Dual2>& X, int k, const Vec3<Dual2>& a) { return dot(X.R.col[k], a); }
Vec3<Dual2> in_ground(const Transform<Dual2>& X, const Vec3<double>& a) { return X.R * cast<Dual2>(a); }
Vec3<Dual2> from_to(const Transform<Dual2>& A, const Transform<Dual2>& B) { return B.p - A.p; }

void rows_of(const Moment& at, const PointConstraint& c, Rows& out) {
  holds_position(out, dot(cast<Dual2>(c.direction), from_to(at.frame(c.frame_a), at.frame(c.frame_b))));
}
void rows_of(const Moment& at, const CoincidentPoints& c, Rows& out) {
  const auto A = at.frame(c.frame_a), B = at.frame(c.frame_b);
  for (int k = 0; k < 3; ++k) holds_position(out, along_axis(A, k, from_to(A, B)));
}
void rows_of(const Moment& at, const PointInPlane& c, Rows& out) {
  const auto A = at.frame(c.frame_a), B = at.frame(c.frame_b);
  holds_position(out, dot(in_ground(A, c.normal), from_to(A, B)));
}
void rows_of(const Moment& at, const Wire& c, Rows& out) {
  holds_position(out, norm(from_to(at.frame(c.frame_a), at.frame(c.frame_b))) - Dual2(c.length));
}
void rows_of(const Moment& at, const ScrewCoupler& c, Rows& out) {
  holds_position(out, at.q[std::size_t(c.q_translation)] - Dual2(c.lead) * at.q[std::size_t(c.q_rotation)]);
}
void rows_of(const Moment& at, const Gear& c, Rows& out) {
  holds_position(out, at.q[std::size_t(c.q_b)] - Dual2(c.ratio) * at.q[std::size_t(c.q_a)]);
}
void rows_of(const Moment& at, const Coupler& c, Rows& out) {
  Dual2 sum(-c.constant);
  for (const CoordinateTerm& term : c.terms) sum += Dual2(term.coefficient) * at.q[std::size_t(term.q)];
  holds_position(out, sum);
}
void rows_of(const Moment& at, const std::shared_ptr<const CustomConstraint>& c, Rows& out) {
  const auto* exact = dynamic_cast<const DifferentiableConstraint*>(c.get());
  if (!exact) throw std::invalid_argument("the oracle takes users' constraints only if it can differentiate them");
  std::vector<Transform<Dual2>> X_WB;
  for (const int b : exact->bodies()) X_WB.push_back(at.X_WB[std::size_t(b)]);
  std::vector<Dual2> h(std::size_t(exact->num_rows()));
  exact->errors(at.t, at.q, X_WB, h);
  for (const Dual2& row : h) holds_position(out, row);
}

/// A joint that closes a loop. What its rows are is the joint's own business (mechanism/joints); here only their values are
/// read, and differentiated anew. Lines that do not spin are said at the level of velocities: about z of the joint's M.
void rows_of(const Moment& at, const LoopJoint& joint, Rows& out) {
  if (std::holds_alternative<FunctionBased>(joint.model) || std::holds_alternative<Custom>(joint.model))
    throw std::invalid_argument("the oracle cannot differentiate the rows of " + joint.name);
  Transform<Dual2> F = at.X_WB[std::size_t(joint.parent)] * cast<Dual2>(joint.X_PF);
  Transform<Dual2> M = at.X_WB[std::size_t(joint.child)] * cast<Dual2>(joint.X_BM);
  if (joint.reversed) std::swap(F, M);
  ConstraintRow<Dual2> rows[6];
  std::visit([&](const auto& model) { model.template constraint_rows<Dual2>(inverse(F) * M, Motion<Dual2>{}, rows); },
             joint.model);
  const int count = num_joint_rows(joint.model), spins = num_nonholonomic_rows(joint.model);
  for (int i = 0; i < count - spins; ++i) holds_position(out, rows[i].value);
  if (spins > 0) holds_velocity(out, dot(value(M.R.col[2]), angular_velocity(M.R) - angular_velocity(F.R)));
}

}  // namespace

std::vector<RowErrors> row_errors(const Mechanism& mechanism, double t, const Vector& q, const Vector& u, const Vector& u_dot,
                                  std::span<const char> enabled) {
  const Vector q_dot = rates(mechanism, q, u);
  const std::vector<Dual1> u_curve = along(u, u_dot), q_dot_curve = rates(mechanism, along(q, q_dot), u_curve);
  Moment at{mechanism, {{t, 1}, {1, 0}}, along(along(q, q_dot), q_dot_curve), u_curve, {}};
  at.X_WB = poses(mechanism, at.q);

  Rows out;
  std::size_t element = 0;
  const auto takes_part = [&] { return enabled.empty() || enabled[element] != 0; };
  for (const LoopJoint& joint : mechanism.loop_joints()) {
    if (takes_part()) rows_of(at, joint, out);
    ++element;
  }
  for (const Constraint& constraint : mechanism.constraints()) {
    if (takes_part()) std::visit([&](const auto& model) { rows_of(at, model, out); }, constraint.model);
    ++element;
  }
  return out;
}

}  // namespace polhode::oracle
