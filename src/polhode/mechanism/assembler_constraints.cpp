#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "polhode/mechanism/assembler.h"
#include "polhode/mechanism/joint_placement.h"

namespace polhode {
namespace {

constexpr double any = -std::numeric_limits<double>::infinity();

std::string two(const char* kind, const std::string& a, const std::string& b) {
  return fmt::format("{} \"{}\" \"{}\"", kind, a, b);
}

/// What messages call a constraint: `wire "rope"`, or `wire "hip" "knee"` when it has no name of its own.
struct Label {
  const std::string& name;

  std::string operator()(const PointConstraintSpec& s) const { return of_two("point-constraint", s.frame_a, s.frame_b); }
  std::string operator()(const CoincidentPointsSpec& s) const { return of_two("point-constraint", s.frame_a, s.frame_b); }
  std::string operator()(const PointInPlaneSpec& s) const { return of_two("point-in-plane", s.frame_a, s.frame_b); }
  std::string operator()(const WireSpec& s) const { return of_two("wire", s.frame_a, s.frame_b); }
  std::string operator()(const ScrewSpec& s) const { return of_two("screw", s.rotation, s.translation); }
  std::string operator()(const GearSpec& s) const { return of_two("gear", s.a, s.b); }
  std::string operator()(const CouplerSpec& s) const {
    if (!name.empty()) return named("coupler");
    std::string text = "coupler";
    constexpr std::size_t enough = 4;
    for (std::size_t i = 0; i < std::min(enough, s.terms.size()); ++i) text += fmt::format(" \"{}\"", s.terms[i].coordinate);
    return s.terms.size() > enough ? text + " ..." : text;
  }
  std::string operator()(const ConstraintFactory&) const { return name.empty() ? "a user's constraint" : named("constraint"); }

 private:
  std::string named(const char* kind) const { return fmt::format("{} \"{}\"", kind, name); }
  std::string of_two(const char* kind, const std::string& a, const std::string& b) const {
    return name.empty() ? two(kind, a, b) : named(kind);
  }
};
std::string label(const ConstraintSpec& spec) { return std::visit(Label{spec.name}, spec.model); }

void require_distinct(std::vector<int> indices, int size, const char* what) {
  std::sort(indices.begin(), indices.end());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < 0 || indices[i] >= size)
      throw std::runtime_error(fmt::format("it names {} no. {}, but there are {}", what, indices[i], size));
    if (i > 0 && indices[i] == indices[i - 1])
      throw std::runtime_error(fmt::format("it names {} no. {} twice", what, indices[i]));
  }
}

}  // namespace

void MechanismAssembler::make_constraints() {
  std::unordered_map<std::string, Source> first;
  for (const ConstraintSpec& spec : in_.constraints()) {
    if (!spec.name.empty()) {
      const auto [it, is_new] = first.emplace(spec.name, spec.source);
      if (!is_new) duplicate(fmt::format("constraint \"{}\"", spec.name), spec.source, it->second);
    }
    std::visit([&](const auto& model) { add_constraint(spec, model); }, spec.model);
  }
}

bool MechanismAssembler::direction(const Vec3<double>& d, const char* what, const std::string& of, const Source& where) {
  if (has_direction(d)) return true;
  problem(fmt::format("{}: {} ({:g}, {:g}, {:g}) has no direction; give a nonzero vector, e.g. 0 0 1", of, what, d.x, d.y, d.z),
          where);
  return false;
}

void MechanismAssembler::add_constraint(const ConstraintSpec& spec, const PointConstraintSpec& model) {
  const std::string what = label(spec);
  const auto frames = frames_of(model.frame_a, model.frame_b, what, spec.source);
  if (!direction(model.direction, "direction", what, spec.source) || !frames) return;
  const PointConstraint constraint{frames->first, frames->second, normalized(model.direction)};
  out_->constraints.push_back({spec.name, what, constraint, spec.source});
}

void MechanismAssembler::add_constraint(const ConstraintSpec& spec, const PointInPlaneSpec& model) {
  const std::string what = label(spec);
  const auto frames = frames_of(model.frame_a, model.frame_b, what, spec.source);
  if (!direction(model.normal, "normal", what, spec.source) || !frames) return;
  const PointInPlane constraint{frames->first, frames->second, normalized(model.normal)};
  out_->constraints.push_back({spec.name, what, constraint, spec.source});
}

void MechanismAssembler::add_constraint(const ConstraintSpec& spec, const CoincidentPointsSpec& model) {
  const std::string what = label(spec);
  const auto frames = frames_of(model.frame_a, model.frame_b, what, spec.source);
  if (frames) out_->constraints.push_back({spec.name, what, CoincidentPoints{frames->first, frames->second}, spec.source});
}

