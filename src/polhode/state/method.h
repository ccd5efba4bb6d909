#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "polhode/mechanism/problem.h"
#include "polhode/state/option.h"

/// What a method of stepping through time says of itself.
namespace polhode {

class Mechanism;
class State;
class Stepper;

/// What a method can do; what a mechanism needs beyond that is refused when the stepper is built.
struct MethodFeatures {
  bool loop_joints = false;
  bool constraints = false;
  bool kinematic = false;          ///< coordinates that follow a signal
  bool motions = false;            ///< speeds and accelerations that do
  bool single_speeds = false;      ///< one of the speeds that turn a ball joint follows a signal, others do not
  bool laws = false;               ///< speeds and accelerations that follow laws of coordinates
  bool fast = false;               ///< coordinates that are always in equilibrium
  bool locks = false;              ///< joints that the State locks, and signals that it does not follow
  bool switching = false;          ///< constraints that the State disables
  bool auxiliary = false;          ///< force elements with auxiliary states or discrete variables of their own
  bool velocity_rows = false;      ///< constraints that hold velocities, not positions
  bool acceleration_rows = false;  ///< constraints that hold accelerations only
  bool own_speeds = false;         ///< users' joints whose speeds are not the rates of their coordinates
  bool one_sided = false;          ///< constraints that hold on one side only (h >= 0)

  bool operator==(const MethodFeatures&) const = default;
};

/// Something that a mechanism or a state needs and a method cannot do. Which methods can is not known here but where all
/// methods are (study/method_registry.h), so the words that name them are put in there.
struct Unsupported {
  std::string what;             ///< "joint "arm" is locked, which method X cannot simulate"
  bool MethodFeatures::*needs;  ///< what a method must have to do it
  std::string instead{};        ///< what to write in the model instead: "make the joint kinematic"
  Source source{};

  /// With the methods that can do it; "" where they are not known.
  Problem problem(const std::string& able_methods = {}) const;
};

/// Everything in the mechanism that a method with these features cannot do.
std::vector<Unsupported> unsupported(const Mechanism& mechanism, const MethodFeatures& features, std::string_view method);
/// The same for what a State asks for beyond its mechanism: locks, and constraints that are off.
std::vector<Unsupported> unsupported(const State& state, const MethodFeatures& features, std::string_view method);

/// Throws ModelError that names all of it, if there is any.
void require_none(const std::vector<Unsupported>& unsupported);
void require_supported(const Mechanism& mechanism, const MethodFeatures& features, std::string_view method);
void require_supported(const State& state, const MethodFeatures& features, std::string_view method);

/// A method, said once: it stands beside its stepper, and whoever offers methods reads it from study/method_registry.h.
struct MethodEntry {
  std::string name;
  MethodFeatures features;
  std::vector<OptionField> options;

  /// All in the mechanism that it cannot do, also beyond what the features say.
  std::function<std::vector<Unsupported>(const Mechanism&)> unsupported;
  /// What is wrong with values of its options, in words; empty when nothing is.
  std::function<std::string(const Mechanism&, const OptionValues&)> objection;
  /// At the mechanism's initial state. The values must be of its options. Throws std::invalid_argument with the objection, and
  /// ModelError with what is not supported.
  std::function<std::unique_ptr<Stepper>(const Mechanism&, const OptionValues&)> make;

  /// Null where it has no such option.
  const OptionField* option(std::string_view option_name) const;
  /// In force: as given, or the standard value where that is a number.
  std::optional<double> number(const OptionValues& given, std::string_view option_name) const;
};

}  // namespace polhode
