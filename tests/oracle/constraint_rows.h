#pragma once
#include <functional>

#include "tests/oracle/poses.h"

/// What every constraint says, written as its definition and differentiated by dual numbers along the motion; nothing of the
/// wrenches in src/polhode/mechanism/constraints is used.
namespace polhode::oracle {

/// A mechanism as it moves: the outer slopes are derivatives with respect to time. With T = Dual<double> they move twice.
template <class T>
struct Moving {
  const Mechanism& mechanism;
  std::vector<Transform<Dual<T>>> X_WB;
  std::vector<Dual<T>> q;
  std::vector<T> u;
  Dual<T> t;

  Transform<Dual<T>> frame(int i) const {
    const Frame& f = mechanism.frames()[std::size_t(i)];
    return X_WB[std::size_t(f.body)] * cast<Dual<T>>(f.X_BF);
  }
};

inline Moving<double> moving(const Mechanism& m, double t, const std::vector<double>& q, const std::vector<double>& u) {
  const auto q1 = along(q, rates(m, q, u));
  return {m, poses(m, q1), q1, u, {t, 1}};
}
/// du/dt = 0.
inline Moving<Dual1> moving_twice(const Mechanism& m, double t, const std::vector<double>& q, const std::vector<double>& u) {
  const std::vector<Dual1> q1 = along(q, rates(m, q, u)), u1(u.begin(), u.end());
  const auto q2 = along(q1, rates(m, q1, u1));
  return {m, poses(m, q2), q2, u1, {{t, 1}, {1, 0}}};
}

/// A row's error, and its rate (dh/dt or v). An acceleration row has the rate -b t, as its left side holds du/dt alone.
template <class T>
struct RowMotion {
  T error, rate;
};
template <class T>
RowMotion<T> position_row(const Dual<T>& h) {
  return {h.value, h.slope};
}
template <class T>
RowMotion<T> velocity_row(const T& v) {
  return {T(0), v};
}

/// The velocity of the point of a moving frame's body that is at p.
template <class T>
Vec3<T> velocity_at(const Transform<Dual<T>>& X, const Vec3<T>& p) {
  return slope(X.p) + cross(angular_velocity(X.R), p - value(X.p));
}

inline Dual<double> signal_at(const Signal& s, const Dual<double>& t) { return {s.at(t.value).value, s.at(t.value).rate}; }
inline Dual2 signal_at(const Signal& s, const Dual2& t) {
  const Signal::Sample now = s.at(t.value.value);
  return {{now.value, now.rate}, {now.rate, now.acceleration}};
}
inline Dual<double> curve_at(const Curve& f, const Dual<double>& x) {
  const Curve::Sample y = f.at(x.value);
  return {y.value, y.slope * x.slope};
}
inline Dual2 curve_at(const Curve& f, const Dual2& x) {
  const Curve::Sample y = f.at(x.value.value);
  const Dual1 slope{y.slope, y.curvature * x.value.slope};
  return {{y.value, y.slope * x.value.slope}, slope * x.slope};
}
inline double acceleration_row_rate(double, const Dual<double>&) { return 0; }
inline Dual1 acceleration_row_rate(double b, const Dual2&) { return {0, -b}; }

template <class T>
class ConstraintRows {
 public:
  using D = Dual<T>;
  using Rows = std::vector<RowMotion<T>>;
  explicit ConstraintRows(const Moving<T>& m) : m_(m) {}

