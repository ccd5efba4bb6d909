#pragma once
#include <array>

#include "polhode/mechanism/forces/force_type.h"
#include "polhode/mechanism/symmetric6.h"
#include "polhode/spatial/rotation_vector.h"

namespace polhode {

/// What the springs and dampers of a bushing are along its own directions: unit directions in the six numbers of its
/// displacement, with a stiffness or a damping above zero.
struct BushingModes {
  struct Mode {
    std::array<double, 6> along;
    double stiffness, damping;  ///< one of them is zero
  };
  std::array<Mode, 12> mode{};
  int count = 0;
};

/// A bushing: springs and dampers against every displacement of two frames from each other. With R the rotation from A to B and
/// theta = log R its rotation vector, M the frame half-way between, R_AM = exp(theta/2), and d the place of B's origin as seen
/// from A's, in M's axes, the displacement is
///   x = (d, theta),   potential  x . K x / 2,   dissipation  dx/dt . C dx/dt.
/// Neither frame is preferred: with A and B exchanged, d and theta change their sign. The loads are minus the potential's
/// gradient, exactly: with half-turn quaternion (w, v) of R, w_AB the relative angular velocity in M's axes, and t = v / (1 +
/// w),
///   dtheta/dt = S w_AB,   S = a + (1 - a) n n^T,   a = (phi/2) / sin(phi/2),
///   dd/dt = v_AB - w_AM x d,   w_AM = (w_AB - t x w_AB) / 2,
/// from the left and right derivatives of the exponential map (spatial/exponential.h), which meet half-way. At a turn of pi
/// the rotation vector has two values: the potential has an edge there, and the moment jumps.
template <class Ref>
struct BasicBushingForce {
  static constexpr const char* keyword = "bushing-force";
  typename Ref::Frame frame_a, frame_b;
  Symmetric6 stiffness{}, damping{};  ///< x y z [N/m], rx ry rz [N m/rad]; and the same times s
  typename Ref::template Derived<BushingModes> modes{};

  static constexpr auto fields() {
    using F = BasicBushingForce;
    return std::make_tuple(field("first frame", &F::frame_a, "", "one side"),
                           field("second frame", &F::frame_b, "", "the other"),
                           option("stiffness", &F::stiffness, "N/m, N m/rad", "six numbers, or the matrix"),
                           option("damping", &F::damping, "N s/m, N m s/rad", "six numbers, or the matrix"));
  }

  static constexpr bool has_potential = true, acts_at_rest = true;
  static constexpr Momentum momentum = Momentum::exchanged;
  bool keeps_energy() const { return damping == Symmetric6{}; }
  bool depends_on_velocity() const { return damping != Symmetric6{}; }
  bool depends_on_time() const { return false; }
  void add_breaks(std::vector<double>&) const {}
  template <class Visit>
  void for_each_body(Visit visit) const {
    visit(frame_a.body);
    if (frame_b.body != frame_a.body) visit(frame_b.body);
  }
  /// The angle that is left to half a turn takes the place of a distance.
  void add_singularities(const ForceView<double>& at, std::vector<NearSingularity>& near) const {
    const Displacement<double> x = displacement(at);
    near.push_back({2 * x.w, 1, keyword, frame_a.frame, frame_b.frame, NearSingularity::Of::angle});
  }

  template <class T>
  void add_load(const ForceView<T>& at, ForceLoads<T>& out) const {
    const Displacement<T> x = displacement(at);
    std::array<T, 6> f{};
    add_product(stiffness, x.d, x.theta, f);
    if (depends_on_velocity()) {
      const Rates<T> rates = rates_of(at, x);
      add_product(damping, rates.d, rates.theta, f);
    }
    add_wrench(x, {-f[0], -f[1], -f[2]}, {-f[3], -f[4], -f[5]}, out);
  }
  template <class T>
  T energy(const ForceView<T>& at) const {
    const Displacement<T> x = displacement(at);
    std::array<T, 6> f{};
    add_product(stiffness, x.d, x.theta, f);
    return T(0.5) * (x.d.x * f[0] + x.d.y * f[1] + x.d.z * f[2] + x.theta.x * f[3] + x.theta.y * f[4] + x.theta.z * f[5]);
  }

  // Its modes are struts of implicit steps (force_type.h).
  int num_struts() const { return modes.count; }
  StrutSlopes strut_slopes(int i) const { return {modes.mode[std::size_t(i)].stiffness, modes.mode[std::size_t(i)].damping}; }
  /// The loads of a unit tension along the i-th mode, with the sign of what grows: power is the rate of the extension.
  void add_strut(const ForceView<double>& at, int i, ForceLoads<double>& out) const {
    const auto& e = modes.mode[std::size_t(i)].along;
    add_wrench(displacement(at), {e[0], e[1], e[2]}, {e[3], e[4], e[5]}, out);
  }

