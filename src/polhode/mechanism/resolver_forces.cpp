#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/mechanism/joint_placement.h"
#include "polhode/mechanism/resolver.h"

namespace polhode {
namespace {

constexpr double any = -std::numeric_limits<double>::infinity();

}  // namespace

void MechanismResolver::make_forces() {
  make_lifts();
  for (const ForceSpec& spec : in_.forces()) std::visit([&](const auto& model) { add_force(spec.source, model); }, spec.model);
}

void MechanismResolver::add_force(const Source& where, const CoordinateForceSpec& model) {
  const auto u = speed_of(model.coordinate, "generalized-force", where);
  const std::string what = fmt::format("generalized-force on \"{}\"", model.coordinate);
  if (number(model.value, any, "value", what, where) && u) out_->forces.coordinate_forces.push_back({*u, model.value});
}

void MechanismResolver::make_lifts() {
  const GravityScope& scope = in_.gravity_scope;
  if (scope.only && scope.bodies.empty())
    problem("gravity acts only on named bodies, but none is named; name some, or make gravity 0 0 0", scope.source);
  std::vector<bool> named(out_->bodies.size(), false);
  for (const std::string& name : scope.bodies) {
    const auto body = body_of(name, "gravity", scope.source);
    if (body) named[std::size_t(*body)] = true;
    if (body && *body == 0) problem("gravity: the ground has no weight; name other bodies", scope.source);
  }
  if (in_.gravity == Vec3<double>{} || !is_finite(in_.gravity)) return;
  for (int b = 1; b < int(out_->bodies.size()); ++b) {
    const double mass = out_->bodies[std::size_t(b)].mass.mass;
    const int whole = out_->bodies[std::size_t(b)].part_of < 0 ? b : out_->bodies[std::size_t(b)].part_of;
    if (named[std::size_t(whole)] != scope.only && mass > 0) out_->forces.lifts.push_back({b, -mass * in_.gravity});
  }
}

void MechanismResolver::add_force(const Source& where, const CoordinateInputSpec& model) {
  if (const auto u = speed_of(model.coordinate, "generalized-force", where))
    out_->forces.coordinate_inputs.push_back({*u, model.signal});
}

void MechanismResolver::add_force(const Source& where, const CoordinateDampingSpec& model) {
  const auto u = speed_of(model.coordinate, "damping", where);
  const std::string what = fmt::format("damping of \"{}\"", model.coordinate);
  const bool good = number(model.damping, 0, "coefficient", what, where);
  if (number(model.quadratic, 0, "quadratic coefficient", what, where) && good && u)
    out_->forces.coordinate_dampings.push_back({*u, model.damping, model.quadratic});
}

void MechanismResolver::add_force(const Source& where, const CoordinateSpringSpec& model) {
  const auto axis = axis_of(model.coordinate, "torsion-spring", where);
  const std::string what = fmt::format("torsion-spring on \"{}\"", model.coordinate);
  const bool stiff = number(model.stiffness, 0, "stiffness", what, where);
  if (number(model.rest, any, "rest position", what, where) && stiff && axis)
    out_->forces.coordinate_springs.push_back({axis->q, axis->u, model.stiffness, model.rest});
}

void MechanismResolver::add_force(const Source& where, const NonlinearCoordinateSpringSpec& model) {
  const auto axis = axis_of(model.coordinate, "nonlinear-torsion-spring", where);
  const std::string what = fmt::format("nonlinear-torsion-spring on \"{}\"", model.coordinate);
  const std::string wrong = model.law.problem();
  if (!wrong.empty()) problem(fmt::format("{}: {}", what, wrong), where);
  if (number(model.rest, any, "rest position", what, where) && wrong.empty() && axis)
    out_->forces.nonlinear_coordinate_springs.push_back({axis->q, axis->u, model.rest, model.law});
}

void MechanismResolver::add_force(const Source& where, const FrameWrenchSpec& model) {
  const auto frame = frame_of(model.frame, "frame-wrench", where);
  if (frame && out_->frames[std::size_t(*frame)].body == 0) {
    problem(
        fmt::format("frame-wrench: frame \"{}\" is on the ground, which no force moves; name a frame on a body", model.frame),
        where);
  } else if (frame) {
    out_->forces.frame_wrenches.push_back({*frame, model.components, model.force, model.torque});
  }
}

void MechanismResolver::add_force(const Source& where, const NonlinearSpringSpec& model) {
  const auto frames = frames_of(model.frame_a, model.frame_b, "nonlinear-spring", where);
  const std::string what = fmt::format("nonlinear-spring from \"{}\" to \"{}\"", model.frame_a, model.frame_b);
  const std::string wrong = model.law.problem();
  if (!wrong.empty()) problem(fmt::format("{}: {}", what, wrong), where);
  bool good = number(model.rest, 0, "rest length", what, where) && wrong.empty();
  good = number(model.damping, 0, "damping", what, where) && good;
  if (good && frames)
    out_->forces.nonlinear_springs.push_back({frames->first, frames->second, model.rest, model.law, model.damping});
}

void MechanismResolver::add_force(const Source& where, const AttractionSpec& model) {
  MutualAttraction made{model.constant, {}, {}};
  // As the user has them: parts of a body in a loop are none of their own.
  const auto mass_of = [&](int b) { return out_->whole_mass[std::size_t(b)]; };
  bool good = number(model.constant, any, "constant", "attraction", where);
  for (const std::string& name : model.bodies) {
    const auto body = body_of(name, "attraction", where);
    good = good && body;
    if (!body) continue;
    if (!(mass_of(*body) > 0)) {
      problem(fmt::format("attraction: \"{}\" has no mass, so nothing attracts it; name bodies with mass", name), where);
      good = false;
    } else if (std::find(made.bodies.begin(), made.bodies.end(), *body) != made.bodies.end()) {
      problem(fmt::format("attraction: body \"{}\" is named twice", name), where);
      good = false;
    }
    made.bodies.push_back(*body);
  }
  if (model.bodies.empty())
    for (int b = 1; b < int(out_->bodies.size()); ++b)
      if (mass_of(b) > 0) made.bodies.push_back(b);
  for (const int b : made.bodies) made.masses.push_back(mass_of(b));
  if (good && made.bodies.size() < 2) {
    problem(fmt::format("attraction acts between bodies, but there {} {} with mass; name two or more",
                        made.bodies.empty() ? "is" : "is only", made.bodies.empty() ? "none" : "one"),
            where);
  } else if (good) {
    out_->forces.attractions.push_back(std::move(made));
  }
}

void MechanismResolver::add_force(const Source& where, const BodyForceSpec& model) {
  const auto body = body_of(model.body, "force", where);
  if (!is_finite(model.force) || !is_finite(model.torque)) {
    problem(fmt::format("force or torque on body \"{}\" must be finite numbers", model.body), where);
  } else if (body && *body == 0) {
    problem("force: the ground cannot be moved by a force; name another body", where);
  } else if (body) {
    out_->forces.body_forces.push_back({*body, model.force, model.torque, model.in_ground});
  }
}

void MechanismResolver::add_force(const Source& where, const PointSpringSpec& model) {
  const auto frames = frames_of(model.frame_a, model.frame_b, "spring", where);
  const std::string what = fmt::format("spring from \"{}\" to \"{}\"", model.frame_a, model.frame_b);
  bool good = number(model.stiffness, 0, "stiffness", what, where);
  good = number(model.rest, 0, "rest length", what, where) && good;
  good = number(model.damping, 0, "damping", what, where) && good;
  if (good && frames)
    out_->forces.point_springs.push_back({frames->first, frames->second, model.stiffness, model.rest, model.damping});
}

void MechanismResolver::make_users_forces() {
  const Mechanism mechanism(out_);
  const auto keep = [](auto element, auto& list) {
    if (!element) throw std::runtime_error("its factory made nothing (a null pointer)");
    list.push_back(element);
    return element;
  };
  for (const ForceSpec& spec : in_.forces()) {
    try {
      if (const auto* make = std::get_if<PotentialFactory>(&spec.model)) keep((*make)(mechanism), out_->forces.potentials);
      if (const auto* make = std::get_if<ForceFactory>(&spec.model))
        add_element_states(*keep((*make)(mechanism), out_->forces.elements));
    } catch (const std::exception& error) {
      problem(fmt::format("a custom force element could not be made: {}", error.what()), spec.source);
    } catch (...) {
      problem("a custom force element could not be made: its factory threw something that is not a std::exception",
              spec.source);
    }
  }
}

/// Gives a user's element its own z and discrete variables; what it says of them must fit together.
void MechanismResolver::add_element_states(const ForceElement& element) {
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
  const auto z_names = names_for(element.z_names(), z.size(), "auxiliary state", "z", out_->initial_z.size());
  const auto discrete_names =
      names_for(element.discrete_names(), discrete.size(), "discrete variable", "d", out_->discrete.size());
  out_->forces.element_states.push_back(
      {int(out_->initial_z.size()), int(z.size()), int(out_->discrete.size()), int(discrete.size())});
  for (std::size_t i = 0; i < z.size(); ++i) {
    require_new(out_->z_names, z_names[i], "auxiliary state");
    require_finite(z[i], z_names[i]);
    out_->initial_z.push_back(z[i]);
    out_->z_names.push_back(z_names[i]);
  }
  for (std::size_t i = 0; i < discrete.size(); ++i) {
    std::vector<std::string> known;
    for (const DiscreteVariable& variable : out_->discrete) known.push_back(variable.name);
    require_new(known, discrete_names[i], "discrete variable");
    require_finite(discrete[i], discrete_names[i]);
    out_->discrete.push_back({discrete_names[i], discrete[i]});
  }
}

}  // namespace polhode