  Rows operator()(const PointConstraint& c) const { return {position_row(dot(cast<D>(c.direction), b(c).p - a(c).p))}; }
  Rows operator()(const CoincidentPoints& c) const { return all(seen_from_a(c).p); }
  Rows operator()(const CoincidentFrames& c) const {
    Rows rows = all(seen_from_a(c).p);
    for (const auto& row : orientation(seen_from_a(c).R)) rows.push_back(row);
    return rows;
  }
  Rows operator()(const ConstantOrientation& c) const { return orientation(seen_from_a(c).R); }
  Rows operator()(const PointInPlane& c) const { return {position_row(dot(cast<D>(c.normal), seen_from_a(c).p))}; }
  Rows operator()(const PointOnLine& c) const {
    const Vec3<D> p = seen_from_a(c).p;
    return {position_row(dot(cast<D>(c.normals[0]), p)), position_row(dot(cast<D>(c.normals[1]), p))};
  }
  Rows operator()(const PointOnCylinder& c) const {
    const Vec3<D> p = seen_from_a(c).p;
    return {position_row(square_root(p.x * p.x + p.y * p.y) - D(c.radius))};
  }
  Rows operator()(const Wire& c) const { return {position_row(norm(b(c).p - a(c).p) - D(c.length))}; }
  Rows operator()(const ConstantAngle& c) const {
    return {position_row(dot(cast<D>(c.axis_a), seen_from_a(c).R * cast<D>(c.axis_b)) - D(c.cosine))};
  }
  Rows operator()(const NoSlip& c) const {
    const Transform<D> X_WC = m_.frame(c.frame_case);
    const Vec3<T> p = value(X_WC.p), n = value(X_WC.R) * cast<T>(c.direction);
    return {velocity_row(dot(n, velocity_at(a(c), p) - velocity_at(b(c), p)))};
  }
  /// All in the plane's frame: the wheel moves in it, the plane does not.
  Rows operator()(const RollingDisk& c) const {
    const Transform<D> X_BA = inverse(b(c)) * a(c);
    const Vec3<D>& axle = X_BA.R.col[2];
    const D s = square_root(D(1) - axle.z * axle.z);
    const Vec3<T> z{T(0), T(0), T(1)}, axle_now = value(axle);
    const Vec3<T> lowest = value(X_BA.p) - (T(c.radius) / s.value) * (z - axle_now.z * axle_now);
    const Vec3<T> v = velocity_at(X_BA, lowest), heading = (T(1) / s.value) * cross(axle_now, z);
    return {position_row(X_BA.p.z - D(c.radius) * s), velocity_row(dot(heading, v)), velocity_row(dot(cross(z, heading), v))};
  }
  Rows operator()(const RollingBall& c) const {
    const Transform<D> X_BA = inverse(b(c)) * a(c);
    const Vec3<T> v = velocity_at(X_BA, value(X_BA.p) - Vec3<T>{T(0), T(0), T(c.radius)});
    return {position_row(X_BA.p.z - D(c.radius)), velocity_row(v.x), velocity_row(v.y)};
  }
  Rows operator()(const Gear& c) const { return {position_row(q(c.b.q) - D(c.ratio) * q(c.a.q))}; }
  Rows operator()(const ScrewCoupler& c) const { return {position_row(q(c.translation.q) - D(c.lead) * q(c.rotation.q))}; }
  Rows operator()(const FunctionCoupler& c) const {
    return {position_row(q(c.follower.q) - curve_at(c.function, q(c.leader.q)))};
  }
  Rows operator()(const Coupler& c) const {
    D sum(-c.constant);
    for (const auto& term : c.terms) sum += D(term.coefficient) * q(term.coordinate.q);
    return {position_row(sum)};
  }
  Rows operator()(const SpeedCoupler& c) const {
    T sum(-c.constant);
    for (const auto& term : c.terms) sum += T(term.coefficient) * u(term.coordinate.u);
    return {velocity_row(sum)};
  }
  Rows operator()(const ConstantCoordinate& c) const { return {position_row(q(c.coordinate.q) - D(c.value))}; }
  Rows operator()(const ConstantSpeed& c) const { return {velocity_row(u(c.speed.u) - T(c.value))}; }
  Rows operator()(const ConstantAcceleration& c) const { return {{T(0), acceleration_row_rate(c.value, m_.t)}}; }
  Rows operator()(const MotionConstraint& c) const { return {position_row(q(c.coordinate.q) - signal_at(c.signal, m_.t))}; }
  Rows operator()(const std::shared_ptr<const CustomConstraint>&) const { return {}; }

  /// A joint's rows where they have a value; those that hold velocities forbid the spin about M's z axis.
  Rows operator()(const LoopJoint& joint) const {
    const Transform<D> X_WF = m_.X_WB[std::size_t(joint.parent)] * cast<D>(joint.X_PF);
    const Transform<D> X_WM = m_.X_WB[std::size_t(joint.child)] * cast<D>(joint.X_BM);
    const Transform<D> X_FM = joint.reversed ? inverse(X_WM) * X_WF : inverse(X_WF) * X_WM;
    ConstraintRow<D> rows[6];
    Rows result;
    std::visit(
        [&](const auto& model) {
          model.constraint_rows(X_FM, Motion<D>{}, rows);
          for (int i = 0; i < 6 - model.nv - model.nonholonomic; ++i) result.push_back(position_row(rows[i].value));
          if (model.nonholonomic == 1) result.push_back(velocity_row(dot(value(X_FM.R.col[2]), angular_velocity(X_FM.R))));
        },
        joint.model);
    return result;
  }

 private:
  template <class C>
  Transform<D> a(const C& c) const {
    return m_.frame(c.frame_a);
  }
  template <class C>
  Transform<D> b(const C& c) const {
    return m_.frame(c.frame_b);
  }
  template <class C>
  Transform<D> seen_from_a(const C& c) const {
    return inverse(a(c)) * b(c);
  }
  D q(int i) const { return m_.q[std::size_t(i)]; }
  T u(int i) const { return m_.u[std::size_t(i)]; }
  static Rows all(const Vec3<D>& h) { return {position_row(h.x), position_row(h.y), position_row(h.z)}; }
  static Rows orientation(const Mat3<D>& R) { return {position_row(R(0, 1)), position_row(R(1, 2)), position_row(R(2, 0))}; }

  const Moving<T>& m_;
};

}  // namespace polhode::oracle
