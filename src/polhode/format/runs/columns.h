#pragma once
#include <span>
#include <string>
#include <vector>

#include "polhode/state/state.h"
#include "polhode/study/quantity.h"
#include "polhode/tree/workspace.h"

namespace polhode::format {

struct Column {
  std::string name;
  std::string unit;  ///< SI, such as "rad/s"; empty for plain numbers and for mixed units
};

/// What every table of results holds of a state, whatever file it goes to, under the names of study::ColumnNames
/// (docs/files.md): t, one column per coordinate and per speed, kinetic, potential, energy, constraint (the largest error of
/// the enabled ones, by size [m], [rad]), then what was asked for: x, y, z of tracked frames, the total momentum, linear and
/// angular about Ground's origin, and quantities that are recorded, unless they have a column already.
class Columns {
 public:
  enum class Momentum { left_out, included };

  /// Throws std::out_of_range for a frame that is not there.
  explicit Columns(const Mechanism& mechanism, std::vector<int> tracked_frames = {}, Momentum momentum = Momentum::left_out,
                   const std::vector<study::Quantity>& recorded = {});

  const Mechanism& mechanism() const { return mechanism_; }
  const std::vector<Column>& list() const { return columns_; }
  std::size_t size() const { return columns_.size(); }
  std::size_t num_recorded() const { return recorded_.size(); }  ///< of them, the last ones

  /// The row of a state, which needs stage velocity, or that of what is recorded (SimulateOptions::record sees to it); good
  /// until the next call. Throws std::invalid_argument for a state of another mechanism.
  std::span<const double> row(const State& state);

 private:
  Mechanism mechanism_;
  std::vector<int> tracked_;
  bool momentum_;
  std::vector<Column> columns_;
  std::vector<double> row_;
  std::vector<study::Quantity> recorded_;
  tree::Workspace workspace_;
};

}  // namespace polhode::format
