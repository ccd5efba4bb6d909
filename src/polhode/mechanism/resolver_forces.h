#pragma once
#include "polhode/mechanism/resolver_fields.h"

namespace polhode {

class ForceMaker : public ResolverPart {
 public:
  ForceMaker(const ResolverPart& part, Names& names, FieldPlacer& fields)
      : ResolverPart(part), names_(names), fields_(fields) {}
  void make_forces();
  /// Last, when all else is known to be right.
  void make_users_forces(const Mechanism& mechanism);

 private:
  void make_lifts();
  template <template <class> class Force>
  void add_force(const Source& where, const Force<Named>& spec);
  void add_force(const Source& where, MotorSpec motor);
  void add_force(const Source&, const PotentialFactory&) {}  // made last
  void add_force(const Source&, const ForceFactory&) {}
  template <class F>
  bool has_different_ends(const F& force, const Source& where);
  template <class F>
  bool makes_sense(F& force, const std::string& of, const Source& where);
  bool makes_sense(FrameWrench& force, const std::string& of, const Source& where);
  bool makes_sense(BodyForce& force, const std::string& of, const Source& where);
  bool makes_sense(MutualAttraction& force, const std::string& of, const Source& where);
  bool makes_sense(BushingForce& force, const std::string& of, const Source& where);
  bool makes_sense(LimitSpring& force, const std::string& of, const Source& where);
  ElementStates states_of(const ForceElement& element);

  Names& names_;
  FieldPlacer& fields_;
};

}  // namespace polhode
