#include "polhode/format/language/varied_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"

namespace polhode::format {
namespace {

std::size_t index_of(const std::vector<std::string>& names, const std::string& name) {
  return std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

VariedModel::VariedModel(const std::filesystem::path& file, std::vector<std::string> names, ParameterValues given,
                         GivenAndVaried both)
    : recipe_(model_text(file), file.string(), file.parent_path().string()),
      names_(std::move(names)),
      given_(std::move(given)),
      base_(recipe_.read_and_keep_files(given_)) {
  const Mechanism& m = base_.mechanism;
  const State start = tree::initial_state(m);
  for (const std::string& name : names_) {
    const auto parameter =
        std::find_if(base_.parameters.begin(), base_.parameters.end(), [&](const Parameter& p) { return p.name == name; });
    const std::size_t q = index_of(m.coordinate_names(), name), u = index_of(m.speed_names(), name);
    if (parameter != base_.parameters.end()) {
      if (std::erase_if(given_, [&](const auto& g) { return g.first == name; }) > 0 && both == GivenAndVaried::refused)
        throw std::invalid_argument(fmt::format("\"{}\" is set to one value and varied as well; do one of the two", name));
      kinds_.push_back(Kind::parameter);
      base_values_.push_back(parameter->value);
    } else if (q < m.coordinate_names().size()) {
      if (!std::count(m.speed_names().begin(), m.speed_names().end(), name + "'"))
        throw std::invalid_argument(
            fmt::format("\"{}\" cannot be varied alone: it is part of an orientation, whose four numbers go together", name));
      kinds_.push_back(Kind::coordinate);
      base_values_.push_back(start.q()[q]);
    } else if (u < m.speed_names().size()) {
      kinds_.push_back(Kind::speed);
      base_values_.push_back(start.u()[u]);
    } else {
      std::vector<std::string> known;
      for (const Parameter& p : base_.parameters) known.push_back(p.name);
      known.insert(known.end(), m.coordinate_names().begin(), m.coordinate_names().end());
      known.insert(known.end(), m.speed_names().begin(), m.speed_names().end());
      throw std::invalid_argument(fmt::format("{}: there is no parameter, coordinate or speed \"{}\"{}", base_.file, name,
                                              suggestion(name, known, "there are")));
    }
  }
}

VariedModel::Given VariedModel::given_with(std::span<const double> values) const {
  ParameterValues parameters = given_;
  std::vector<InitialValue> initial;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const std::string& name = names_[i];
    switch (kinds_[i]) {
      case Kind::parameter: parameters.emplace_back(name, values[i]); break;
      case Kind::coordinate: initial.push_back({name, values[i], std::nullopt, {}}); break;
      case Kind::speed: {
        // A speed that is a coordinate's rate is given under the coordinate's name.
        const bool rate =
            name.ends_with('\'') && index_of(base_.mechanism.coordinate_names(), name.substr(0, name.size() - 1)) <
                                        base_.mechanism.coordinate_names().size();
        initial.push_back({rate ? name.substr(0, name.size() - 1) : name, std::nullopt, values[i], {}});
        break;
      }
    }
  }
  return {std::move(parameters), std::move(initial)};
}

Model VariedModel::model(std::span<const double> values) const {
  const Given given = given_with(values);
  return recipe_.read(given.parameters, given.initial);
}

/// Where no parameter varies, what was read stays as it is.
Mechanism VariedModel::mechanism_with(std::span<const double> values) const {
  const Given given = given_with(values);
  if (std::count(kinds_.begin(), kinds_.end(), Kind::parameter) > 0) return recipe_.build(given.parameters, given.initial);
  MechanismBuilder builder = base_.mechanism.description();
  for (const InitialValue& value : given.initial) builder.set_initial(value);
  return builder.build();
}

State VariedModel::start(std::span<const double> values) const {
  const Mechanism mechanism = mechanism_with(values);
  State state = tree::initial_state(mechanism);
  // What is varied comes before what a (velocity ...) of the model says of the same speed.
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (kinds_[i] == Kind::speed) state.set_u(int(index_of(mechanism.speed_names(), names_[i])), values[i]);
  const tree::Assembly assembly = tree::assemble(state, tree::given_by_model(mechanism));
  if (!assembly.assembled)
    throw std::runtime_error(
        fmt::format("the start cannot meet its constraints: {} is still off by {:.3g}", assembly.worst, assembly.error_after));
  return state;
}

}  // namespace polhode::format