  /// Of its matrices, which are known to be semidefinite to rounding.
  void derive() {
    modes.count = 0;
    for (const bool springs : {true, false}) {
      const Modes6 found = modes_of(springs ? stiffness : damping);
      for (std::size_t k = 0; k < 6; ++k)
        if (const double value = found.value[k]; value > 1e-12 * found.value[5])
          modes.mode[std::size_t(modes.count++)] = {found.vector[k], springs ? value : 0, springs ? 0 : value};
    }
  }

 private:
  template <class T>
  struct Displacement {
    Mat3<T> R_WM;
    Vec3<T> p_a, p_b;  ///< of the frames' origins, in Ground
    T w;               ///< cos(phi/2)
    Vec3<T> v;         ///< n sin(phi/2), the same in A, M and B
    Vec3<T> d, theta;
  };
  template <class T>
  struct Rates {
    Vec3<T> d, theta;
  };

  template <class T>
  Displacement<T> displacement(const ForceView<T>& at) const {
    const Transform<T> X_WA = at.X_WB[std::size_t(frame_a.body)] * cast<T>(frame_a.X_BF),
                       X_WB = at.X_WB[std::size_t(frame_b.body)] * cast<T>(frame_b.X_BF);
    const HalfTurn<T> turn = half_turn(transpose(X_WA.R) * X_WB.R);
    // Half of the turn: exp(theta/2) has the quaternion (w + 1, v) / sqrt(2 (1 + w)).
    const Mat3<T> K = skew(turn.v);
    const Mat3<T> R_AM = Mat3<T>::identity() + K + (T(1) / (T(1) + turn.w)) * (K * K);
    Displacement<T> x;
    x.R_WM = X_WA.R * R_AM;
    x.p_a = X_WA.p, x.p_b = X_WB.p;
    x.w = turn.w, x.v = turn.v;
    x.d = transpose(x.R_WM) * (X_WB.p - X_WA.p);
    x.theta = (T(2) * angle_over_sine_of(dot(turn.v, turn.v))) * turn.v;
    return x;
  }
  /// S times a vector.
  template <class T>
  static Vec3<T> stretched(const Displacement<T>& x, const Vec3<T>& m) {
    const T z = dot(x.v, x.v);
    return angle_over_sine_of(z) * m - (angle_over_sine_excess_of(z) * dot(x.v, m)) * x.v;
  }
  template <class T>
  Rates<T> rates_of(const ForceView<T>& at, const Displacement<T>& x) const {
    const auto velocity = [&](const FramePlace& frame, const Vec3<T>& p) {
      const std::size_t body = std::size_t(frame.body);
      return shifted(at.V_WB[body], p - at.X_WB[body].p);
    };
    const Motion<T> V_a = velocity(frame_a, x.p_b), V_b = velocity(frame_b, x.p_b);
    const Vec3<T> turning = transpose(x.R_WM) * (V_b.angular - V_a.angular),
                  moving = transpose(x.R_WM) * (V_b.linear - V_a.linear);
    const Vec3<T> t = (T(1) / (T(1) + x.w)) * x.v;
    const Vec3<T> half_way = T(0.5) * (turning - cross(t, turning));
    return {moving - cross(half_way, x.d), stretched(x, turning)};
  }
  /// The wrench on B, and its reaction on A, whose power is force . dd/dt + moment . dtheta/dt.
  template <class T>
  void add_wrench(const Displacement<T>& x, const Vec3<T>& force, const Vec3<T>& moment, ForceLoads<T>& out) const {
    const Vec3<T> g = cross(x.d, force), t = (T(1) / (T(1) + x.w)) * x.v;
    const Vec3<T> force_W = x.R_WM * force, torque_W = x.R_WM * (stretched(x, moment) - T(0.5) * (g + cross(t, g)));
    out.add_force_at(frame_b.body, x.p_b, force_W);
    out.add_torque(frame_b.body, torque_W);
    out.add_force_at(frame_a.body, x.p_b, -force_W);
    out.add_torque(frame_a.body, -torque_W);
  }
  template <class T>
  static void add_product(const Symmetric6& A, const Vec3<T>& d, const Vec3<T>& theta, std::array<T, 6>& f) {
    const std::array<T, 6> x{d.x, d.y, d.z, theta.x, theta.y, theta.z};
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) f[std::size_t(i)] += T(A(i, j)) * x[std::size_t(j)];
  }
};
using BushingForceSpec = BasicBushingForce<Named>;
using BushingForce = BasicBushingForce<Placed>;
static_assert(BodyForceType<BushingForce>);

}  // namespace polhode
