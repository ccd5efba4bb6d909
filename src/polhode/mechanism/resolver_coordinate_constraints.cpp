// Constraints on coordinates and speeds: names looked up, numbers checked.
#include <fmt/format.h>

#include <limits>

#include "polhode/mechanism/resolver.h"

namespace polhode {
namespace {

constexpr double any = -std::numeric_limits<double>::infinity();

}  // namespace

std::optional<std::pair<MechanismResolver::Axis, MechanismResolver::Axis>> MechanismResolver::axes_of(const std::string& a,
                                                                                                      const std::string& b,
                                                                                                      const std::string& what,
                                                                                                      const Source& where) {
  const auto first = axis_of(a, what, where), second = axis_of(b, what, where);
  if (!first || !second) return std::nullopt;
  if (first->q == second->q) {
    problem(fmt::format("{}: coordinate \"{}\" cannot be coupled to itself; name two", what, a), where);
    return std::nullopt;
  }
  return std::pair{*first, *second};
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const ScrewSpec& model) {
  const std::string what = label(spec);
  const auto axes = axes_of(model.rotation, model.translation, what, spec.source);
  if (!number(model.lead, any, "lead", what, spec.source) || !axes) return;
  const auto& [turn, slide] = *axes;
  keep(spec, ScrewCoupler{turn.q, slide.q, turn.u, slide.u, model.lead});
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const GearSpec& model) {
  const std::string what = label(spec);
  const auto axes = axes_of(model.a, model.b, what, spec.source);
  if (!number(model.ratio, any, "ratio", what, spec.source) || !axes) return;
  const auto& [a, b] = *axes;
  keep(spec, Gear{a.q, b.q, a.u, b.u, model.ratio});
}

std::optional<std::vector<CoordinateTerm>> MechanismResolver::terms_of(
    const std::vector<CouplerSpec::Term>& terms, const char* kind, const std::string& what, const Source& where,
    const std::function<std::optional<Axis>(const std::string&)>& find) {
  if (terms.empty()) {
    problem(fmt::format("{}: there is nothing to couple; name {}s with their coefficients", what, kind), where);
    return std::nullopt;
  }
  std::vector<CoordinateTerm> found;
  bool good = true, acts = false;
  std::unordered_map<int, int> seen;
  for (const CouplerSpec::Term& term : terms) {
    good = number(term.coefficient, any, "coefficient", what, where) && good;
    acts = acts || term.coefficient != 0;
    const auto axis = find(term.coordinate);
    good = good && axis;
    if (!axis) continue;
    if (!seen.emplace(axis->u, 0).second) {
      problem(fmt::format("{}: {} \"{}\" is named twice; add its coefficients up", what, kind, term.coordinate), where);
      good = false;
    }
    found.push_back({axis->q, axis->u, term.coefficient});
  }
  if (good && !acts) {
    problem(fmt::format("{}: all coefficients are zero, so nothing is coupled; give one that is not", what), where);
    good = false;
  }
  return good ? std::optional(std::move(found)) : std::nullopt;
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const CouplerSpec& model) {
  const std::string what = label(spec);
  const bool good = number(model.constant, any, "constant", what, spec.source);
  auto terms = terms_of(model.terms, "coordinate", what, spec.source,
                        [&](const std::string& name) { return axis_of(name, what, spec.source); });
  if (good && terms) keep(spec, Coupler{std::move(*terms), model.constant});
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const SpeedCouplerSpec& model) {
  const std::string what = label(spec);
  const bool good = number(model.constant, any, "constant", what, spec.source);
  auto terms = terms_of(model.terms, "speed", what, spec.source, [&](const std::string& name) -> std::optional<Axis> {
    const auto u = speed_of(name, what, spec.source);
    return u ? std::optional(Axis{-1, *u}) : std::nullopt;
  });
  if (good && terms) keep(spec, SpeedCoupler{std::move(*terms), model.constant});
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const ConstantCoordinateSpec& model) {
  const std::string what = label(spec);
  const auto axis = axis_of(model.coordinate, what, spec.source);
  if (number(model.value, any, "value", what, spec.source) && axis)
    keep(spec, ConstantCoordinate{axis->q, axis->u, model.value});
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const ConstantSpeedSpec& model) {
  const std::string what = label(spec);
  const auto u = speed_of(model.speed, what, spec.source);
  if (number(model.value, any, "speed", what, spec.source) && u) keep(spec, ConstantSpeed{*u, model.value});
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const ConstantAccelerationSpec& model) {
  const std::string what = label(spec);
  const auto u = speed_of(model.speed, what, spec.source);
  if (number(model.value, any, "acceleration", what, spec.source) && u) keep(spec, ConstantAcceleration{*u, model.value});
}

bool MechanismResolver::good_signal(const Signal& signal, const std::string& what, const Source& where) {
  const Signal::Sample start = signal.at(0);
  if (std::isfinite(start.value) && std::isfinite(start.rate) && std::isfinite(start.acceleration)) return true;
  problem(fmt::format("{}: at t = 0 the signal's value is {}, its rate {} and its acceleration {}; all must be finite", what,
                      start.value, start.rate, start.acceleration),
          where);
  return false;
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const MotionConstraintSpec& model) {
  const std::string what = label(spec);
  const auto axis = axis_of(model.coordinate, what, spec.source);
  if (good_signal(model.signal, what, spec.source) && axis) keep(spec, MotionConstraint{axis->q, axis->u, model.signal});
}

}  // namespace polhode
