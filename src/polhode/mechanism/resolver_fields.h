#pragma once
#include "polhode/mechanism/curve.h"
#include "polhode/mechanism/fields.h"
#include "polhode/mechanism/resolver_inputs.h"
#include "polhode/mechanism/symmetric6.h"

namespace polhode {

/// From an element's description to what algorithms read, field by field: looked up where it is a name, judged where it is a
/// number.
class FieldPlacer : public ResolverPart {
 public:
  FieldPlacer(const ResolverPart& part, Names& names, InputMaker& inputs)
      : ResolverPart(part), names_(names), inputs_(inputs) {}

  /// False when something is wrong with a field. A name that is not found is told of by `asker`, a number by `label`.
  template <template <class> class Element>
  bool place_fields(const Element<Named>& spec, Element<Placed>& made, const std::string& asker, const std::string& label,
                    const Source& where) {
    bool good = true;
    for_each_field_of_both<Element<Named>, Element<Placed>>([&](const auto& named, const auto& placed) {
      good = place(spec.*named.member, made.*placed.member, FieldOf{named, asker, label, where}) && good;
    });
    return good;
  }
  BodyPlace body_place(int body) const;

 private:
  struct FieldOf {
    const FieldFacts& facts;
    const std::string &asker, &label;
    const Source& where;
  };
  bool place(const std::string& name, FramePlace& out, const FieldOf& field);
  bool place(const std::string& name, int& out, const FieldOf& field);
  bool place(const std::string& name, CoordinatePlace& out, const FieldOf& field);
  bool place(const std::string& name, SpeedPlace& out, const FieldOf& field);
  bool place(const std::string& name, BodyPlace& out, const FieldOf& field);
  bool place(const std::vector<std::string>& names, std::vector<BodyPlace>& out, const FieldOf& field);
  bool place(const std::vector<SumTerm<std::string>>& terms, std::vector<SumTerm<CoordinatePlace>>& out, const FieldOf& field);
  bool place(const std::vector<SumTerm<std::string>>& terms, std::vector<SumTerm<SpeedPlace>>& out, const FieldOf& field);
  template <class Coordinate>
  bool place_sum(const std::vector<SumTerm<std::string>>& terms, std::vector<SumTerm<Coordinate>>& out, const char* kind,
                 const FieldOf& field);
  bool place(double value, double& out, const FieldOf& field);
  bool place(const Vec3<double>& value, Vec3<double>& out, const FieldOf& field);
  bool place(const ForceLaw& law, ForceLaw& out, const FieldOf& field);
  bool place(const Signal& signal, Signal& out, const FieldOf& field);
  bool place(const Curve& curve, Curve& out, const FieldOf& field);
  bool place(const std::string& name, InputPlace& out, const FieldOf& field);
  bool place(const Range& range, Range& out, const FieldOf& field);
  bool place(const Symmetric6& matrix, Symmetric6& out, const FieldOf& field);
  /// Choices: right as they are.
  template <class Value>
  bool place(const Value& value, Value& out, const FieldOf&) {
    out = value;
    return true;
  }

  Names& names_;
  InputMaker& inputs_;
};

}  // namespace polhode
