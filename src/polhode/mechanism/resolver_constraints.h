#pragma once
#include "polhode/mechanism/resolver_fields.h"

namespace polhode {

class ConstraintMaker : public ResolverPart {
 public:
  ConstraintMaker(const ResolverPart& part, FieldPlacer& fields) : ResolverPart(part), fields_(fields) {}
  void make_constraints();
  /// Last, when all else is known to be right.
  void make_users_constraints(const Mechanism& mechanism);

 private:
  void tell_equal_labels_apart();
  void refuse_senseless_side(const Constraint& constraint);
  /// What messages call a constraint: `wire "rope"`, or `wire "hip" "knee"` when it has no name of its own.
  static std::string label(const ConstraintSpec& spec);
  template <class Model>
  void keep(const ConstraintSpec& spec, Model model) {
    out_.constraints.push_back({spec.name, label(spec), std::move(model), spec.source, spec.disabled, spec.sense});
  }
  template <template <class> class Model>
  void add_constraint(const ConstraintSpec& spec, const Model<Named>& model);
  void add_constraint(const ConstraintSpec& spec, const ConstraintFactory& make);
  /// A constraint ties two different frames, or two different coordinates.
  template <class Model>
  bool has_different_ends(const Model& model, const std::string& what, const Source& where);
  /// What a type of constraint asks for beyond its fields. Most ask for nothing.
  template <class Model>
  bool holds_something(const Model&, const std::string&, const Source&) {
    return true;
  }
  bool holds_something(const NoSlip& model, const std::string& what, const Source& where);

  FieldPlacer& fields_;
};

}  // namespace polhode
