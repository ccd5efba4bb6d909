#include "polhode/mechanism/mechanism.h"

#include <fmt/format.h>

#include <algorithm>

namespace polhode {
namespace {

const std::string& name_of(const std::string& name) { return name; }
template <class Named>
const std::string& name_of(const Named& element) {
  return element.name;
}

template <class Element>
[[noreturn]] void not_defined(std::string_view name, const std::vector<Element>& elements, const char* kind,
                              const char* kinds) {
  std::vector<std::string> names;
  for (const Element& element : elements) names.push_back(name_of(element));
  const std::string asked(name);
  throw ModelError({{fmt::format("{} \"{}\" is not defined{}", kind, asked, suggestion(asked, names, kinds)), {}, {}, {}}});
}

}  // namespace

double Mechanism::whole_mass(int body) const {
  const int part_of = bodies()[std::size_t(body)].part_of;
  return d_->whole_mass[std::size_t(part_of < 0 ? body : part_of)];
}

int Mechanism::body(std::string_view name) const {
  // A body shares its name with the frame at its origin, and its number too.
  const auto index = d_->frame_table.find(name);
  if (index && *index >= 0 && *index < num_bodies()) return *index;
  not_defined(name, d_->bodies, "body", "bodies");
}

int Mechanism::joint(std::string_view name) const {
  if (const auto index = d_->joint_table.find(name)) return *index;
  const auto same = [&](const LoopJoint& joint) { return joint.name == name; };
  if (std::any_of(d_->loop_joints.begin(), d_->loop_joints.end(), same))
    throw ModelError({{fmt::format("joint \"{}\" closes a loop, so it carries no body and is among loop_joints(); a model that "
                                   "gives one of its coordinates a start has it in the tree",
                                   name),
                       {},
                       {},
                       {}}});
  not_defined(name, d_->joints, "joint", "joints");
}

int Mechanism::frame(std::string_view name) const {
  if (const auto index = d_->frame_table.find(name)) return *index;
  not_defined(name, d_->frames, "frame", "frames");
}

int Mechanism::coordinate(std::string_view name) const {
  const auto index = d_->coordinate_table.find(name);
  if (index && *index >= 0) return *index;
  if (index)
    throw ModelError(
        {{fmt::format("coordinate \"{}\" belongs to a joint that closes a loop, and nothing in the model names it; give "
                      "it a start, as in (initial (\"{}\" 0)), to have it among the coordinates",
                      name, name),
          {},
          {},
          {}}});
  not_defined(name, d_->coordinate_names, "coordinate", "coordinates");
}

int Mechanism::speed(std::string_view name) const {
  if (const auto index = d_->speed_table.find(name)) return *index;
  not_defined(name, d_->speed_names, "speed", "speeds");
}

int Mechanism::constraint_element(std::string_view name) const {
  std::vector<std::string> names;
  for (const LoopJoint& joint : d_->loop_joints) names.push_back(joint.name);
  for (const Constraint& constraint : d_->constraints) names.push_back(constraint.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end() && !name.empty()) return int(found - names.begin());
  names.erase(std::remove(names.begin(), names.end(), std::string()), names.end());
  not_defined(name, names, "constraint or loop joint", "of them with a name");
}

std::vector<char> Mechanism::initially_enabled() const {
  std::vector<char> enabled(d_->loop_joints.size(), 1);
  for (const Constraint& constraint : d_->constraints) enabled.push_back(!constraint.disabled);
  return enabled;
}

int Mechanism::input(std::string_view name) const {
  const auto same = [&](const Input& input) { return input.name == name; };
  const auto found = std::find_if(d_->inputs.begin(), d_->inputs.end(), same);
  if (found != d_->inputs.end()) return int(found - d_->inputs.begin());
  not_defined(name, d_->inputs, "input", "inputs");
}

Now Mechanism::completed(const Now& now) const {
  const auto numbers = [](std::span<const double> given, const std::vector<double>& initial, const char* what) {
    if (given.empty()) return std::span<const double>(initial);
    if (given.size() != initial.size())
      throw std::invalid_argument(fmt::format("{}: {} numbers given, {} needed", what, given.size(), initial.size()));
    return given;
  };
  return {now.t, numbers(now.inputs, initial_inputs(), "inputs"), numbers(now.z, initial_z(), "auxiliary states"),
          numbers(now.discrete, initial_discrete(), "discrete variables")};
}

int Mechanism::discrete_variable(std::string_view name) const {
  const auto same = [&](const DiscreteVariable& variable) { return variable.name == name; };
  const auto found = std::find_if(d_->discrete.begin(), d_->discrete.end(), same);
  if (found != d_->discrete.end()) return int(found - d_->discrete.begin());
  not_defined(name, d_->discrete, "discrete variable", "discrete variables");
}

}  // namespace polhode
