#include <fmt/format.h>

#include <limits>

#include "polhode/mechanism/assembler.h"
#include "polhode/mechanism/joint_placement.h"

namespace polhode {
namespace {

constexpr double any = -std::numeric_limits<double>::infinity();

}  // namespace

void MechanismAssembler::make_forces() {
  for (const ForceSpec& spec : in_.forces()) std::visit([&](const auto& model) { add_force(spec.source, model); }, spec.model);
}

void MechanismAssembler::add_force(const Source& where, const CoordinateForceSpec& model) {
  const auto axis = axis_of(model.coordinate, "generalized-force", where);
  const std::string what = fmt::format("generalized-force on \"{}\"", model.coordinate);
  if (number(model.value, any, "value", what, where) && axis) out_->forces.coordinate_forces.push_back({axis->u, model.value});
}

void MechanismAssembler::add_force(const Source& where, const CoordinateDampingSpec& model) {
  const auto axis = axis_of(model.coordinate, "damping", where);
  const std::string what = fmt::format("damping of \"{}\"", model.coordinate);
  if (number(model.damping, 0, "coefficient", what, where) && axis)
    out_->forces.coordinate_dampings.push_back({axis->u, model.damping});
}

void MechanismAssembler::add_force(const Source& where, const CoordinateSpringSpec& model) {
  const auto axis = axis_of(model.coordinate, "torsion-spring", where);
  const std::string what = fmt::format("torsion-spring on \"{}\"", model.coordinate);
  const bool stiff = number(model.stiffness, 0, "stiffness", what, where);
  if (number(model.rest, any, "rest position", what, where) && stiff && axis)
    out_->forces.coordinate_springs.push_back({axis->q, axis->u, model.stiffness, model.rest});
}

void MechanismAssembler::add_force(const Source& where, const BodyForceSpec& model) {
  const auto body = body_of(model.body, "force", where);
  if (!is_finite(model.force) || !is_finite(model.torque)) {
    problem(fmt::format("force or torque on body \"{}\" must be finite numbers", model.body), where);
  } else if (body && *body == 0) {
    problem("force: the ground cannot be moved by a force; name another body", where);
  } else if (body) {
    out_->forces.body_forces.push_back({*body, model.force, model.torque, model.in_ground});
  }
}

void MechanismAssembler::add_force(const Source& where, const PointSpringSpec& model) {
  const auto frames = frames_of(model.frame_a, model.frame_b, "spring", where);
  const std::string what = fmt::format("spring from \"{}\" to \"{}\"", model.frame_a, model.frame_b);
  bool good = number(model.stiffness, 0, "stiffness", what, where);
  good = number(model.rest, 0, "rest length", what, where) && good;
  good = number(model.damping, 0, "damping", what, where) && good;
  if (good && frames)
    out_->forces.point_springs.push_back({frames->first, frames->second, model.stiffness, model.rest, model.damping});
}

void MechanismAssembler::make_users_forces() {
  const Mechanism mechanism(out_);
  const auto keep = [](auto element, auto& list) {
    if (!element) throw std::runtime_error("its factory made nothing (a null pointer)");
    list.push_back(std::move(element));
  };
  for (const ForceSpec& spec : in_.forces()) {
    try {
      if (const auto* make = std::get_if<PotentialFactory>(&spec.model)) keep((*make)(mechanism), out_->forces.potentials);
      if (const auto* make = std::get_if<ForceFactory>(&spec.model)) keep((*make)(mechanism), out_->forces.elements);
    } catch (const std::exception& error) {
      problem(fmt::format("a user's force element could not be made: {}", error.what()), spec.source);
    } catch (...) {
      problem("a user's force element could not be made: its factory threw something that is not a std::exception",
              spec.source);
    }
  }
}

}  // namespace polhode
