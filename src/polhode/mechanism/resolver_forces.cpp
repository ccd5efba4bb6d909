#include "polhode/mechanism/resolver_forces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/mechanism/joint_placement.h"

namespace polhode {
namespace {

/// What messages call a force: `spring from "a" to "b"`, `torsion-spring on "knee"`.
template <class F>
std::string label_of(const F& spec) {
  if constexpr (requires { spec.name; }) return fmt::format("{} \"{}\"", F::keyword, spec.name);
  std::vector<std::string> names;
  for_each_field<F>([&](const auto& field) {
    if constexpr (std::is_same_v<value_of_field<decltype(field)>, std::string>) names.push_back(spec.*field.member);
  });
  if (names.empty()) return F::keyword;
  if (names.size() == 1) return fmt::format("{} on \"{}\"", F::keyword, names[0]);
  return fmt::format("{} from \"{}\" to \"{}\"", F::keyword, names[0], names[1]);
}

}  // namespace

void ForceMaker::make_forces() {
  make_lifts();
  for (const ForceSpec& spec : in_.forces()) std::visit([&](const auto& model) { add_force(spec.source, model); }, spec.model);
}

template <template <class> class Force>
void ForceMaker::add_force(const Source& where, const Force<Named>& spec) {
  Force<Placed> made;
  const std::string of = label_of(spec);
  const std::string asker = requires { spec.name; }
  ? of : Force<Named>::keyword;
  if (fields_.place_fields(spec, made, asker, of, where) && makes_sense(made, of, where)) out_.forces.add(std::move(made));
}

/// A motor's own input has its name.
void ForceMaker::add_force(const Source& where, MotorSpec motor) {
  if (motor.input.empty()) motor.input = motor.name;
  add_force<BasicMotor>(where, motor);
}

// What a type of force asks for beyond its fields. Most ask for nothing.

template <class F>
bool ForceMaker::makes_sense(F& force, const std::string& of, const Source& where) {
  if constexpr (LineForceType<F>) {
    if (force.frame_a.frame != force.frame_b.frame) return true;
    problem(fmt::format("{}: both ends are at frame \"{}\"; name two different frames", F::keyword,
                        out_.frames[std::size_t(force.frame_a.frame)].name),
            where);
    return false;
  }
  static_cast<void>(force), static_cast<void>(of), static_cast<void>(where);
  return true;
}
bool ForceMaker::makes_sense(FrameWrench& force, const std::string&, const Source& where) {
  if (force.frame.body != 0) return true;
  problem(fmt::format("frame-wrench: frame \"{}\" is on the ground, which no force moves; name a frame on a body",
                      out_.frames[std::size_t(force.frame.frame)].name),
          where);
  return false;
}
bool ForceMaker::makes_sense(BodyForce& force, const std::string&, const Source& where) {
  if (force.body.body != 0) return true;
  problem("force: the ground cannot be moved by a force; name another body", where);
  return false;
}
bool ForceMaker::makes_sense(MutualAttraction& force, const std::string&, const Source& where) {
  const std::size_t before = problems_.count();
  for (std::size_t i = 0; i < force.bodies.size(); ++i) {
    const BodyPlace& body = force.bodies[i];
    const std::string& name = out_.bodies[std::size_t(body.body)].name;
    const auto is_same = [&](const BodyPlace& other) { return other.body == body.body; };
    if (!(body.mass > 0))
      problem(fmt::format("attraction: \"{}\" has no mass, so nothing attracts it; name bodies with mass", name), where);
    else if (std::any_of(force.bodies.begin(), force.bodies.begin() + std::ptrdiff_t(i), is_same))
      problem(fmt::format("attraction: body \"{}\" is named twice", name), where);
  }
  if (problems_.count() > before) return false;
  // Bodies as the user has them: parts of a body in a loop are none of their own.
  if (force.bodies.empty())
    for (int b = 1; b < int(out_.bodies.size()); ++b)
      if (out_.whole_mass[std::size_t(b)] > 0) force.bodies.push_back(fields_.body_place(b));
  if (force.bodies.size() >= 2) return true;
  problem(fmt::format("attraction acts between bodies, but there {} {} with mass; name two or more",
                      force.bodies.empty() ? "is" : "is only", force.bodies.empty() ? "none" : "one"),
          where);
  return false;
}

void ForceMaker::make_lifts() {
  const GravityScope& scope = in_.gravity_scope;
  if (scope.only && scope.bodies.empty())
    problem("gravity acts only on named bodies, but none is named; name some, or make gravity 0 0 0", scope.source);
  std::vector<bool> named(out_.bodies.size(), false);
  for (const std::string& name : scope.bodies) {
    const auto body = names_.body_of(name, "gravity", scope.source);
    if (body) named[std::size_t(*body)] = true;
    if (body && *body == 0) problem("gravity: the ground has no weight; name other bodies", scope.source);
  }
  if (in_.gravity == Vec3<double>{} || !is_finite(in_.gravity)) return;
  for (int b = 1; b < int(out_.bodies.size()); ++b) {
    const double mass = out_.bodies[std::size_t(b)].mass.mass;
    const int whole = out_.bodies[std::size_t(b)].part_of < 0 ? b : out_.bodies[std::size_t(b)].part_of;
    if (named[std::size_t(whole)] != scope.only && mass > 0)
      out_.forces.add(GravityLift{fields_.body_place(b), -mass * in_.gravity});
  }
}

void ForceMaker::make_users_forces(const Mechanism& mechanism) {
  const auto made = [](auto element) {
    if (!element) throw std::runtime_error("its factory made nothing (a null pointer)");
    return element;
  };
  for (const ForceSpec& spec : in_.forces()) {
    try {
      if (const auto* make = std::get_if<PotentialFactory>(&spec.model))
        out_.forces.add(UsersPotential{made((*make)(mechanism))});
      if (const auto* make = std::get_if<ForceFactory>(&spec.model)) {
        const auto element = made((*make)(mechanism));
        out_.forces.add(UsersForce{element, states_of(*element)});
      }
    } catch (const std::exception& error) {
      problem(fmt::format("a custom force element could not be made: {}", error.what()), spec.source);
    } catch (...) {
      problem("a custom force element could not be made: its factory threw something that is not a std::exception",
              spec.source);
    }
  }
  out_.forces.number_scratches();
}

/// Gives a user's element its own z and discrete variables; what it says of them must fit together.
ElementStates ForceMaker::states_of(const ForceElement& element) {
  const auto names_for = [](std::vector<std::string> names, std::size_t count, const char* kind, const char* prefix,
                            std::size_t before) {
    if (names.empty())
      for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("{}{}", prefix, before + i + 1));
    if (names.size() != count)
      throw std::runtime_error(fmt::format("it names {} {}s, but has initial values for {}", names.size(), kind, count));
    return names;
  };
  const auto require_new = [](const auto& known, const std::string& name, const char* kind) {
    if (name.empty()) throw std::runtime_error(fmt::format("one of its {}s has an empty name", kind));
    for (const auto& other : known)
      if (other == name)
        throw std::runtime_error(
            fmt::format("its {} \"{}\" is already defined; give one of the two another "
                        "name",
                        kind, name));
  };
  const auto require_finite = [](double value, const std::string& name) {
    if (!std::isfinite(value)) throw std::runtime_error(fmt::format("\"{}\" starts as {}, which is not a number", name, value));
  };
  const std::vector<double> z = element.initial_z(), discrete = element.initial_discrete();
  const auto z_names = names_for(element.z_names(), z.size(), "auxiliary state", "z", out_.initial_z.size());
  const auto discrete_names =
      names_for(element.discrete_names(), discrete.size(), "discrete variable", "d", out_.discrete.size());
  const ElementStates states{int(out_.initial_z.size()), int(z.size()), int(out_.discrete.size()), int(discrete.size())};
  for (std::size_t i = 0; i < z.size(); ++i) {
    require_new(out_.z_names, z_names[i], "auxiliary state");
    require_finite(z[i], z_names[i]);
    out_.initial_z.push_back(z[i]);
    out_.z_names.push_back(z_names[i]);
  }
  for (std::size_t i = 0; i < discrete.size(); ++i) {
    std::vector<std::string> known;
    for (const DiscreteVariable& variable : out_.discrete) known.push_back(variable.name);
    require_new(known, discrete_names[i], "discrete variable");
    require_finite(discrete[i], discrete_names[i]);
    out_.discrete.push_back({discrete_names[i], discrete[i]});
    out_.initial_discrete.push_back(discrete[i]);
  }
  return states;
}

}  // namespace polhode
