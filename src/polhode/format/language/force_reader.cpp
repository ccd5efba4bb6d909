#include "polhode/format/language/force_reader.h"

#include <fmt/format.h>

#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

/// x y z [(world)] or (world x y z).
struct BodyVector {
  std::optional<Vec3<double>> value;
  bool in_ground = false;
};
BodyVector take_body_vector(Arguments& arguments, const char* usage) {
  BodyVector result;
  if (arguments.at_form("world")) {
    Arguments inner(arguments.tree(), arguments.take(), usage, arguments.notes());
    inner.set_subject(arguments.subject() + ": world");
    result = {inner.vector(), true};
    inner.finish();
    arguments.finish();
  } else {
    result.value = arguments.vector();
    arguments.options({{"world", "(world)", [&](Arguments&) { result.in_ground = true; }}});
  }
  return result;
}

void name_subject(Arguments& arguments, const char* kind, const std::optional<std::string>& name) {
  if (name) arguments.set_subject(fmt::format("{} on {}", kind, quoted(*name)));
}

}  // namespace

void read_spring(Arguments& arguments, MechanismBuilder& builder) {
  const auto a = arguments.name("first frame"), b = arguments.name("second frame");
  const auto stiffness = arguments.number("stiffness"), rest = arguments.number("rest length");
  std::optional<double> damping = 0.0;
  if (!arguments.at_end()) damping = arguments.number("damping");
  arguments.finish();
  if (a && b && stiffness && rest && damping) {
    builder.add_force({PointSpringSpec{*a, *b, *stiffness, *rest, *damping}, arguments.where()});
  }
}

void read_damping(Arguments& arguments, MechanismBuilder& builder) {
  const auto coordinate = arguments.name("coordinate");
  name_subject(arguments, "damping", coordinate);
  const auto c = arguments.number("c");
  std::optional<double> quadratic = 0.0;
  if (!arguments.at_end()) quadratic = arguments.number("c2");
  arguments.finish();
  if (coordinate && c && quadratic) {
    builder.add_force({CoordinateDampingSpec{*coordinate, *c, *quadratic}, arguments.where()});
  }
}

void read_torsion_spring(Arguments& arguments, MechanismBuilder& builder) {
  const auto coordinate = arguments.name("coordinate");
  name_subject(arguments, "torsion-spring", coordinate);
  const auto stiffness = arguments.number("stiffness"), rest = arguments.angle("rest");
  arguments.finish();
  if (coordinate && stiffness && rest) {
    builder.add_force({CoordinateSpringSpec{*coordinate, *stiffness, *rest}, arguments.where()});
  }
}

void read_force(Arguments& arguments, MechanismBuilder& builder) {
  const auto body = arguments.name("body's name");
  name_subject(arguments, "force", body);
  const auto [force, in_ground] = take_body_vector(arguments, "(force \"body\" (world x y z))");
  if (body && force) {
    builder.add_force({BodyForceSpec{.body = *body, .force = *force, .in_ground = in_ground}, arguments.where()});
  }
}

void read_torque(Arguments& arguments, MechanismBuilder& builder) {
  const auto body = arguments.name("body's name");
  name_subject(arguments, "torque", body);
  const auto [torque, in_ground] = take_body_vector(arguments, "(torque \"body\" (world x y z))");
  if (body && torque) {
    builder.add_force({BodyForceSpec{.body = *body, .torque = *torque, .in_ground = in_ground}, arguments.where()});
  }
}

void read_wrench(Arguments& arguments, MechanismBuilder& builder) {
  BodyForceSpec spec;
  const auto body = arguments.name("body's name");
  name_subject(arguments, "wrench", body);
  arguments.options({
      {"force", "(force x y z)", [&](Arguments& a) { spec.force = a.vector().value_or(Vec3<double>{}); }},
      {"torque", "(torque x y z)", [&](Arguments& a) { spec.torque = a.vector().value_or(Vec3<double>{}); }},
      {"world", "(world)", [&](Arguments&) { spec.in_ground = true; }},
  });
  if (!body) return;
  spec.body = *body;
  builder.add_force({std::move(spec), arguments.where()});
}

}  // namespace polhode::format
