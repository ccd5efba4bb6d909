#include "polhode/format/plots/scene_constraint.h"

namespace polhode::format {
namespace {

struct Describer {
  const Mechanism& mechanism;

  const std::string& name_of(const CoordinatePlace& place) const { return mechanism.coordinate_names()[std::size_t(place.q)]; }
  const std::string& name_of(const SpeedPlace& place) const { return mechanism.speed_names()[std::size_t(place.u)]; }

  /// From the table of fields: what it ties, and its lengths under their names.
  template <class Model>
  SceneConstraint operator()(const Model& model) const {
    SceneConstraint out{Model::keyword};
    for_each_field<Model>([&](const auto& field) { add<Model>(out, field, model.*field.member); });
    return out;
  }

  /// A user's: the bodies' own frames stand for what it ties on them.
  SceneConstraint operator()(const std::shared_ptr<const CustomConstraint>& c) const {
    SceneConstraint out{"custom", c->bodies()};
    for (const int speed : c->speeds()) out.coordinates.push_back(name_of(SpeedPlace{-1, speed}));
    return out;
  }

 private:
  template <class Model, class Value>
  void add(SceneConstraint& out, const FieldFacts& field, const Value& value) const {
    if constexpr (std::is_same_v<Value, int>) {
      out.frames.push_back(value);
    } else if constexpr (std::is_same_v<Value, CoordinatePlace> || std::is_same_v<Value, SpeedPlace>) {
      out.coordinates.push_back(name_of(value));
    } else if constexpr (std::is_same_v<Value, double>) {
      if (std::string_view(field.unit) == "m") out.lengths.emplace_back(field.name, value);
    } else if constexpr (std::is_same_v<Value, Vec3<double>>) {
      if (!out.direction && is_fixed_in_first_frame<Model>()) out.direction = value;
    } else if constexpr (requires { value.front().coordinate; }) {
      for (const auto& term : value) out.coordinates.push_back(name_of(term.coordinate));
    }
  }
  /// Not so of a direction in Ground.
  template <class Model>
  static constexpr bool is_fixed_in_first_frame() {
    if constexpr (FrameConstraint<Model>) return Model::relative;
    return true;
  }
};

}  // namespace

SceneConstraint scene_constraint(const Mechanism& mechanism, const Constraint& constraint) {
  return std::visit(Describer{mechanism}, constraint.model);
}

}  // namespace polhode::format
