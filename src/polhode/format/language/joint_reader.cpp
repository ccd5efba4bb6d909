#include <fmt/format.h>

#include "polhode/format/language/element_reader.h"
#include "polhode/format/language/geometry.h"
#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

/// The options of a joint as written, before they are checked against each other.
struct JointOptions {
  std::optional<Vec3<double>> at, axis, axis2, semi_axes;
  std::optional<Transform<double>> X_PF, X_BM;
  std::optional<double> lead;
  bool drawn = false, local = false;  ///< which of the two ways of placing it were used
  bool reversed = false;
  Source local_place{};
  std::vector<std::string> coordinates;
};

JointOptions take_options(Arguments& arguments) {
  JointOptions o;
  const auto drawn = [&](std::optional<Vec3<double>>& into, const char* unit) {
    return [&, unit](Arguments& a) { into = a.vector(unit), o.drawn = true; };
  };
  const auto local = [&](std::optional<Transform<double>>& into) {
    return [&](Arguments& a) { into = take_pose(a), o.local = true, o.local_place = a.where(); };
  };
  arguments.options({
      {"at", "(at x y z)", drawn(o.at, "m")},
      {"axis", "(axis x y z)", drawn(o.axis, "")},
      {"axis2", "(axis2 x y z)", drawn(o.axis2, "")},
      {"parent-frame", "(parent-frame (pose x y z))", local(o.X_PF)},
      {"child-frame", "(child-frame (pose x y z))", local(o.X_BM)},
      {"lead", "(lead metres-per-radian)", [&](Arguments& a) { o.lead = a.number("lead", "m/rad"); }},
      {"semi-axes", "(semi-axes a b c)", [&](Arguments& a) { o.semi_axes = a.vector("m"); }},
      {"reversed", "(reversed)", [&](Arguments&) { o.reversed = true; }},
      {"coordinates", "(coordinates \"name\" ...)",
       [&](Arguments& a) {
         do {
           if (auto name = a.name("coordinate's name")) o.coordinates.push_back(std::move(*name));
         } while (!a.at_end());
       }},
  });
  return o;
}

/// Hands the numbers that only some joint types have to those that have them.
void set_parameters(Arguments& arguments, const JointOptions& o, JointModel& model) {
  std::visit(
      [&](auto& joint) {
        if constexpr (requires { joint.lead = 1.0; }) {
          if (o.lead) joint.lead = *o.lead;
          if (!o.lead) arguments.problem("a screw joint needs its lead; write (lead metres-per-radian)");
        } else if (o.lead) {
          arguments.problem(fmt::format("(lead ...) belongs to screw joints, not to a {} one", joint.type));
        }
        if constexpr (requires { joint.semi_axes = Vec3<double>{}; }) {
          if (o.semi_axes) joint.semi_axes = *o.semi_axes;
          if (!(joint.semi_axes.x > 0 && joint.semi_axes.y > 0 && joint.semi_axes.z > 0)) {
            arguments.problem("the semi-axes of an ellipsoid joint must be positive lengths");
          }
          if (!o.semi_axes) arguments.problem("an ellipsoid joint needs its size; write (semi-axes a b c)");
        } else if (o.semi_axes) {
          arguments.problem(fmt::format("(semi-axes ...) belongs to ellipsoid joints, not to a {} one", joint.type));
        }
      },
      model);
}

}  // namespace

void read_joint(Arguments& arguments, Draft& draft) {
  const Source type_place = arguments.at_end() ? arguments.where() : arguments.tree()[arguments.peek()].where;
  const auto type = arguments.name("type");
  const auto name = arguments.name("name"), parent = arguments.name("parent"), child = arguments.name("child");
  if (name) arguments.set_subject(fmt::format("joint {}", quoted(*name)));
  JointOptions o = take_options(arguments);
  if (o.drawn && o.local) {
    arguments.problem(
        o.local_place,
        "a joint is placed either by (at ...) and (axis ...) or by (parent-frame ...) and (child-frame ...), not by both");
  }
  if (!type) return;
  std::optional<JointModel> model = joint_from_type_name(*type);
  if (!model) {
    const std::vector<std::string> types(joint_type_names().begin(), joint_type_names().end());
    arguments.problem(type_place, fmt::format("there is no joint type {}{}", quoted(*type),
                                              suggestion(lower_case(utf8_prefix(*type, 60)), types, "types")));
    return;
  }
  set_parameters(arguments, o, *model);
  if (!(name && parent && child)) return;

  DraftJoint joint;
  joint.spec = {.name = *name,
                .model = *model,
                .parent = *parent,
                .child = *child,
                .reversed = o.reversed,
                .coordinate_names = std::move(o.coordinates),
                .source = arguments.where()};
  if (o.local) {
    joint.spec.placement = LocalPlacement{o.X_PF.value_or(Transform<double>{}), o.X_BM.value_or(Transform<double>{})};
  } else {
    joint.spec.placement = DrawnPlacement{o.at.value_or(Vec3<double>{}), o.axis, o.axis2};
    joint.has_place = o.at.has_value();
  }
  draft.joints.push_back(std::move(joint));
}

}  // namespace polhode::format
