#include "polhode/study/element_names.h"

#include <fmt/format.h>

#include <unordered_map>

#include "polhode/mechanism/forces/force_loads.h"

namespace polhode::study {
namespace {

/// Counts elements by keyword.
class Numbering {
 public:
  std::string name(const std::string& keyword, const std::string& own) {
    const int number = ++count_[keyword];
    return own.empty() ? fmt::format("{} {}", keyword, number) : own;
  }

 private:
  std::unordered_map<std::string, int> count_;
};

template <class F>
std::string own_name(const F& force) {
  if constexpr (LawForceType<F>) return force.name;
  if constexpr (requires { std::string(force.name); }) return force.name;
  return {};
}

template <class F>
const char* keyword_of(const F& force) {
  if constexpr (LawForceType<F>) {
    return force.keyword;
  } else if constexpr (std::is_same_v<F, UsersPotential>) {
    return "potential";
  } else if constexpr (std::is_same_v<F, UsersForce>) {
    return "user-force";
  } else {
    return F::keyword;
  }
}

template <class F>
ForceName facts_of(const F& f, const Mechanism& m, std::string name) {
  if constexpr (CoordinateForceType<F>) {
    return {.name = std::move(name), .shape = ForceName::Shape::on_coordinate, .u = f.coordinate.u};
  } else if constexpr (LineForceType<F>) {
    return {
        .name = std::move(name), .shape = ForceName::Shape::along_line, .frame_a = f.frame_a.frame, .frame_b = f.frame_b.frame};
  } else if constexpr (LawForceType<F>) {
    const LawLoad& load = f.loads.front();
    if (load.on_speed()) return {.name = std::move(name), .shape = ForceName::Shape::on_coordinate, .u = load.u};
    return {.name = std::move(name), .shape = ForceName::Shape::on_bodies, .bodies = {load.place.body}};
  } else if constexpr (UsersForceType<F>) {
    ForceName facts{.name = std::move(name), .shape = ForceName::Shape::users};
    for (int b = 1; b < m.num_bodies(); ++b) facts.bodies.push_back(b);
    return facts;
  } else {
    ForceName facts{.name = std::move(name), .shape = ForceName::Shape::on_bodies};
    f.for_each_body([&](int b) { facts.bodies.push_back(b); });
    return facts;
  }
}

/// `wire` of `wire "hip" "knee"`.
std::string keyword_of(const Constraint& constraint) {
  if (std::holds_alternative<std::shared_ptr<const CustomConstraint>>(constraint.model)) return "constraint";
  return constraint.description.substr(0, constraint.description.find(' '));
}

}  // namespace

std::vector<ForceName> force_names(const Mechanism& mechanism) {
  std::vector<ForceName> names;
  Numbering numbering;
  mechanism.forces().for_each([&]<class F>(const F& f) {
    if constexpr (!std::is_same_v<F, GravityLift>)
      names.push_back(facts_of(f, mechanism, numbering.name(keyword_of(f), own_name(f))));
  });
  return names;
}

std::vector<std::string> constraint_names(const Mechanism& mechanism) {
  std::vector<std::string> names;
  Numbering numbering;
  for (const LoopJoint& joint : mechanism.loop_joints()) names.push_back(joint.name);
  for (const Constraint& constraint : mechanism.constraints())
    names.push_back(numbering.name(keyword_of(constraint), constraint.name));
  return names;
}

}  // namespace polhode::study
