#pragma once
#include "polhode/mechanism/forces/force_type.h"

namespace polhode {

/// Every two of these bodies attract each other with force G m_a m_b / r^2, r being the distance of their centres of mass
/// (exact for balls, good for anything far away). Potential -G m_a m_b / r.
template <class Ref>
struct BasicAttraction {
  static constexpr const char* keyword = "attraction";
  double constant = 0;            ///< G [N m^2/kg^2]; 6.674e-11 in nature
  typename Ref::Bodies bodies{};  ///< every two of them; in a description, none stands for all that have mass

  static constexpr auto fields() {
    using F = BasicAttraction;
    return std::make_tuple(field("constant", &F::constant, "N m^2/kg^2", "G, 6.674e-11 in nature"),
                           field("bodies", &F::bodies, "", "every two of them; none: all that have mass"));
  }

  static constexpr bool has_potential = true, acts_at_rest = true;
  static constexpr Momentum momentum = Momentum::exchanged;
  bool keeps_energy() const { return true; }
  bool depends_on_velocity() const { return false; }
  bool depends_on_time() const { return false; }
  void add_breaks(std::vector<double>&) const {}
  template <class Visit>
  void for_each_body(Visit visit) const {
    for (const BodyPlace& body : bodies) visit(body.body);
  }
  void add_singularities(const ForceView<double>& at, std::vector<NearSingularity>& near) const {
    for_each_pair(at, [&](const BodyPlace& a, const BodyPlace& b, double, const Vec3<double>& p_ab) {
      near.push_back({norm(p_ab), 0, "attract each other", a.body, b.body, NearSingularity::Of::bodies});
    });
  }

  template <class T>
  void add_load(const ForceView<T>& at, ForceLoads<T>& out) const {
    for_each_pair(at, [&](const BodyPlace& a, const BodyPlace& b, double strength, const Vec3<T>& p_ab) {
      const T r = norm(p_ab);
      const Vec3<T> pull = (T(strength) / (r * r * r)) * p_ab;
      out.add_force_at(a.body, center(at, a), pull);
      out.add_force_at(b.body, center(at, b), -pull);
    });
  }
  template <class T>
  T energy(const ForceView<T>& at) const {
    T energy(0);
    for_each_pair(at, [&](const BodyPlace&, const BodyPlace&, double strength, const Vec3<T>& p_ab) {
      energy -= T(strength) / norm(p_ab);
    });
    return energy;
  }

 private:
  template <class T>
  static Vec3<T> center(const ForceView<T>& at, const BodyPlace& body) {
    return at.X_WB[std::size_t(body.body)] * cast<T>(body.com);
  }
  /// Calls pair(a, b, G m_a m_b, p_ab) for every two bodies.
  template <class T, class Pair>
  void for_each_pair(const ForceView<T>& at, Pair pair) const {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Vec3<T> p_a = center(at, bodies[i]);
      for (std::size_t j = i + 1; j < bodies.size(); ++j)
        pair(bodies[i], bodies[j], constant * bodies[i].mass * bodies[j].mass, center(at, bodies[j]) - p_a);
    }
  }
};
using AttractionSpec = BasicAttraction<Named>;
using MutualAttraction = BasicAttraction<Placed>;
static_assert(BodyForceType<MutualAttraction>);

}  // namespace polhode
