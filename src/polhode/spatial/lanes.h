#pragma once
#include <cstdint>

#include "polhode/spatial/math.h"

namespace polhode {

// g++ 12 does not take a vector size that depends on a template parameter, so the three widths are written out.
template <int W>
struct VectorOf;
template <>
struct VectorOf<2> {
  using Doubles = double __attribute__((vector_size(16)));
  using Bits = std::int64_t __attribute__((vector_size(16)));
};
template <>
struct VectorOf<4> {
  using Doubles = double __attribute__((vector_size(32)));
  using Bits = std::int64_t __attribute__((vector_size(32)));
};
template <>
struct VectorOf<8> {
  using Doubles = double __attribute__((vector_size(64)));
  using Bits = std::int64_t __attribute__((vector_size(64)));
};

/// W doubles that move together, on compiler vector extensions. Kernels instantiated on it run W mechanisms at once.
template <int W>
struct Lanes {
  static constexpr int width = W;
  using Vector = typename VectorOf<W>::Doubles;
  Vector v{};

  Lanes() = default;
  POLHODE_INLINE Lanes(double x) : v(x - Vector{}) {}
  POLHODE_INLINE Lanes(const Vector& x) : v(x) {}

  POLHODE_INLINE double operator[](int lane) const { return v[lane]; }
  POLHODE_INLINE void set(int lane, double x) { v[lane] = x; }

  static POLHODE_INLINE Lanes load(const double* x) {
    Lanes r;
    __builtin_memcpy(&r.v, x, sizeof(Vector));
    return r;
  }
  POLHODE_INLINE void store(double* x) const { __builtin_memcpy(x, &v, sizeof(Vector)); }

  friend POLHODE_INLINE Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.v + b.v); }
  friend POLHODE_INLINE Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.v - b.v); }
  friend POLHODE_INLINE Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.v * b.v); }
  friend POLHODE_INLINE Lanes operator/(const Lanes& a, const Lanes& b) { return Lanes(a.v / b.v); }
  friend POLHODE_INLINE Lanes operator-(const Lanes& a) { return Lanes(-a.v); }
  POLHODE_INLINE Lanes& operator+=(const Lanes& b) { return v += b.v, *this; }
  POLHODE_INLINE Lanes& operator-=(const Lanes& b) { return v -= b.v, *this; }
  POLHODE_INLINE Lanes& operator*=(const Lanes& b) { return v *= b.v, *this; }
};

template <int W>
POLHODE_INLINE Lanes<W> square_root(const Lanes<W>& a) {
  Lanes<W> r;
  for (int i = 0; i < W; ++i) r.v[i] = __builtin_sqrt(a.v[i]);
  return r;
}

/// Sine and cosine of all lanes, mostly to one unit in the last place, always to two and a half.
///
/// The angle is brought to [-pi/4, pi/4] by subtracting k pi/2 in three parts of 33 bits (Cody and Waite; the parts are
/// those of fdlibm), which is exact for |k| < 2^20; then fdlibm's minimax polynomials. Lanes beyond that range, and
/// non-finite ones, go through the C library instead.
template <int W>
POLHODE_INLINE SinCos<Lanes<W>> sin_cos(const Lanes<W>& angle) {
  using Vector = typename Lanes<W>::Vector;
  using Bits = typename VectorOf<W>::Bits;
  const Vector x = angle.v;

  bool in_range = true;
  for (int i = 0; i < W; ++i) in_range &= __builtin_fabs(x[i]) < 1e6;  // false for NaN too

  // Adding 1.5 * 2^52 rounds to an integer and leaves it in the low bits.
  const Vector shifter = 6755399441055744.0 - Vector{};
  const Vector shifted = x * 0.63661977236758134308 + shifter;
  const Vector k = shifted - shifter;
  const Bits quadrant = (Bits)shifted;
  Vector r = x - k * 1.57079632673412561417e+00;
  r = r - k * 6.07710050630396597660e-11;
  r = r - k * 2.02226624879595063154e-21;

  const Vector z = r * r;
  const Vector sin_poly =
      r +
      r * z *
          (-1.66666666666666324348e-01 +
           z * (8.33333333332248946124e-03 +
                z * (-1.98412698298579493134e-04 +
                     z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
  const Vector cos_poly =
      1.0 -
      (0.5 * z -
       z * z *
           (4.16666666666666019037e-02 +
            z * (-1.38888888888741095749e-03 +
                 z * (2.48015872894767294178e-05 +
                      z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11))))));

  // Odd quadrants swap sine and cosine; the signs go + + - - and + - - +.
  const Bits one = 1 - Bits{};
  const Bits swap = -(quadrant & one);  // all ones in odd quadrants
  const Bits sin_sign = (quadrant & (one + one)) << 62;
  const Bits cos_sign = ((quadrant + one) & (one + one)) << 62;
  const Bits s = (((Bits)sin_poly & ~swap) | ((Bits)cos_poly & swap)) ^ sin_sign;
  const Bits c = (((Bits)cos_poly & ~swap) | ((Bits)sin_poly & swap)) ^ cos_sign;
  SinCos<Lanes<W>> result{Lanes<W>((Vector)s), Lanes<W>((Vector)c)};
  // Only the lanes at fault, so that a lane's result never depends on its neighbours.
  if (__builtin_expect(!in_range, 0))
    for (int i = 0; i < W; ++i)
      if (!(__builtin_fabs(x[i]) < 1e6)) result.s.v[i] = std::sin(x[i]), result.c.v[i] = std::cos(x[i]);
  return result;
}

}  // namespace polhode
