#pragma once
#include "polhode/mechanism/resolver_fields.h"
#include "polhode/mechanism/resolver_laws.h"

namespace polhode {

class ForceMaker : public ResolverPart {
 public:
  ForceMaker(const ResolverPart& part, Names& names, FieldPlacer& fields, LawPlacer& laws)
      : ResolverPart(part), names_(names), fields_(fields), laws_(laws) {}
  void make_forces();
  /// Last, when all else is known to be right.
  void make_users_forces(const Mechanism& mechanism);

 private:
  void make_lifts();
  template <template <class> class Force>
  void add_force(const Source& where, const Force<Named>& spec);
  void add_force(const Source& where, MotorSpec motor);
  // resolver_law_forces.cpp
  void add_force(const Source& where, const LawForceSpec& spec);
  void add_force(const Source& where, const LawWrenchSpec& spec);
  void add_force(const Source& where, const LawMotorSpec& spec);
  std::optional<FramePlace> place_of(const LawWrenchSpec& spec, const char* keyword, const Source& where);
  void add_force(const Source&, const PotentialFactory&) {}  // made last
  void add_force(const Source&, const ForceFactory&) {}
  template <class F>
  bool makes_sense(F& force, const std::string& of, const Source& where);
  bool makes_sense(FrameWrench& force, const std::string& of, const Source& where);
  bool makes_sense(BodyForce& force, const std::string& of, const Source& where);
  bool makes_sense(MutualAttraction& force, const std::string& of, const Source& where);
  ElementStates states_of(const ForceElement& element);

  Names& names_;
  FieldPlacer& fields_;
  LawPlacer& laws_;
};

}  // namespace polhode
