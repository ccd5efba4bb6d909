#include "polhode/mechanism/resolver_constraints.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "polhode/mechanism/one_sided.h"

namespace polhode {
namespace {

/// The names that tell a constraint from others of its type: of its two frames, or of its coordinates.
template <class Model>
std::vector<std::string> names_in(const Model& model) {
  if constexpr (requires { model.frame_a; }) return {model.frame_a, model.frame_b};
  std::vector<std::string> names;
  for_each_field<Model>([&](const auto& field) {
    const auto& value = model.*field.member;
    using Value = value_of_field<decltype(field)>;
    if constexpr (std::is_same_v<Value, std::string>) names.push_back(value);
    if constexpr (std::is_same_v<Value, std::vector<SumTerm<std::string>>>)
      for (const auto& term : value) names.push_back(term.coordinate);
  });
  return names;
}

/// `wire "hip" "knee"`, or `wire "rope"` where it has a name; in the word that the user has for it.
template <class Model>
std::string label_of(const ConstraintSpec& spec, const Model& model) {
  std::string text = spec.kind.empty() ? Model::keyword : spec.kind;
  if (!spec.name.empty()) return fmt::format("{} \"{}\"", text, spec.name);
  const std::vector<std::string> names = names_in(model);
  constexpr std::size_t enough = 4;
  for (std::size_t i = 0; i < std::min(enough, names.size()); ++i) text += fmt::format(" \"{}\"", names[i]);
  return names.size() > enough ? text + " ..." : text;
}
std::string label_of(const ConstraintSpec& spec, const ConstraintFactory&) {
  if (spec.name.empty()) return "a user's constraint";
  return fmt::format("{} \"{}\"", spec.kind.empty() ? "constraint" : spec.kind, spec.name);
}

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

std::string ConstraintMaker::label(const ConstraintSpec& spec) {
  return std::visit([&](const auto& model) { return label_of(spec, model); }, spec.model);
}

template <template <class> class Model>
void ConstraintMaker::add_constraint(const ConstraintSpec& spec, const Model<Named>& model) {
  const std::string what = label(spec);
  Model<Placed> made;
  if constexpr (requires { made.frame_a; }) made.frame_a = made.frame_b = broken;
  bool good = fields_.place_fields(model, made, what, what, spec.source);
  good = has_different_ends(made, what, spec.source) && good;
  if (!good || !holds_something(made, what, spec.source)) return;
  if constexpr (requires { made.derive(); }) made.derive();
  keep(spec, std::move(made));
}

template <class Model>
bool ConstraintMaker::has_different_ends(const Model& model, const std::string& what, const Source& where) {
  if constexpr (requires { model.frame_a; }) {
    if (model.frame_a == broken || model.frame_a != model.frame_b) return true;
    problem(fmt::format("{}: both ends are at frame \"{}\"; name two different frames", what,
                        out_.frames[std::size_t(model.frame_a)].name),
            where);
    return false;
  }
  bool differ = true;
  int last = -1;
  for_each_field<Model>([&](const auto& field) {
    if constexpr (std::is_same_v<value_of_field<decltype(field)>, CoordinatePlace>) {
      const int q = (model.*field.member).q;
      differ = differ && (q < 0 || q != last);
      last = q;
    }
  });
  if (!differ)
    problem(fmt::format("{}: coordinate \"{}\" cannot be coupled to itself; name two", what,
                        out_.coordinate_names[std::size_t(last)]),
            where);
  return differ;
}

bool ConstraintMaker::holds_something(const NoSlip& model, const std::string& what, const Source& where) {
  const Frame &a = out_.frames[std::size_t(model.frame_a)], &b = out_.frames[std::size_t(model.frame_b)];
  if (a.body != b.body) return true;
  problem(fmt::format("{}: frames \"{}\" and \"{}\" are on one body, whose points cannot slip on each other; name frames of "
                      "two bodies",
                      what, a.name, b.name),
          where);
  return false;
}

void ConstraintMaker::make_constraints() {
  std::unordered_map<std::string, Source> first;
  for (const ConstraintSpec& spec : in_.constraints()) {
    if (!spec.name.empty()) {
      const auto [it, is_new] = first.emplace(spec.name, spec.source);
      if (!is_new) problems_.duplicate(fmt::format("constraint \"{}\"", spec.name), spec.source, it->second);
    }
    std::visit([&](const auto& model) { add_constraint(spec, model); }, spec.model);
  }
  tell_equal_labels_apart();
  for (const Constraint& constraint : out_.constraints)
    if (!std::holds_alternative<std::shared_ptr<const CustomConstraint>>(constraint.model)) refuse_senseless_side(constraint);
}

void ConstraintMaker::refuse_senseless_side(const Constraint& constraint) {
  if (!is_one_sided(constraint)) return;
  if (std::string objection = objection_to_one_side(constraint); !objection.empty())
    problem(std::move(objection), constraint.source);
}

/// Two wires between the same frames are told apart by where they stand, or by their number when they were made in code.
void ConstraintMaker::tell_equal_labels_apart() {
  std::unordered_map<std::string, int> count, number;
  for (const Constraint& constraint : out_.constraints) ++count[constraint.description];
  for (Constraint& constraint : out_.constraints) {
    if (count[constraint.description] < 2) continue;
    const int of_these = ++number[constraint.description];
    constraint.description += constraint.source.line > 0
                                  ? fmt::format(" (at {}:{})", constraint.source.line, constraint.source.column)
                                  : fmt::format(" (no. {} of these)", of_these);
  }
}

/// Its place is kept; it is made last, when all else is known to be right.
void ConstraintMaker::add_constraint(const ConstraintSpec& spec, const ConstraintFactory&) {
  keep(spec, std::shared_ptr<const CustomConstraint>());
}

void ConstraintMaker::make_users_constraints(const Mechanism& mechanism) {
  for (std::size_t i = 0; i < in_.constraints().size(); ++i) {  // nothing was wrong, so both lists have the same order
    const auto* make = std::get_if<ConstraintFactory>(&in_.constraints()[i].model);
    if (make == nullptr) continue;
    Constraint& constraint = out_.constraints[i];
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