void MechanismAssembler::add_constraint(const ConstraintSpec& spec, const WireSpec& model) {
  const std::string what = label(spec);
  const auto frames = frames_of(model.frame_a, model.frame_b, what, spec.source);
  if (!(std::isfinite(model.length) && model.length > 0)) {
    problem(fmt::format("{}: length {:g} m must be a positive number; to hold two points together use point constraints", what,
                        model.length),
            spec.source);
  } else if (frames) {
    out_->constraints.push_back({spec.name, what, Wire{frames->first, frames->second, model.length}, spec.source});
  }
}

std::optional<std::pair<MechanismAssembler::Axis, MechanismAssembler::Axis>> MechanismAssembler::axes_of(
    const std::string& a, const std::string& b, const std::string& what, const Source& where) {
  const auto first = axis_of(a, what, where), second = axis_of(b, what, where);
  if (!first || !second) return std::nullopt;
  if (first->q == second->q) {
    problem(fmt::format("{}: coordinate \"{}\" cannot be coupled to itself; name two", what, a), where);
    return std::nullopt;
  }
  return std::pair{*first, *second};
}

void MechanismAssembler::add_constraint(const ConstraintSpec& spec, const ScrewSpec& model) {
  const std::string what = label(spec);
  const auto axes = axes_of(model.rotation, model.translation, what, spec.source);
  if (!number(model.lead, any, "lead", what, spec.source) || !axes) return;
  const auto& [turn, slide] = *axes;
  out_->constraints.push_back({spec.name, what, ScrewCoupler{turn.q, slide.q, turn.u, slide.u, model.lead}, spec.source});
}

void MechanismAssembler::add_constraint(const ConstraintSpec& spec, const GearSpec& model) {
  const std::string what = label(spec);
  const auto axes = axes_of(model.a, model.b, what, spec.source);
  if (!number(model.ratio, any, "ratio", what, spec.source) || !axes) return;
  const auto& [a, b] = *axes;
  out_->constraints.push_back({spec.name, what, Gear{a.q, b.q, a.u, b.u, model.ratio}, spec.source});
}

void MechanismAssembler::add_constraint(const ConstraintSpec& spec, const CouplerSpec& model) {
  const std::string what = label(spec);
  Coupler coupler{{}, model.constant};
  bool good = number(model.constant, any, "constant", what, spec.source);
  if (model.terms.empty()) {
    problem(fmt::format("{}: there is nothing to couple; name coordinates with their coefficients", what), spec.source);
    return;
  }
  bool acts = false;
  std::unordered_map<int, int> seen;
  for (const CouplerSpec::Term& term : model.terms) {
    good = number(term.coefficient, any, "coefficient", what, spec.source) && good;
    acts = acts || term.coefficient != 0;
    const auto axis = axis_of(term.coordinate, what, spec.source);
    good = good && axis;
    if (!axis) continue;
    if (!seen.emplace(axis->q, 0).second) {
      problem(fmt::format("{}: coordinate \"{}\" is named twice; add its coefficients up", what, term.coordinate), spec.source);
      good = false;
    }
    coupler.terms.push_back({axis->q, axis->u, term.coefficient});
  }
  if (good && !acts) {
    problem(fmt::format("{}: all coefficients are zero, so nothing is coupled; give one that is not", what), spec.source);
  } else if (good) {
    out_->constraints.push_back({spec.name, what, std::move(coupler), spec.source});
  }
}

/// Its place is kept; it is made last, when all else is known to be right.
void MechanismAssembler::add_constraint(const ConstraintSpec& spec, const ConstraintFactory&) {
  out_->constraints.push_back({spec.name, label(spec), std::shared_ptr<const CustomConstraint>(), spec.source});
}

void MechanismAssembler::make_users_constraints() {
  const Mechanism mechanism(out_);
  for (std::size_t i = 0; i < in_.constraints().size(); ++i) {  // nothing was wrong, so both lists have the same order
    const auto* make = std::get_if<ConstraintFactory>(&in_.constraints()[i].model);
    if (make == nullptr) continue;
    Constraint& constraint = out_->constraints[i];
    try {
      auto made = *make ? (*make)(mechanism) : nullptr;
      if (!made) throw std::runtime_error("its factory made nothing (a null pointer)");
      if (made->num_rows() < 0) throw std::runtime_error(fmt::format("it says that it has {} rows", made->num_rows()));
      require_distinct(made->bodies(), mechanism.num_bodies(), "body");
      require_distinct(made->speeds(), mechanism.num_u(), "speed");
      constraint.model = std::move(made);
    } catch (const std::exception& error) {
      problem(fmt::format("{} could not be made: {}", constraint.description, error.what()), constraint.source);
    } catch (...) {
      problem(
          fmt::format("{} could not be made: its factory threw something that is not a std::exception", constraint.description),
          constraint.source);
    }
  }
}

}  // namespace polhode
