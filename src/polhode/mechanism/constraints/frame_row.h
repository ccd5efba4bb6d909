#pragma once
#include <concepts>

#include "polhode/mechanism/fields.h"
#include "polhode/mechanism/references.h"
#include "polhode/spatial/spatial_vector.h"

namespace polhode {

/// One scalar equation h(X_WA, X_WB) = 0 between two frames, with its derivative as a wrench on each of them:
///   dh/dt = on_a . V_WA + on_b . V_WB
/// Velocities are those of the frames' origins in Ground axes; so are the wrenches. A multiplier times these wrenches is the
/// load that the constraint puts on the two bodies, whatever coordinates the bodies are in.
/// A row that holds velocities only has the value zero, and its wrenches give the velocity that must vanish.
template <class T>
struct FrameRow {
  T value{};
  Wrench<T> on_a{}, on_b{};
};

/// A constraint between two frames: so many rows, each with its value and its wrenches. Templates run on double, on SIMD packs
/// and on dual numbers (with frames that move, the slopes of on_a . V_WA + on_b . V_WB are the accelerations' bias), so they
/// must not branch on values.
///   nonholonomic  how many of the rows, the last ones, hold velocities only
///   relative      the rows depend on X_AB only. What moves both frames together then changes nothing, and work is limited to
///                 the path up to, not including, the outmost common ancestor of the two bodies (Simbody theory manual ch. 6).
///   uses_axes     the rows read more of the frames than their origins; if not, only those are computed and R is zero.
template <class C>
concept FrameConstraint = requires(const C& c, const Transform<double>& X, FrameRow<double>* rows) {
  { C::num_rows } -> std::convertible_to<int>;
  { C::nonholonomic } -> std::convertible_to<int>;
  { C::relative } -> std::convertible_to<bool>;
  { C::uses_axes } -> std::convertible_to<bool>;
  { c.frame_a } -> std::convertible_to<int>;
  { c.frame_b } -> std::convertible_to<int>;
  c.template evaluate<double>(X, X, rows);
};

/// The same where a third frame, the case, says in which place or direction the other two are held. It bears no load, and
/// the rows depend on the three frames' poses relative to each other only.
template <class C>
concept CaseConstraint = requires(const C& c, const Transform<double>& X, FrameRow<double>* rows) {
  { C::num_rows } -> std::convertible_to<int>;
  { C::nonholonomic } -> std::convertible_to<int>;
  { c.frame_a } -> std::convertible_to<int>;
  { c.frame_b } -> std::convertible_to<int>;
  { c.frame_case } -> std::convertible_to<int>;
  c.template evaluate<double>(X, X, X, rows);
};

/// The row n . (velocity of A's point at p - velocity of B's point at p), n and p in Ground: the wrenches of a unit force n
/// on A and its reaction on B, both through p.
template <class T>
POLHODE_INLINE FrameRow<T> points_move_alike(const Vec3<T>& p_WA, const Vec3<T>& p_WB, const Vec3<T>& p, const Vec3<T>& n) {
  return {T(0), {cross(p - p_WA, n), n}, {cross(n, p - p_WB), -n}};
}

}  // namespace polhode
