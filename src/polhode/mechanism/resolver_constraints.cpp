#include <fmt/format.h>

#include <algorithm>

#include "polhode/mechanism/one_sided.h"
#include "polhode/mechanism/resolver.h"

namespace polhode {
namespace {

struct Label {
  const std::string &name, &kind;  // as the user has them

  std::string operator()(const PointConstraintSpec& s) const { return of_two("point-constraint", s.frame_a, s.frame_b); }
  std::string operator()(const CoincidentPointsSpec& s) const { return of_two("point-constraint", s.frame_a, s.frame_b); }
  std::string operator()(const CoincidentFramesSpec& s) const { return of_two("weld", s.frame_a, s.frame_b); }
  std::string operator()(const PointInPlaneSpec& s) const { return of_two("point-in-plane", s.frame_a, s.frame_b); }
  std::string operator()(const PointOnLineSpec& s) const { return of_two("point-on-line", s.frame_a, s.frame_b); }
  std::string operator()(const WireSpec& s) const { return of_two("wire", s.frame_a, s.frame_b); }
  std::string operator()(const ConstantAngleSpec& s) const { return of_two("constant-angle", s.frame_a, s.frame_b); }
  std::string operator()(const ConstantOrientationSpec& s) const {
    return of_two("constant-orientation", s.frame_a, s.frame_b);
  }
  std::string operator()(const NoSlipSpec& s) const { return of_two("no-slip", s.frame_a, s.frame_b); }
  std::string operator()(const RollingDiskSpec& s) const { return of_two("rolling-disk", s.wheel, s.plane); }
  std::string operator()(const RollingBallSpec& s) const { return of_two("rolling-ball", s.ball, s.plane); }
  std::string operator()(const ScrewSpec& s) const { return of_two("screw", s.rotation, s.translation); }
  std::string operator()(const GearSpec& s) const { return of_two("gear", s.a, s.b); }
  std::string operator()(const CouplerSpec& s) const { return of_terms("coupler", s.terms); }
  std::string operator()(const SpeedCouplerSpec& s) const { return of_terms("speed-coupler", s.terms); }
  std::string operator()(const ConstantCoordinateSpec& s) const { return of_one("constant-coordinate", s.coordinate); }
  std::string operator()(const ConstantSpeedSpec& s) const { return of_one("constant-speed", s.speed); }
  std::string operator()(const ConstantAccelerationSpec& s) const { return of_one("constant-acceleration", s.speed); }
  std::string operator()(const MotionConstraintSpec& s) const { return of_one("motion-constraint", s.coordinate); }
  std::string operator()(const ConstraintFactory&) const { return name.empty() ? "a user's constraint" : named("constraint"); }

 private:
  std::string called(const char* usually) const { return kind.empty() ? usually : kind; }
  std::string named(const char* usually) const { return fmt::format("{} \"{}\"", called(usually), name); }
  std::string of_one(const char* usually, const std::string& a) const {
    return name.empty() ? fmt::format("{} \"{}\"", called(usually), a) : named(usually);
  }
  std::string of_two(const char* usually, const std::string& a, const std::string& b) const {
    return name.empty() ? fmt::format("{} \"{}\" \"{}\"", called(usually), a, b) : named(usually);
  }
  std::string of_terms(const char* usually, const std::vector<CouplerSpec::Term>& terms) const {
    if (!name.empty()) return named(usually);
    std::string text = called(usually);
    constexpr std::size_t enough = 4;
    for (std::size_t i = 0; i < std::min(enough, terms.size()); ++i) text += fmt::format(" \"{}\"", terms[i].coordinate);
    return terms.size() > enough ? text + " ..." : text;
  }
};

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

std::string MechanismResolver::label(const ConstraintSpec& spec) { return std::visit(Label{spec.name, spec.kind}, spec.model); }

void MechanismResolver::make_constraints() {
  std::unordered_map<std::string, Source> first;
  for (const ConstraintSpec& spec : in_.constraints()) {
    if (!spec.name.empty()) {
      const auto [it, is_new] = first.emplace(spec.name, spec.source);
      if (!is_new) duplicate(fmt::format("constraint \"{}\"", spec.name), spec.source, it->second);
    }
    std::visit([&](const auto& model) { add_constraint(spec, model); }, spec.model);
  }
  tell_equal_labels_apart();
  for (const Constraint& constraint : out_->constraints)
    if (!std::holds_alternative<std::shared_ptr<const CustomConstraint>>(constraint.model)) refuse_senseless_side(constraint);
}

void MechanismResolver::refuse_senseless_side(const Constraint& constraint) {
  if (!is_one_sided(constraint)) return;
  if (std::string objection = objection_to_one_side(constraint); !objection.empty())
    problem(std::move(objection), constraint.source);
}

/// Two wires between the same frames are told apart by where they stand, or by their number when they were made in code.
void MechanismResolver::tell_equal_labels_apart() {
  std::unordered_map<std::string, int> count, number;
  for (const Constraint& constraint : out_->constraints) ++count[constraint.description];
  for (Constraint& constraint : out_->constraints) {
    if (count[constraint.description] < 2) continue;
    const int of_these = ++number[constraint.description];
    constraint.description += constraint.source.line > 0
                                  ? fmt::format(" (at {}:{})", constraint.source.line, constraint.source.column)
                                  : fmt::format(" (no. {} of these)", of_these);
  }
}

/// Its place is kept; it is made last, when all else is known to be right.
void MechanismResolver::add_constraint(const ConstraintSpec& spec, const ConstraintFactory&) {
  keep(spec, std::shared_ptr<const CustomConstraint>());
}

void MechanismResolver::make_users_constraints() {
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
      refuse_senseless_side(constraint);
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
