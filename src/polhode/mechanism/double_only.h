#pragma once
#include "polhode/spatial/dual.h"

/// Users write their functions for doubles. These run them on the other scalars that the kernels know:
/// packs lane by lane, dual numbers by a central difference along the slope (error about 1e-10 for slopes of order one).
namespace polhode {

/// A function from doubles to doubles, with the object that it works on.
template <class Object>
using DoubleFunction = void (*)(const Object&, const double* in, double* out);

/// More numbers than any joint gives or takes: six rows of a value, six gradient components and a bias.
inline constexpr int max_double_only_numbers = 48;

template <class Object>
POLHODE_INLINE void evaluate(DoubleFunction<Object> f, const Object& object, int, const double* in, int, double* out) {
  f(object, in, out);
}

template <class Object, class Pack>
requires requires { Pack::width; }
POLHODE_INLINE void evaluate(DoubleFunction<Object> f, const Object& object, int num_in, const Pack* in, int num_out,
                             Pack* out) {
  double lane_in[max_double_only_numbers]{}, lane_out[max_double_only_numbers]{};
  for (int lane = 0; lane < Pack::width; ++lane) {
    for (int i = 0; i < num_in; ++i) lane_in[i] = in[i][lane];
    f(object, lane_in, lane_out);
    for (int i = 0; i < num_out; ++i) out[i].set(lane, lane_out[i]);
  }
}

template <class Object, class T>
POLHODE_INLINE void evaluate(DoubleFunction<Object> f, const Object& object, int num_in, const Dual<T>* in, int num_out,
                             Dual<T>* out) {
  const double h = 6e-6;  // the cube root of the rounding error: where truncation h^2 and rounding eps/h are about equal
<<<<<<< HEAD
  T at[max_double_only_numbers]{}, value[max_double_only_numbers]{}, before[max_double_only_numbers]{},
      after[max_double_only_numbers]{};
=======
  T at[max_double_only_numbers] = {}, before[max_double_only_numbers], after[max_double_only_numbers];
>>>>>>> treetests
  for (int i = 0; i < num_in; ++i) at[i] = in[i].value - T(h) * in[i].slope;
  evaluate(f, object, num_in, at, num_out, before);
  for (int i = 0; i < num_in; ++i) at[i] = in[i].value + T(h) * in[i].slope;
  evaluate(f, object, num_in, at, num_out, after);
  for (int i = 0; i < num_in; ++i) at[i] = in[i].value;
  evaluate(f, object, num_in, at, num_out, value);
  for (int i = 0; i < num_out; ++i) out[i] = {value[i], T(0.5 / h) * (after[i] - before[i])};
}

}  // namespace polhode
