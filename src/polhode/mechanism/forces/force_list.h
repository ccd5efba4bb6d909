#pragma once
#include <algorithm>
#include <tuple>
#include <vector>

#include "polhode/mechanism/element_list.h"
#include "polhode/mechanism/forces/attraction.h"
#include "polhode/mechanism/forces/body_force.h"
#include "polhode/mechanism/forces/coordinate_damping.h"
#include "polhode/mechanism/forces/coordinate_force.h"
#include "polhode/mechanism/forces/coordinate_input.h"
#include "polhode/mechanism/forces/coordinate_spring.h"
#include "polhode/mechanism/forces/frame_wrench.h"
#include "polhode/mechanism/forces/gravity_lift.h"
#include "polhode/mechanism/forces/law_force.h"
#include "polhode/mechanism/forces/magnet.h"
#include "polhode/mechanism/forces/motor.h"
#include "polhode/mechanism/forces/nonlinear_coordinate_spring.h"
#include "polhode/mechanism/forces/nonlinear_spring.h"
#include "polhode/mechanism/forces/point_spring.h"
#include "polhode/mechanism/forces/users_forces.h"

namespace polhode {

/// Every type of force that a description may have. Adding one: its file in this folder, its name here, its paragraph in
/// docs/language.md.
using ForceElements = ElementList<BasicCoordinateForce, BasicCoordinateInput, BasicCoordinateDamping, BasicCoordinateSpring,
                                  BasicNonlinearCoordinateSpring, BasicBodyForce, BasicFrameWrench, BasicPointSpring,
                                  BasicNonlinearSpring, BasicMagnet, BasicAttraction, BasicMotor>;
using ForceDescription = ForceElements::Described<PotentialFactory, ForceFactory, LawForceSpec, LawWrenchSpec, LawMotorSpec>;

/// All forces of a mechanism but gravity, by type. Algorithms do not name types: they visit all forces and ask.
class Forces {
 public:
  template <class F>
  const std::vector<F>& of() const {
    return std::get<std::vector<F>>(lists_);
  }
  template <class F>
  F& add(F force) {
    return std::get<std::vector<F>>(lists_).emplace_back(std::move(force));
  }

  /// Calls visit(force) for every force, type after type.
  template <class Visit>
  void for_each(Visit visit) const {
    std::apply([&](const auto&... list) { (visit_list(list, visit), ...); }, lists_);
  }
  template <class Test>
  bool any(Test test) const {
    bool found = false;
    for_each([&](const auto& force) { found = found || test(force); });
    return found;
  }

  bool act_on_bodies() const {
    return any_list([](const auto& list) {
      using F = ForceOf<decltype(list)>;
      if constexpr (LawForceType<F>)
        return std::any_of(list.begin(), list.end(), [](const F& f) { return f.acts_on_bodies(); });
      return !CoordinateForceType<F> && !LawForceType<F> && !list.empty();
    });
  }
  bool act_on_coordinates() const {
    return any_list([](const auto& list) {
      using F = ForceOf<decltype(list)>;
      if constexpr (LawForceType<F>)
        return std::any_of(list.begin(), list.end(), [](const F& f) { return f.acts_on_coordinates(); });
      return CoordinateForceType<F> && !list.empty();
    });
  }
  bool has_users_elements() const { return !of<UsersPotential>().empty() || !of<UsersForce>().empty(); }
  /// Tells users' elements which of a ForceScratches is theirs.
  void number_scratches() {
    int next = 0;
    for (UsersPotential& f : std::get<std::vector<UsersPotential>>(lists_)) f.scratch = next++;
    for (UsersForce& f : std::get<std::vector<UsersForce>>(lists_)) f.scratch = next++;
  }

 private:
  template <class List>
  using ForceOf = typename std::remove_cvref_t<List>::value_type;
  template <class List, class Visit>
  static void visit_list(const List& list, Visit& visit) {
    using F = ForceOf<List>;
    static_assert(ForceType<F> || LawForceType<F> || UsersForceType<F>, "a force leaves a question of its shape open");
    for (const auto& force : list) visit(force);
  }
  template <class Test>
  bool any_list(Test test) const {
    return std::apply([&](const auto&... list) { return (test(list) || ...); }, lists_);
  }

  ForceElements::Placed<GravityLift, LawForce, UsersPotential, UsersForce> lists_;
};

/// Of all users' elements: potentials first, then forces.
inline int count_cache_entries(const Forces& forces) {
  std::size_t count = 0;
  for (const UsersPotential& f : forces.of<UsersPotential>()) count += f.element->cache_entries().size();
  for (const UsersForce& f : forces.of<UsersForce>()) count += f.element->cache_entries().size();
  return int(count);
}

/// What users' elements keep from call to call, for one stepper, thread or workspace.
class ForceScratches {
 public:
  ForceScratches() = default;
  explicit ForceScratches(const Forces& forces) {
    for (const UsersPotential& f : forces.of<UsersPotential>()) kept_.push_back(f.element->make_scratch());
    for (const UsersForce& f : forces.of<UsersForce>()) kept_.push_back(f.element->make_scratch());
  }
  ForceScratch* operator[](int i) const { return i < int(kept_.size()) ? kept_[std::size_t(i)].get() : nullptr; }

 private:
  std::vector<std::unique_ptr<ForceScratch>> kept_;
};

}  // namespace polhode
