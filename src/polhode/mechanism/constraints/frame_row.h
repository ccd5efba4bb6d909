#pragma once
#include <concepts>

#include "polhode/spatial/spatial_vector.h"

namespace polhode {

/// One scalar equation h(X_WA, X_WB) = 0 between two frames, with its derivative as a wrench on each of them:
///   dh/dt = on_a . V_WA + on_b . V_WB
/// Velocities are those of the frames' origins in Ground axes; so are the wrenches. A multiplier times these wrenches is the
/// load that the constraint puts on the two bodies, whatever coordinates the bodies are in.
template <class T>
struct FrameRow {
  T value{};
  Wrench<T> on_a{}, on_b{};
};

/// A constraint between two frames: so many rows, each with its value and its wrenches. Templates run on double, on SIMD packs
/// and on dual numbers (with frames that move, the slopes of on_a . V_WA + on_b . V_WB are the accelerations' bias), so they
/// must not branch on values.
///   relative   the rows depend on X_AB only. What moves both frames together then changes nothing, and work is limited to
///              the path up to, not including, the outmost common ancestor of the two bodies (seed 002, ch. 6).
///   uses_axes  the rows read more of the frames than their origins; if not, only those are computed and R is zero.
template <class C>
concept FrameConstraint = requires(const C& c, const Transform<double>& X, FrameRow<double>* rows) {
  { C::num_rows } -> std::convertible_to<int>;
  { C::relative } -> std::convertible_to<bool>;
  { C::uses_axes } -> std::convertible_to<bool>;
  { c.frame_a } -> std::convertible_to<int>;
  { c.frame_b } -> std::convertible_to<int>;
  c.template evaluate<double>(X, X, rows);
};

}  // namespace polhode
