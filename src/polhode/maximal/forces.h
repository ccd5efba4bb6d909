#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "polhode/maximal/coordinate_rows.h"
#include "polhode/maximal/tree_map.h"
#include "polhode/state/outside.h"

namespace polhode::maximal {

/// All forces of a mechanism, gravity included, as loads on bodies: moment in body axes and force in Ground axes, at the centre
/// of mass, row_width numbers a body. A force on a joint's coordinate becomes a load on the child and the opposite one on the
/// parent that do the same work on every motion that the joint allows (JointCoordinates::duals()). Does not allocate after it
/// is built; it works in memory of its own, so each thread needs one.
class Forces {
 public:
  explicit Forces(const Mechanism& mechanism);

  /// To begin with it is what acts on a new State.
  void set(const Outside& outside);
  /// The mechanism's auxiliary states, from now on; to begin with they are the initial ones.
  void set_z(std::span<const double> z) { std::copy(z.begin(), z.end(), z_.begin()); }
  /// A time, and what forces read besides.
  Now now(double t) const { return outside_.now(t, z_); }

  /// near: coordinates to count angles on from (constraints.h).
  void evaluate(double t, const Bodies& at, std::span<const double> near, std::span<double> loads);
  /// The loads of forces that have a potential, gravity included: minus its gradient along what joints allow.
  void evaluate_potential(double t, const Bodies& at, std::span<const double> near, std::span<double> loads);
  /// False when no force depends on velocities, so that evaluate() need not be called with good ones.
  bool depend_on_velocity() const { return depend_on_velocity_; }
  /// Whether evaluate() gives the same loads everywhere: only gravity.
  bool are_constant() const { return only_gravity_; }
  /// Kinetic and potential energy [J].
  double kinetic_energy(const Bodies& at) const;
  double potential_energy(double t, const Bodies& at, std::span<const double> near);

 private:
  void read_bodies(const Bodies& at);
  void read_coordinates(const Bodies& at, std::span<const double> near);
  void add_body_loads(std::span<double> loads) const;
  void add_coordinate_loads(std::span<double> loads) const;
  Configuration at_rest(double t) const;

  TreeMap map_;
  bool only_gravity_ = true, depend_on_velocity_;
  std::vector<char> in_use_;      ///< by speed: some element of the mechanism reads its coordinate or loads it
  std::vector<JointSite> sites_;  ///< of all joints
  std::vector<int> used_;         ///< those of them whose coordinates some element reads or loads
  std::vector<double> weight_;    ///< the loads of gravity

  // Work.
  std::vector<Transform<double>> X_WC_, X_WB_;
  std::vector<Motion<double>> V_WC_, V_WB_;
  std::vector<Wrench<double>> wrenches_;
  std::vector<JointSite::Reading> readings_;
  std::vector<double> q_, u_, tau_;
  Outside outside_;
  std::vector<Motion<double>> no_motions_;
  std::vector<double> no_speeds_;
  std::vector<double> z_;
  ForceScratches scratches_;
};

}  // namespace polhode::maximal
