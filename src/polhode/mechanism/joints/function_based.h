#pragma once
#include <memory>
#include <vector>

#include "polhode/mechanism/double_only.h"
#include "polhode/mechanism/flatten.h"
#include "polhode/mechanism/joints/bushing.h"
#include "polhode/mechanism/scalar_function.h"

namespace polhode {

/// Function-based: the six coordinates of a bushing (turns about body-fixed x, y, z, then x, y, z in F), each a smooth
/// function of some of up to six coordinates: a knee, a cam, a rail.
/// q: the coordinates, in units that the functions give meaning to, u: their rates.
/// Singular where the second turn is 90 degrees, and wherever the functions' Jacobian loses rank.
struct FunctionBased {
  /// function(q[coordinates[0]], q[coordinates[1]], ...); without a function, zero.
  struct Component {
    std::shared_ptr<const ScalarFunction> function{};
    std::vector<int> coordinates{};
    friend bool operator==(const Component&, const Component&) = default;
  };

  static constexpr std::string_view type = "function-based";
  static constexpr int nonholonomic = 0;
  int nq, nv, nchart;
  std::array<Component, 6> components;  ///< angles x, y, z [rad], then x, y, z [m]

  /// Throws std::invalid_argument that names the component when a function and its coordinates do not fit.
  FunctionBased(int num_coordinates, std::array<Component, 6> functions);

  std::string_view coordinate_suffix(int i) const;
  std::string_view speed_suffix(int i) const;

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    T f[6];
    values(q, f);
    return Bushing{}.X_FM(f);
  }
  /// H = H_bushing J, with J the Jacobian of the functions.
  template <class T>
  POLHODE_INLINE void H_FM(const T* q, Motion<T>* H) const {
    T f[6];
    Motion<T> H_bushing[6];
    values(q, f);
    Bushing{}.H_FM(f, H_bushing);
    for (int k = 0; k < nv; ++k) H[k] = {};
    for (int i = 0; i < 6; ++i)
      for (int a = 0; a < num_arguments(i); ++a) H[coordinate(i, a)] += derivative(i, q, a) * H_bushing[i];
  }
  /// (dH/dt) u = (dH_bushing/dt) (J u) + H_bushing (dJ/dt) u.
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T* q, const T* u) const {
    T f[6], f_dot[6], f_bias[6];
    values(q, f);
    for (int i = 0; i < 6; ++i) {
      f_dot[i] = f_bias[i] = T(0);
      for (int a = 0; a < num_arguments(i); ++a) {
        f_dot[i] += derivative(i, q, a) * u[coordinate(i, a)];
        for (int b = 0; b < num_arguments(i); ++b)
          f_bias[i] += derivative(i, q, a, b) * u[coordinate(i, a)] * u[coordinate(i, b)];
      }
    }
    Motion<T> H_bushing[6], A = Bushing{}.Hdot_u(f, f_dot);
    Bushing{}.H_FM(f, H_bushing);
    for (int i = 0; i < 6; ++i) A += f_bias[i] * H_bushing[i];
    return A;
  }
  template <class T>
  POLHODE_INLINE void N(const T*, const T* u, T* q_dot) const {
    for (int i = 0; i < nv; ++i) q_dot[i] = u[i];
  }
  template <class T>
  POLHODE_INLINE void N_inverse(const T*, const T* q_dot, T* u) const {
    for (int i = 0; i < nv; ++i) u[i] = q_dot[i];
  }
  void retract(const double* q0, const double* theta, double* q1) const;
  void rate_of_chart(const double* q, const double* theta, const double* u, double* theta_dot) const;
  void zero(double* q) const;
  void read_pose(const Transform<double>& X_FM, double* q) const;

  /// As CustomJoint::constraint_rows makes them, with the same limits: exact on what the joint allows.
  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    T in[transform_size + motion_size], out[6 * row_size]{};
    put(X_FM, in), put(V_FM, in + transform_size);
    evaluate(flat_constraint_rows, *this, transform_size + motion_size, in, (6 - nv) * row_size, out);
    for (int i = 0; i < 6 - nv; ++i) rows[i] = row_at(out + row_size * i);
  }
  friend bool operator==(const FunctionBased& a, const FunctionBased& b) {
    return a.nq == b.nq && a.components == b.components;
  }

 private:
  POLHODE_INLINE int num_arguments(int i) const { return int(components[i].coordinates.size()); }
  POLHODE_INLINE int coordinate(int i, int argument) const { return components[i].coordinates[argument]; }
  template <class T, class... Arguments>
  POLHODE_INLINE T derivative(int i, const T* q, Arguments... by) const {
    T x[max_function_arguments]{};
    for (int a = 0; a < num_arguments(i); ++a) x[a] = q[coordinate(i, a)];
    const std::array<int, sizeof...(by)> list{by...};
    return apply_function(*components[i].function, list, x);
  }
  template <class T>
  POLHODE_INLINE void values(const T* q, T* f) const {
    for (int i = 0; i < 6; ++i) f[i] = derivative(i, q);
  }
  static void flat_constraint_rows(const FunctionBased& joint, const double* X_V, double* rows);
};
static_assert(JointType<FunctionBased>);

}  // namespace polhode
