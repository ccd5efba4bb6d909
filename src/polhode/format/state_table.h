#pragma once
#include <span>
#include <string>
#include <vector>

#include "polhode/state/state.h"
#include "polhode/tree/constraints.h"

namespace polhode::format {

struct Column {
  std::string name, unit;  ///< the unit is empty for numbers that have none
};

/// The columns that every table of states has (docs/files.md): t, one per coordinate and per speed, kinetic, potential, energy,
/// constraint, then x, y, z of each tracked frame. SI units.
std::vector<Column> state_columns(const Mechanism& mechanism, std::span<const int> tracked_frames);

/// Turns states into rows of that table.
class StateTable {
 public:
  /// Throws std::out_of_range for a frame that there is none of.
  StateTable(const Mechanism& mechanism, std::vector<int> tracked_frames);

  const Mechanism& mechanism() const { return mechanism_; }
  const std::vector<Column>& columns() const { return columns_; }
  /// Needs stage velocity. Throws std::invalid_argument for a state of another mechanism. The row is good until the next call.
  std::span<const double> row(const State& state);

 private:
  double constraint_error(const State& state);

  Mechanism mechanism_;
  std::vector<int> tracked_;
  std::vector<Column> columns_;
  tree::Constraints constraints_;
  tree::Workspace workspace_;
  std::vector<double> errors_, row_;
};

}  // namespace polhode::format
