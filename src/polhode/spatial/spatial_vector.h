#pragma once
#include "polhode/spatial/transform.h"

namespace polhode {

/// Angular over linear velocity (or acceleration) of a frame; the linear part is that of the frame's origin.
template <class T>
struct Motion {
  Vec3<T> angular{}, linear{};

  POLHODE_INLINE Motion& operator+=(const Motion& b) {
    angular += b.angular, linear += b.linear;
    return *this;
  }
};
/// Moment over force; the moment is about the origin of the frame that the wrench is said to act at.
template <class T>
struct Wrench {
  Vec3<T> moment{}, force{};

  POLHODE_INLINE Wrench& operator+=(const Wrench& b) {
    moment += b.moment, force += b.force;
    return *this;
  }
};

template <class T>
POLHODE_INLINE Motion<T> operator+(const Motion<T>& a, const Motion<T>& b) {
  return {a.angular + b.angular, a.linear + b.linear};
}
template <class T>
POLHODE_INLINE Motion<T> operator-(const Motion<T>& a, const Motion<T>& b) {
  return {a.angular - b.angular, a.linear - b.linear};
}
template <class T>
POLHODE_INLINE Motion<T> operator*(const T& k, const Motion<T>& a) {
  return {k * a.angular, k * a.linear};
}
template <class T>
POLHODE_INLINE Wrench<T> operator+(const Wrench<T>& a, const Wrench<T>& b) {
  return {a.moment + b.moment, a.force + b.force};
}
template <class T>
POLHODE_INLINE Wrench<T> operator-(const Wrench<T>& a, const Wrench<T>& b) {
  return {a.moment - b.moment, a.force - b.force};
}
template <class T>
POLHODE_INLINE Wrench<T> operator*(const T& k, const Wrench<T>& a) {
  return {k * a.moment, k * a.force};
}

/// Power of a wrench on a motion, both at one origin.
template <class T>
POLHODE_INLINE T dot(const Wrench<T>& F, const Motion<T>& V) {
  return dot(F.moment, V.angular) + dot(F.force, V.linear);
}

/// The velocity of the point at p from the origin of a rigid body that moves with V (Simbody theory manual 12.3).
template <class T>
POLHODE_INLINE Motion<T> shifted(const Motion<T>& V, const Vec3<T>& p) {
  return {V.angular, V.linear + cross(V.angular, p)};
}
/// The wrench about the old origin of a wrench F given at the point p from it: the dual of shifting a velocity.
template <class T>
POLHODE_INLINE Wrench<T> shifted_back(const Wrench<T>& F, const Vec3<T>& p) {
  return {F.moment + cross(p, F.force), F.force};
}

template <class T>
POLHODE_INLINE Motion<T> operator*(const Mat3<T>& R, const Motion<T>& V) {
  return {R * V.angular, R * V.linear};
}
template <class T>
POLHODE_INLINE Wrench<T> operator*(const Mat3<T>& R, const Wrench<T>& F) {
  return {R * F.moment, R * F.force};
}
template <class T, class S>
POLHODE_INLINE Motion<T> cast(const Motion<S>& V) {
  return {cast<T>(V.angular), cast<T>(V.linear)};
}

}  // namespace polhode
