#pragma once
#include "polhode/mechanism/resolver_names.h"

namespace polhode {

/// Events stay as they are described; only their names and numbers are checked here.
class EventChecker : public ResolverPart {
 public:
  EventChecker(const ResolverPart& part, Names& names, const JointGraph& graph)
      : ResolverPart(part), names_(names), graph_(graph) {}
  void check_events();
  /// Users' elements may bring discrete variables along; they are made last.
  void check_discrete_of_events();

 private:
  void check_when(const EventSpec& event, const std::string& what);
  void check_witness(const WitnessSpec& witness, const std::string& what, const Source& where);
  void check_action(const ActionSpec& action, const std::string& what);
  void check_constraint_name(const std::string& name, const std::string& what, const Source& where);
  void check_joint_name(const std::string& name, const std::string& what, const Source& where);
  void check_settable(std::optional<int> u, const std::string& name, const std::string& what, const Source& where);
  void check_discrete_name(const std::string& name, const std::string& what, const Source& where);

  Names& names_;
  const JointGraph& graph_;
};

}  // namespace polhode
