#pragma once
#include "polhode/mechanism/force_element.h"
#include "polhode/mechanism/forces/force_type.h"

/// Users' own elements among the types of forces. They may touch any body and coordinate, and give derivatives of generalized
/// forces if they have them (ForceDerivatives).
namespace polhode {

/// Where a user's element finds its own auxiliary states and discrete variables.
struct ElementStates {
  int first_z = 0, nz = 0, first_discrete = 0, ndiscrete = 0;
};

struct UsersPotential {
  std::shared_ptr<const Potential> element;
  int scratch = -1;  ///< its number among all that users' elements keep

  static constexpr bool has_potential = true, acts_at_rest = true;
  bool keeps_energy() const { return !element->depends_on_time(); }
  bool depends_on_velocity() const { return false; }
  bool depends_on_time() const { return element->depends_on_time(); }
  void add_breaks(std::vector<double>&) const {}  // not known
};

struct UsersForce {
  std::shared_ptr<const ForceElement> element;
  ElementStates states{};
  int scratch = -1;

  static constexpr bool has_potential = false, acts_at_rest = true;
  bool keeps_energy() const { return false; }
  bool depends_on_velocity() const { return true; }
  bool depends_on_time() const { return true; }
  void add_breaks(std::vector<double>&) const {}  // not known
};

template <class F>
concept UsersForceType = ForceTraits<F> && requires(const F& f) {
  f.element->make_scratch();
};
static_assert(UsersForceType<UsersPotential> && UsersForceType<UsersForce>);

}  // namespace polhode
