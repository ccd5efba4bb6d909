#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/mechanism/mechanism.h"
#include "polhode/mechanism/name_table.h"
#include "polhode/state/stage.h"

/// All numbers that a run can tell, by name: what `--record` takes, columns, plots, witnesses of events and the viewer's arrows
/// are made of this one list (docs/record.md).
namespace polhode::study {

/// A kind of quantities that is asked for by one word.
struct QuantityFamily {
  std::string_view name, columns, unit, meaning;
};
/// In the order in which columns come.
std::span<const QuantityFamily> quantity_families();

/// What the number is, so that it can be read off a State (quantity.cpp).
enum class QuantityKind {
  coordinate,
  speed,
  position,
  orientation,
  velocity,
  speed_rate,
  acceleration,
  kinetic,
  potential,
  energy,
  momentum,
  joint_load,
  constraint_load,
  multiplier,
  element_force,
  motion_force,
  power,
  motion_power,
  work,
  largest_error,
  error,
  velocity_error,
  state,
  discrete,
  input,
  trigger,
  result
};

struct QuantityFacts {
  std::string name, unit;
  std::string element;  ///< whose it is: of a joint, frame, force, ...; empty for totals
  int family = 0;       ///< of quantity_families()
  QuantityKind kind = QuantityKind::coordinate;
  Stage stage = Stage::velocity;  ///< that a state needs before the number can be read
  int index = 0, part = 0;        ///< which one, as the kind counts them
};

/// Of one mechanism. Every name stands for one quantity; a name that is taken by an earlier one gets its family in front.
class QuantityList {
 public:
  /// plain: coordinates, speeds and their rates, positions, energies and momentum alone, which is quick.
  enum class Scope { all, plain };
  explicit QuantityList(const Mechanism& mechanism, Scope scope = Scope::all);

  const std::vector<QuantityFacts>& all() const { return all_; }
  const QuantityFacts* find(std::string_view name) const;

  /// What is asked for by the name of a column, FAMILY or FAMILY:ELEMENT, in the order of the list, each once. Throws
  /// std::invalid_argument that suggests the nearest name.
  std::vector<QuantityFacts> select(const std::vector<std::string>& requests) const;

 private:
  std::vector<const QuantityFacts*> of_request(const std::string& request) const;

  std::vector<QuantityFacts> all_;
  NameTable table_;
};

}  // namespace polhode::study
