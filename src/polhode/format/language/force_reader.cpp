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
BodyVector take_body_vector(Arguments& arguments, const char* usage, const char* unit) {
  BodyVector result;
  if (arguments.at_form("world")) {
    Arguments inner(arguments.tree(), arguments.take(), usage, arguments.notes());
    inner.set_subject(arguments.subject() + ": world");
    result = {inner.vector(unit), true};
    inner.finish();
    arguments.finish();
  } else {
    result.value = arguments.vector(unit);
    arguments.options({{"world", "(world)", [&](Arguments&) { result.in_ground = true; }}});
  }
  return result;
}

void name_subject(Arguments& arguments, const char* kind, const std::optional<std::string>& name) {
  if (name) arguments.set_subject(fmt::format("{} on {}", kind, quoted(*name)));
}

}  // namespace

void read_force(Arguments& arguments, MechanismBuilder& builder) {
  const auto body = arguments.name("body's name");
  name_subject(arguments, "force", body);
  const auto [force, in_ground] = take_body_vector(arguments, "(force \"body\" (world x y z))", "N");
  if (body && force) {
    builder.add_force({BodyForceSpec{.body = *body, .force = *force, .in_ground = in_ground}, arguments.where()});
  }
}

void read_torque(Arguments& arguments, MechanismBuilder& builder) {
  const auto body = arguments.name("body's name");
  name_subject(arguments, "torque", body);
  const auto [torque, in_ground] = take_body_vector(arguments, "(torque \"body\" (world x y z))", "N m");
  if (body && torque) {
    builder.add_force({BodyForceSpec{.body = *body, .torque = *torque, .in_ground = in_ground}, arguments.where()});
  }
}

void read_wrench(Arguments& arguments, MechanismBuilder& builder) {
  BodyForceSpec spec;
  const auto body = arguments.name("body's name");
  name_subject(arguments, "wrench", body);
  arguments.options({
      {"force", "(force x y z)", [&](Arguments& a) { spec.force = a.vector("N").value_or(Vec3<double>{}); }},
      {"torque", "(torque x y z)", [&](Arguments& a) { spec.torque = a.vector("N m").value_or(Vec3<double>{}); }},
      {"world", "(world)", [&](Arguments&) { spec.in_ground = true; }},
  });
  if (!body) return;
  spec.body = *body;
  builder.add_force({std::move(spec), arguments.where()});
}

}  // namespace polhode::format
