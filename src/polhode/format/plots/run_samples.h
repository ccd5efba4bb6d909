#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "polhode/format/runs/columns.h"
#include "polhode/state/state.h"

namespace polhode::format {

/// Some of the states of a run, evenly spread over all that were reported however many they are, and the last: enough to draw.
class RunSamples {
 public:
  /// Frames to trace; without any, the centre of mass of the body that goes farthest is.
  RunSamples(const Mechanism& mechanism, std::vector<int> traced_frames, const std::vector<study::Quantity>& recorded = {});

  /// Needs stage velocity, or that of what is recorded.
  void add(const State& state);

  std::size_t size() const { return rows_.size() + (last_.empty() ? 0 : 1); }
  /// t, coordinates, speeds, energies, constraint error, momentum; then, from first_recorded() on, what is recorded.
  const std::vector<Column>& columns() const { return columns_.list(); }
  std::size_t first_recorded() const { return first_recorded_; }
  /// Of a column, by sample.
  std::vector<double> values(std::size_t column) const;
  std::vector<double> values(std::string_view column) const;

  struct Path {
    std::string name;                  ///< for people
    std::vector<Vec3<double>> points;  ///< by sample [m]
  };
  std::vector<Path> paths() const;

 private:
  const std::vector<double>& row(std::size_t sample) const { return sample < rows_.size() ? rows_[sample] : last_; }
  Path path(std::size_t point, std::string name) const;
  int farthest_body() const;

  Columns columns_;
  std::size_t first_recorded_;
  std::vector<int> traced_;
  std::size_t most_;                       ///< rows that are kept
  std::size_t every_ = 1, seen_ = 0;       ///< states
  std::vector<std::vector<double>> rows_;  ///< columns, then x, y, z of what is traced
  std::vector<double> last_;               ///< the latest state, while it is not among the rows
};

}  // namespace polhode::format
