#pragma once
#include <optional>
#include <vector>

#include "polhode/state/state.h"
#include "polhode/tree/assembly_options.h"

namespace polhode::tree {

struct AssemblyMemory;

/// A frame's origin moves with `linear`, the frame turns with `angular`, both in Ground. Either may be left open.
struct FrameVelocityGoal {
  int frame;
  std::optional<Vec3<double>> linear{}, angular{};  ///< [m/s], [rad/s]
  double weight = 1;
};
struct SpeedGoal {
  int u;
  double target;
  double weight = 1;
};
struct VelocityGoals {
  std::vector<FrameVelocityGoal> frames{};
  std::vector<SpeedGoal> speeds{};
};

struct VelocityAnalysis {
  bool met = true;
  double error_before = 0, error_after = 0;  ///< largest rate of a row [m/s], [rad/s]
  double goal_before = 0, goal_after = 0;    ///< sum of weight * |error|^2
  double changed = 0;                        ///< largest change of a speed
  std::vector<UnmetRow> unmet;
};

/// Speeds that meet all rows so well are left as they are [m/s], [rad/s].
inline constexpr double exact_rates = 1e-14;

/// Gives the state the speeds that meet every velocity-level equation of the rows given (G u + h_t = 0, nonholonomic ones
/// included), among those the ones nearest to the goals, and of these the nearest to the state's own, in the sense of kinetic
/// energy. Speeds that are held stay. Where the equations cannot be met, the state is left as it was.
VelocityAnalysis analyse_velocities(State& state, const VelocityGoals& goals, const std::vector<char>& held,
                                    double tolerance = 1e-9);
/// The same in memory that is at hand.
VelocityAnalysis analyse_velocities(State& state, const VelocityGoals& goals, const std::vector<char>& held, double tolerance,
                                    AssemblyMemory& memory);

}  // namespace polhode::tree
