#pragma once
#include "polhode/mechanism/forces/force_type.h"

/// Loads and energy of forces along the line between two frames' origins, whatever their tension.
namespace polhode {

template <class T>
struct MovingPoint {
  Vec3<T> p, v;  ///< in Ground
};

template <class T>
MovingPoint<T> origin_of(const ForceView<T>& at, const FramePlace& frame) {
  const std::size_t body = std::size_t(frame.body);
  const Vec3<T> p_BF_W = at.X_WB[body].R * cast<T>(frame.X_BF.p);
  return {at.X_WB[body].p + p_BF_W, shifted(at.V_WB[body], p_BF_W).linear};
}

template <LineForceType F, class T>
void add_load(const F& f, const ForceView<T>& at, ForceLoads<T>& out) {
  const MovingPoint<T> a = origin_of(at, f.frame_a), b = origin_of(at, f.frame_b);
  const Vec3<T> p_ab = b.p - a.p;
  const T length = norm(p_ab);
  if (value_of(length) == 0) return;  // no direction; the force is taken as zero, as its average over directions is
  const Vec3<T> direction = (T(1) / length) * p_ab;
  const Vec3<T> pull = f.template tension<T>(at.now(), length, dot(direction, b.v - a.v)) * direction;
  out.add_force_at(f.frame_a.body, a.p, pull);
  out.add_force_at(f.frame_b.body, b.p, -pull);
}
template <BodyForceType F, class T>
void add_load(const F& f, const ForceView<T>& at, ForceLoads<T>& out) {
  f.template add_load<T>(at, out);
}

template <LineForceType F, class T>
T energy(const F& f, const ForceView<T>& at) {
  return f.template energy<T>(norm(origin_of(at, f.frame_b).p - origin_of(at, f.frame_a).p));
}
template <BodyForceType F, class T>
T energy(const F& f, const ForceView<T>& at) {
  return f.template energy<T>(at);
}

/// Calls visit(body) for every body that a force reads and loads.
template <class F, class Visit>
void for_each_body(const F& f, Visit visit) {
  if constexpr (LineForceType<F>) {
    visit(f.frame_a.body), visit(f.frame_b.body);
  } else {
    f.for_each_body(visit);
  }
}

/// The slopes of a line force's tension: by the length [N/m] and by its rate [N s/m].
struct TensionSlopes {
  double by_length, by_rate;
};
template <LineForceType F>
TensionSlopes tension_slopes(const F& f, const Now& now, double length, double rate) {
  using D = Dual<double>;
  return {f.template tension<D>(now, {length, 1.0}, D(rate)).slope, f.template tension<D>(now, D(length), {rate, 1.0}).slope};
}

/// The slopes of a force on a coordinate: by the coordinate and by its speed. A spring's and a damper's are negative.
struct CoordinateSlopes {
  double by_position, by_speed;
};
template <CoordinateForceType F>
CoordinateSlopes coordinate_slopes(const F& f, const Now& now, double q, double u) {
  using D = Dual<double>;
  return {f.depends_on_position() ? f.template force<D>(now, {q, 1.0}, D(u)).slope : 0.0,
          f.depends_on_velocity() ? f.template force<D>(now, D(q), {u, 1.0}).slope : 0.0};
}

}  // namespace polhode
