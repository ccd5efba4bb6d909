#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "polhode/study/design.h"

/// The numbers of a design problem as searches see them: values in units of their scales, the measure to be least, limits as
/// g <= 0 or g = 0 in units of their sizes.
namespace polhode::study {

/// Of one try.
struct Scored {
  bool ok = false;
  double objective = 0;
  std::vector<double> limits;
};

/// One problem in those units.
class ScaledProblem {
 public:
  /// Sizes of measures are those at the start, where there are any.
  ScaledProblem(const DesignProblem& problem, const DesignOptions& options, const std::vector<double>& measures_at_start);

  std::size_t size() const { return scale_.size(); }
  const DesignProblem& problem() const { return problem_; }
  const DesignOptions& options() const { return options_; }
  double scale(std::size_t k) const { return scale_[k]; }

  /// From values to y and back; bounds come out exactly.
  std::vector<double> scaled(std::span<const double> values) const;
  std::vector<double> values(std::span<const double> y) const;
  const std::vector<double>& lower() const { return lower_; }
  const std::vector<double>& upper() const { return upper_; }

  double objective_size() const { return objective_size_; }
  double limit_size(std::size_t i) const { return limit_size_[i]; }
  Scored score(const std::vector<double>& measures) const;
  /// The largest that a limit is missed by; 0 where all are met within the tolerance.
  double violation(const std::vector<double>& measures) const;
  bool meets_limits(const std::vector<double>& measures) const { return violation(measures) == 0; }
  /// Whether the first is the better of two that did not fail.
  bool better(const std::vector<double>& a, const std::vector<double>& b) const;

 private:
  const DesignProblem& problem_;
  const DesignOptions& options_;
  std::vector<double> origin_, scale_, lower_, upper_;
  double objective_size_;
  std::vector<double> limit_size_;
};

/// What one search came to.
struct SearchOutcome {
  std::vector<DesignTry> tries;
  std::vector<double> best, best_measures;  ///< empty when every run failed
  std::string reason;
  bool at_rest = false, interrupted = false;
};

/// Searches from one place, with first changes of so much in y. Runs for derivatives are done at once, on so many threads.
SearchOutcome search(const ScaledProblem& problem, const std::string& method, const std::vector<double>& start,
                     double first_change, long runs_allowed, int threads);

}  // namespace polhode::study
