#pragma once
#include <string>
#include <vector>

#include "polhode/projected/maximal/maximal_projected.h"

namespace polhode::experiments::jets {

/// One of the paper's runs, by maximal-projected.
struct JetPlan {
  double accuracy;
  projected::JetProjection::Kind projection = projected::JetProjection::Kind::quasi;
  bool energy = true;
  double tolerance = 1e-10;  ///< of Newton's iterations; the paper's was 1e-5
  double time = 10;          ///< [s]
};

/// What came of it, at its own steps, the start first.
struct JetRun {
  JetPlan plan;
  double torque = 0;  ///< on body 1 [N m]
  bool finished = false;
  std::string reason{};  ///< why not

  std::vector<double> t{}, h{};  ///< the step that ended at each time [s]; h[0] is 0
  std::vector<double> kinetic{}, potential{};
  std::vector<double> work{};      ///< of the torque, by the angle that it turned its body through [J]
  std::vector<double> own_work{};  ///< the same as the method integrates it
  std::vector<double> total{};     ///< kinetic and potential less work [J]
  std::vector<maximal::Bodies> bodies{};
  double position_error = 0, velocity_error = 0;  ///< largest at steps [m], [rad]; per second

  StepStatistics steps{};
  projected::JetCounters counters{};
  double seconds = 0;               ///< of the processor, for the steps alone
  double seconds_distribution = 0;  ///< one distribution times how many there were

  double newton_average() const {
    return counters.projections ? double(counters.newton_iterations) / double(counters.projections) : 0;
  }
  /// The largest change of the total energy [J].
  double drift() const;
  /// The same with the method's own account of the work: what it keeps.
  double own_drift() const;
  double most_energy() const;  ///< the most that was kinetic, or potential in size [J]
};

/// Torque about an axis through the origin of the world that body 1 turns about: how it is read off its centre of mass.
struct Drive {
  double torque = 0;                                        ///< [N m]
  double (*angle)(const Vec3<double>& centre_of_body_1){};  ///< [rad], to a whole turn
};

/// The times are the least of so many rounds.
JetRun run_jet(const State& start, const Drive& drive, const JetPlan& plan, int rounds);

/// The centres of mass of body1, body2, ... at multiples of an interval.
std::vector<std::vector<Vec3<double>>> centres_of(const State& start, const JetPlan& plan, double interval);

/// The start of a model, assembled: the paper's tables have three decimals.
State start_of(const Mechanism& mechanism);

}  // namespace polhode::experiments::jets
