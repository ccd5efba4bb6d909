#include <fmt/format.h>

#include "polhode/format/language/element_reader.h"
#include "polhode/format/language/frame_reader.h"
#include "polhode/format/language/geometry.h"
#include "polhode/format/language/shape_reader.h"
#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

std::optional<SymMat3<double>> take_inertia(Arguments& arguments, bool& as_given) {
  const auto xx = arguments.number("ixx", "kg m^2"), yy = arguments.number("iyy", "kg m^2"),
             zz = arguments.number("izz", "kg m^2");
  if (!(xx && yy && zz)) return std::nullopt;
  if (arguments.at_end() || arguments.at_form("as-given")) {
    take_as_given(arguments, as_given);
    return SymMat3<double>::diagonal({*xx, *yy, *zz});
  }
  const auto xy = arguments.number("ixy", "kg m^2"), xz = arguments.number("ixz", "kg m^2"),
             yz = arguments.number("iyz", "kg m^2");
  if (!(xy && xz && yz)) return std::nullopt;
  take_as_given(arguments, as_given);
  return SymMat3<double>{*xx, *yy, *zz, *xy, *xz, *yz};
}

}  // namespace

void read_body(Arguments& arguments, MechanismBuilder& builder) {
  BodySpec body;
  body.source = arguments.where();
  const auto name = arguments.name("name");
  if (name) arguments.set_subject(fmt::format("body {}", quoted(*name)));

  std::optional<MassProperties> mass;
  std::optional<SymMat3<double>> inertia;
  Source inertia_place;
  std::vector<ShapeSpec> shapes;
  arguments.options({
      {"mass", "(mass m)", [&](Arguments& a) { mass = take_mass(a, body.as_given); }},
      {"inertia", "(inertia ixx iyy izz [ixy ixz iyz] [(as-given)])",
       [&](Arguments& a) { inertia = take_inertia(a, body.as_given), inertia_place = a.where(); }},
      {"com", "(com x y z)", [&](Arguments& a) { body.mass.com = a.vector("m").value_or(Vec3<double>{}); }},
      {"pose", pose_usage, [&](Arguments& a) { body.drawn_pose = take_pose_numbers(a).value_or(Transform<double>{}); }},
      {"shape", inner_shape_usage, [&](Arguments& a) { take_shape(a, shapes); }, true},
  });
  if (mass) {
    body.mass.mass = mass->mass;
    body.mass.inertia = inertia.value_or(mass->inertia);
    if (inertia && mass->inertia != SymMat3<double>{}) {
      arguments.problem(inertia_place, "the inertia is given both in (mass ...) and in (inertia ...); keep one");
    }
  } else if (inertia) {
    body.mass.inertia = *inertia;
  }
  if (!name) return;
  body.name = *name;
  builder.add_body(std::move(body));
  for (ShapeSpec& shape : shapes) {
    shape.frame = *name;
    builder.add_shape(std::move(shape));
  }
}

void read_frame(Arguments& arguments, MechanismBuilder& builder) {
  FrameSpec frame;
  frame.source = arguments.where();
  const auto name = arguments.name("name");
  if (name) arguments.set_subject(fmt::format("frame {}", quoted(*name)));
  const auto body = arguments.name("body's name");
  frame.X_BF = take_pose(arguments).value_or(Transform<double>{});
  arguments.finish();
  if (!name || !body) return;
  frame.name = *name;
  frame.body = *body;
  builder.add_frame(std::move(frame));
}

}  // namespace polhode::format
