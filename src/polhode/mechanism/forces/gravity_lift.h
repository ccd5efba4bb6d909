#pragma once
#include "polhode/mechanism/forces/force_type.h"

namespace polhode {

/// Uniform gravity acts on every body; where the model says that it does not, this force at the centre of mass undoes it.
struct GravityLift {
  BodyPlace body;
  Vec3<double> force;  ///< minus the weight, in Ground [N]

  static constexpr bool has_potential = true, acts_at_rest = true;
  static constexpr Momentum momentum = Momentum::along_gravity;
  bool keeps_energy() const { return true; }
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
    out.add_force_at(body.body, center(at), cast<T>(force));
  }
  template <class T>
  T energy(const ForceView<T>& at) const {
    return -dot(cast<T>(force), center(at));
  }

 private:
  template <class T>
  Vec3<T> center(const ForceView<T>& at) const {
    return at.X_WB[std::size_t(body.body)] * cast<T>(body.com);
  }
};
static_assert(BodyForceType<GravityLift>);

}  // namespace polhode
