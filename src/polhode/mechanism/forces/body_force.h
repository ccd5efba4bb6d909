#pragma once
#include "polhode/mechanism/forces/force_type.h"

namespace polhode {

/// A constant force [N] and torque [N m] at a body's centre of mass, in body axes or in Ground's.
template <class Ref>
struct BasicBodyForce {
  static constexpr const char* keyword = "force";
  typename Ref::Body body;
  Vec3<double> force{}, torque{};
  bool in_ground = false;

  static constexpr auto fields() {
    using F = BasicBodyForce;
    return std::make_tuple(field("body's name", &F::body, "", "that it acts on"),
                           field("force", &F::force, "N", "at the centre of mass"), field("torque", &F::torque, "N m", ""),
                           field("world", &F::in_ground, "", "constant in Ground's axes instead of the body's"));
  }

  static constexpr bool has_potential = false, acts_at_rest = true;
  static constexpr Momentum momentum = Momentum::changed;
  bool keeps_energy() const { return false; }
  bool depends_on_velocity() const { return false; }
  bool depends_on_time() const { return false; }
  void add_breaks(std::vector<double>&) const {}
  template <class Visit>
  void for_each_body(Visit visit) const {
    visit(body.body);
  }
  void add_singularities(const ForceView<double>&, std::vector<NearSingularity>&) const {}

  template <class T>
  void add_load(const ForceView<T>& at, ForceLoads<T>& out) const {
    const Transform<T>& X_WB = at.X_WB[std::size_t(body.body)];
    const Vec3<T> force_W = in_ground ? cast<T>(force) : X_WB.R * cast<T>(force);
    const Vec3<T> torque_W = in_ground ? cast<T>(torque) : X_WB.R * cast<T>(torque);
    out.add_force_at(body.body, X_WB * cast<T>(body.com), force_W);
    out.add_torque(body.body, torque_W);
  }
  template <class T>
  T energy(const ForceView<T>&) const {
    return T(0);
  }
};
using BodyForceSpec = BasicBodyForce<Named>;
using BodyForce = BasicBodyForce<Placed>;
static_assert(BodyForceType<BodyForce>);

}  // namespace polhode
