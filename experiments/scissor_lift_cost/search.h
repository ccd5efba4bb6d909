#pragma once
#include <optional>
#include <string>
#include <vector>

#include "../../bench/step/problem.h"

/// The step with which an engine's error of a lift reaches a given size at a given time (Johnson & Murphey, eq. 47 and after
/// it).
namespace polhode::experiments {

/// A lift and its exact motion, for as many trials as it takes.
class EqualError {
 public:
  static constexpr double wanted_time = 15, wanted_error = 0.1;  // [s], [rad^2 s], as in the paper
  static constexpr double largest_step = 0.1;                    // [s]

  explicit EqualError(int segments);

  /// One run.
  struct Trial {
    double dt = 0;
    double accuracy = 0;               ///< of methods that choose their steps
    double error = 0;                  ///< e = integral of (theta_b - theta_s)^2 to the wanted time, or as far as it came
    std::optional<double> exceeded{};  ///< when e first was larger than wanted [s]
    bool finished = false, out_of_time = false;
    std::string reason{};  ///< why it did not finish

    bool is_good() const { return finished && !(exceeded && *exceeded < wanted_time); }
  };

  struct Found {
    std::optional<Trial> best{};   ///< the largest step that is good, to the precision asked for, as smaller ones are too
    std::optional<Trial> worse{};  ///< a larger one that is not
    bool capped = false;           ///< the largest step, or the coarsest accuracy, of all is good
    double seconds = 0;            ///< that the run takes
    int trials = 0;
    std::string reason{};  ///< why nothing was found
  };

  struct Limits {
    double guess;               ///< to start at [s]
    double least_step;          ///< not to go below [s]
    double precision = 0.01;    ///< of the step, where the error jumps so that no step gives the wanted one
    double trial_seconds = 30;  ///< of wall time
  };

  struct AccuracyLimits {
    double coarsest, finest;
    double interval;            ///< between looks [s]
    double precision = 0.01;    ///< of the accuracy
    double trial_seconds = 30;  ///< of wall time
  };

  /// Larger steps while the run is good, smaller ones while it is not, then between the two; the paper's way. Of a method of
  /// order p, e is proportional to dt^2p, which saves most of the trials.
  Found search(const std::string& entrant, int order, const Limits& limits) const;
  /// The same for methods that choose their steps, with accuracies instead. They are looked at at intervals.
  Found search_accuracy(const std::string& entrant, const AccuracyLimits& limits) const;
  Trial attempt(const std::string& entrant, double dt, double limit_seconds) const;

 private:
  /// From a step on, until the largest good one is known to the precision asked for.
  void narrow(const std::string& entrant, int order, const Limits& limits, double dt, Found& found) const;
  /// A somewhat smaller step that is not good, if there is one: then the best so far only jumped over what it should resolve.
  std::optional<Trial> refutation(const std::string& entrant, const Limits& limits, Found& found) const;
  Trial attempt_accuracy(const std::string& entrant, double accuracy, const AccuracyLimits& limits, Found& found) const;
  /// From an accuracy on, by tens until one is good, then between the two.
  void narrow_accuracy(const std::string& entrant, const AccuracyLimits& limits, double accuracy, Found& found) const;
  double exact_angle(double t) const;
  double seconds_with(const std::string& entrant, double dt, double limit_seconds) const;

  bench::Problem problem_;
  std::vector<double> exact_;  // angles, at equal distances in time
};

}  // namespace polhode::experiments
