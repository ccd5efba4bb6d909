#include "polhode/format/language/force_reader.h"

#include <fmt/format.h>

#include <array>

#include "polhode/format/language/law_reader.h"
#include "polhode/format/language/motion_reader.h"
#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

/// Three numbers, or three laws where one of them is a law.
struct ThreeValues {
  std::optional<Vec3<double>> numbers{};
  std::optional<std::array<Law, 3>> laws{};
};
ThreeValues take_three(Arguments& arguments, const char* unit) {
  ThreeValues values;
  if (any_law_ahead(arguments, 3)) {
    values.laws = take_three_laws(arguments);
  } else {
    values.numbers = arguments.vector(unit);
  }
  return values;
}

/// x y z [(world)] or (world x y z).
struct BodyVector {
  ThreeValues values;
  bool in_ground = false;
};
BodyVector take_body_vector(Arguments& arguments, const char* usage, const char* unit) {
  BodyVector result;
  if (arguments.at_form("world")) {
    Arguments inner(arguments.tree(), arguments.take(), usage, arguments.notes());
    inner.set_subject(arguments.subject() + ": world");
    result = {take_three(inner, unit), true};
    inner.finish();
    arguments.finish();
  } else {
    result.values = take_three(arguments, unit);
    arguments.options({{"world", "(world)", [&](Arguments&) { result.in_ground = true; }}});
  }
  return result;
}

LawWrenchSpec law_wrench_on(const std::string& body, bool in_ground) {
  return {.on = body, .components = in_ground ? WrenchComponents::hybrid : WrenchComponents::body};
}
std::array<Law, 3> constant_laws(const Vec3<double>& v) { return {Law::constant(v.x), Law::constant(v.y), Law::constant(v.z)}; }

void name_subject(Arguments& arguments, const char* kind, const std::optional<std::string>& name) {
  if (name) arguments.set_subject(fmt::format("{} on {}", kind, quoted(*name)));
}

}  // namespace

void read_force(Arguments& arguments, MechanismBuilder& builder) {
  const auto body = arguments.name("body's name");
  name_subject(arguments, "force", body);
  auto [force, in_ground] = take_body_vector(arguments, "(force \"body\" (world x y z))", "N");
  if (body && force.numbers) {
    builder.add_force({BodyForceSpec{.body = *body, .force = *force.numbers, .in_ground = in_ground}, arguments.where()});
  } else if (body && force.laws) {
    LawWrenchSpec spec = law_wrench_on(*body, in_ground);
    spec.force = std::move(*force.laws);
    builder.add_force({std::move(spec), arguments.where()});
  }
}

void read_torque(Arguments& arguments, MechanismBuilder& builder) {
  const auto body = arguments.name("body's name");
  name_subject(arguments, "torque", body);
  auto [torque, in_ground] = take_body_vector(arguments, "(torque \"body\" (world x y z))", "N m");
  if (body && torque.numbers) {
    builder.add_force({BodyForceSpec{.body = *body, .torque = *torque.numbers, .in_ground = in_ground}, arguments.where()});
  } else if (body && torque.laws) {
    LawWrenchSpec spec = law_wrench_on(*body, in_ground);
    spec.torque = std::move(*torque.laws);
    builder.add_force({std::move(spec), arguments.where()});
  }
}

void read_wrench(Arguments& arguments, MechanismBuilder& builder) {
  BodyForceSpec spec;
  std::optional<std::array<Law, 3>> force_laws, torque_laws;
  bool good = true;
  const auto body = arguments.name("body's name");
  name_subject(arguments, "wrench", body);
  const auto keep = [&](ThreeValues values, Vec3<double>& numbers, std::optional<std::array<Law, 3>>& laws) {
    good = good && (values.numbers || values.laws);
    numbers = values.numbers.value_or(Vec3<double>{});
    laws = std::move(values.laws);
  };
  arguments.options({
      {"force", "(force x y z)", [&](Arguments& a) { keep(take_three(a, "N"), spec.force, force_laws); }},
      {"torque", "(torque x y z)", [&](Arguments& a) { keep(take_three(a, "N m"), spec.torque, torque_laws); }},
      {"world", "(world)", [&](Arguments&) { spec.in_ground = true; }},
  });
  if (!body || !good) return;
  if (!force_laws && !torque_laws) {
    spec.body = *body;
    builder.add_force({std::move(spec), arguments.where()});
    return;
  }
  LawWrenchSpec by_law = law_wrench_on(*body, spec.in_ground);
  by_law.force = force_laws ? std::move(*force_laws) : constant_laws(spec.force);
  by_law.torque = torque_laws ? std::move(*torque_laws) : constant_laws(spec.torque);
  builder.add_force({std::move(by_law), arguments.where()});
}

/// As its table of fields says, but that its limits may be laws.
void read_motor(Arguments& arguments, MechanismBuilder& builder) {
  MotorSpec spec;
  std::optional<Law> low, high;
  bool good = true;
  const auto keep = [&](auto value, auto& into) {
    good = good && value.has_value();
    if (value) into = std::move(*value);
  };
  keep(arguments.name("name"), spec.name);
  if (good) arguments.set_subject(fmt::format("motor {}", quoted(spec.name)));
  keep(arguments.name("coordinate"), spec.coordinate);
  const auto read_limits = [&](Arguments& a) {
    if (!any_law_ahead(a, 2)) return keep(take_range(a), spec.range);
    low = take_law(a);
    high = take_law(a);
    good = good && low && high;
  };
  arguments.options({
      {"gear", "(gear x)", [&](Arguments& a) { keep(a.number("gear"), spec.gear); }},
      {"force", "(force low high)", read_limits},
      {"input", "(input \"name\")", [&](Arguments& a) { keep(a.name("input"), spec.input); }},
  });
  if (!good) return;
  if (low) {
    builder.add_force({LawMotorSpec{spec.name, spec.coordinate, spec.gear, *low, *high, spec.input}, arguments.where()});
  } else {
    builder.add_force({std::move(spec), arguments.where()});
  }
}

}  // namespace polhode::format
