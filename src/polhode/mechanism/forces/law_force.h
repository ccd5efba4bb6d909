#pragma once
#include <array>
#include <string>
#include <vector>

#include "polhode/mechanism/forces/force_type.h"
#include "polhode/mechanism/forces/frame_wrench.h"
#include "polhode/mechanism/law.h"

/// Forces whose values are laws (law.h). There are several ways to describe one, and one way in which algorithms see it: a list
/// of laws, each of which loads one speed or is one component of a wrench on a body.
namespace polhode {

/// A generalized force on one coordinate or speed [N] or [N m].
struct LawForceSpec {
  static constexpr const char* keyword = "generalized-force";
  std::string coordinate;
  Law value{};
};

/// A force [N] and torque [N m] on a body at its centre of mass, in its axes or (hybrid) in Ground's; or on a frame.
struct LawWrenchSpec {
  static constexpr const char* keyword = "wrench";
  std::string on;  ///< a body or, with at_frame, a frame
  bool at_frame = false;
  WrenchComponents components = WrenchComponents::body;
  std::array<Law, 3> force{}, torque{};
};

/// A motor (motor.h) whose limits are laws, such as those of a torque-speed curve: gear times an input, within them.
struct LawMotorSpec {
  static constexpr const char* keyword = "motor";
  std::string name, coordinate;
  double gear = 1;
  Law low{}, high{};
  std::string input{};  ///< none stands for one of the motor's own, which has its name
};

/// One law and what it loads.
struct LawLoad {
  Law law;
  int u = -1;          ///< the speed that it loads; or, where this is -1,
  FramePlace place{};  ///< where a wrench acts whose component it is
  WrenchComponents components = WrenchComponents::body;
  int component = 0;  ///< 0, 1, 2: a torque about x, y, z; 3, 4, 5: a force along them

  bool on_speed() const { return u >= 0; }
  /// The wrench of a unit of it at the origin of its body, in Ground axes, where the body has this pose.
  template <class T>
  Wrench<T> unit(const Transform<T>& X_WB) const {
    const Transform<T> X_WF = X_WB * cast<T>(place.X_BF);
    const int i = component % 3;
    Vec3<T> axis{};
    axis[i] = T(1);
    if (components == WrenchComponents::body) axis = X_WF.R.col[i];
    if (component < 3) return {axis, {}};
    const Vec3<T> at = components == WrenchComponents::spatial ? Vec3<T>{} : X_WF.p;
    return {cross(at - X_WB.p, axis), axis};
  }
};

struct LawForce {
  std::string label;    ///< for messages
  const char* keyword;  ///< of its form
  std::string name;     ///< its own, of a motor
  std::vector<LawLoad> loads;

  static constexpr bool has_potential = false, acts_at_rest = true;
  bool keeps_energy() const { return false; }
  bool depends_on_velocity() const {
    return any([](const LawLoad& load) { return load.law.reads(Law::Kind::speed); });
  }
  bool depends_on_time() const {
    return any([](const LawLoad& load) { return load.law.depends_on_time(); });
  }
  void add_breaks(std::vector<double>& times) const {
    for (const LawLoad& load : loads) load.law.add_breaks(times);
  }
  bool acts_on_bodies() const {
    return any([](const LawLoad& load) { return !load.on_speed(); });
  }
  bool acts_on_coordinates() const {
    return any([](const LawLoad& load) { return load.on_speed(); });
  }

 private:
  template <class Test>
  bool any(Test test) const {
    for (const LawLoad& load : loads)
      if (test(load)) return true;
    return false;
  }
};

/// The shape: loads that depend on whatever their laws read.
template <class F>
concept LawForceType = ForceTraits<F> && std::same_as<F, LawForce>;
static_assert(LawForceType<LawForce>);

}  // namespace polhode
