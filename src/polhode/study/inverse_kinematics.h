#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "polhode/tree/assemble.h"
#include "polhode/tree/workspace.h"

namespace polhode::tree {
class Assembler;
}

/// Following measured points.
namespace polhode::study {

/// Measured points, one row of them after another; a point that is not seen has NaN numbers.
struct MarkerTable {
  std::vector<double> times;             ///< [s]
  std::vector<tree::PointGoal> markers;  ///< frame, point in it, and weight; the targets are not read
  std::vector<Vec3<double>> points;      ///< in Ground [m]
};

/// How well one frame of markers is met.
struct MarkerFit {
  double t;                      ///< [s]
  const std::vector<double>& q;  ///< coordinates that fit best
  double rms, largest;      ///< distances of the points seen from their markers [m], weights left out; 0 where none is seen
  double constraint_error;  ///< [m], [rad]
};

/// All frames of markers together.
struct InverseKinematicsSummary {
  bool completed = true;                              ///< constraints could be met throughout
  double failed_at = 0;                               ///< [s], when constraints could not be met
  std::vector<tree::UnmetRow> unmet;                  ///< which could not
  int samples = 0;                                    ///< how many were fitted
  double rms = 0, largest = 0, constraint_error = 0;  ///< over all samples; rms is that of all distances
};

/// Follows markers: fits one frame of them after the other, each from the solution before it.
class MarkerTracker {
 public:
  /// Constraints, locks and weights as in the options; their goals stay in force besides the markers.
  MarkerTracker(const State& start, std::vector<tree::PointGoal> markers, tree::AssemblerOptions options);
  ~MarkerTracker();

  /// Positions in the order of the markers; NaN for one that is not seen. Coordinates that follow signals do so at t.
  MarkerFit fit(double t, std::span<const Vec3<double>> positions);
  bool met() const { return met_; }
  const std::vector<double>& q() const { return q_; }
  std::vector<tree::UnmetRow> unmet();

 private:
  Mechanism m_;
  std::vector<tree::PointGoal> markers_;
  double tolerance_;
  int goal_restarts_;
  std::unique_ptr<tree::Assembler> assembler_;
  std::vector<double> q_;
  tree::Workspace w_;
  bool first_ = true, met_ = true;
};

/// Along a whole table. Ends where constraints cannot be met.
InverseKinematicsSummary inverse_kinematics(const State& start, const MarkerTable& table, const tree::AssemblerOptions& options,
                                            const std::function<void(const MarkerFit&)>& report);

}  // namespace polhode::study
