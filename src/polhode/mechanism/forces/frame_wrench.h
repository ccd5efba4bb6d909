#pragma once
#include <array>

#include "polhode/mechanism/forces/force_type.h"
#include "polhode/mechanism/signal.h"

namespace polhode {

/// In which axes a wrench on a frame is given, and about which point its torque (Johnson & Murphey, section IV-E).
enum class WrenchComponents {
  body,    ///< the frame's axes, at its origin
  hybrid,  ///< Ground's axes, at the frame's origin
  spatial  ///< Ground's axes; the torque is about Ground's origin
};

/// A force [N] and torque [N m] on a frame, each component a function of time: tau = J^T F for a wrench in the components that
/// it is given in (Johnson & Murphey, section IV-E1).
template <class Ref>
struct BasicFrameWrench {
  static constexpr const char* keyword = "frame-wrench";
  typename Ref::Frame frame;
  WrenchComponents components = WrenchComponents::body;
  std::array<Signal, 3> force{}, torque{};

  static constexpr auto fields() {
    using F = BasicFrameWrench;
    return std::make_tuple(
        field("frame", &F::frame, "", "that it acts on"), field("components", &F::components, "", "body, hybrid or spatial"),
        field("force", &F::force, "N", "as functions of time"), field("torque", &F::torque, "N m", "as functions of time"));
  }

  static constexpr bool has_potential = false, acts_at_rest = true;
  static constexpr Momentum momentum = Momentum::changed;
  bool keeps_energy() const { return false; }
  bool depends_on_velocity() const { return false; }
  bool depends_on_time() const {
    for (int i = 0; i < 3; ++i)
      if (!force[std::size_t(i)].is_constant() || !torque[std::size_t(i)].is_constant()) return true;
    return false;
  }
  void add_breaks(std::vector<double>& times) const {
    for (const auto& part : {force, torque})
      for (const Signal& signal : part) signal.add_breaks(times);
  }
  template <class Visit>
  void for_each_body(Visit visit) const {
    visit(frame.body);
  }
  void add_singularities(const ForceView<double>&, std::vector<NearSingularity>&) const {}

  template <class T>
  void add_load(const ForceView<T>& at, ForceLoads<T>& out) const {
    const auto now = [&](const std::array<Signal, 3>& s) {
      return Vec3<T>{T(s[0].value(at.t)), T(s[1].value(at.t)), T(s[2].value(at.t))};
    };
    const Transform<T> X_WF = at.X_WB[std::size_t(frame.body)] * cast<T>(frame.X_BF);
    const bool in_frame = components == WrenchComponents::body;
    const Vec3<T> force_W = in_frame ? X_WF.R * now(force) : now(force);
    const Vec3<T> torque_W = in_frame ? X_WF.R * now(torque) : now(torque);
    out.add_force_at(frame.body, components == WrenchComponents::spatial ? Vec3<T>{} : X_WF.p, force_W);
    out.add_torque(frame.body, torque_W);
  }
  template <class T>
  T energy(const ForceView<T>&) const {
    return T(0);
  }
};
using FrameWrenchSpec = BasicFrameWrench<Named>;
using FrameWrench = BasicFrameWrench<Placed>;
static_assert(BodyForceType<FrameWrench>);

}  // namespace polhode
