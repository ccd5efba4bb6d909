#pragma once
#include "polhode/mechanism/resolver_names.h"

namespace polhode {

/// What coordinates and speeds are called.
class CoordinateNamer : public ResolverPart {
 public:
  CoordinateNamer(const ResolverPart& part, const JointGraph& graph, const GrownTree& grown,
                  const std::vector<Source>& joint_source)
      : ResolverPart(part), graph_(graph), grown_(grown), joint_source_(joint_source) {}
  CoordinateIndex make();

 private:
  void refuse_names_of_speeds();
  void add_coordinates(int body);
  /// Coordinates of a joint that is not in the tree: their names are taken, but they stand for no number.
  void reserve_coordinates(int joint, int standing);
  Source coordinate_source(const std::string& name) const;

  const JointGraph& graph_;
  const GrownTree& grown_;
  const std::vector<Source>& joint_source_;
  CoordinateIndex index_;
};

/// Where coordinates and speeds start.
class InitialState : public ResolverPart {
 public:
  InitialState(const ResolverPart& part, Names& names) : ResolverPart(part), names_(names) {}
  void set_values();
  /// A half starts where the body itself is, unless its joint's start is given: the joint's coordinates follow from the others.
  void place_halves(const GrownTree& grown);
  void set_velocities();

 private:
  void set_initial(const InitialValue& value);
  void set_initial_speed(const InitialValue& value, int q);
  void normalize_quaternions();

  Names& names_;
};

}  // namespace polhode
