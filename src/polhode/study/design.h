#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "polhode/study/measured_model.h"

/// Finding the values of parameters with which a measure of the motion is least or greatest, within bounds and limits.
namespace polhode::study {

/// What may be chosen: a parameter, or an initial coordinate or speed.
struct DesignVariable {
  std::string name;  ///< as VariedModel takes it
  double start = 0;  ///< where to begin
  /// Bounds.
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
};

/// What must hold of a measure.
struct DesignLimit {
  /// On which side of the bound it must be.
  enum class Sense { at_most, at_least, equal };
  std::string name;              ///< of the measure, for messages
  Sense sense = Sense::at_most;  ///< on which side it must be
  double bound = 0;              ///< in the measure's unit

  /// By how much a measured value is inside: negative where it is not.
  double margin(double measured) const;
};

/// What is asked for.
struct DesignProblem {
  std::vector<DesignVariable> variables;  ///< at least one
  std::string measure;                    ///< what is to be least or greatest, for messages
  bool maximize = false;                  ///< the measure is to be greatest
  std::vector<DesignLimit> limits;        ///< all are to hold
  MeasuredModel model;                    ///< the measure first, then those that have limits, in their order
};

/// How to search.
struct DesignOptions {
  std::string method = "auto";  ///< one of design_methods(), or auto: cobyla with limits, bobyqa without
  int starts = 1;               ///< places to search from: the start, then places spread within the bounds
  double tolerance = 1e-6;      ///< of values, in units of their bounds' distance or size; of limits, in units of their size
  long most_runs = 1000;        ///< of the search
  double difference = 1e-3;     ///< relative change of values for derivatives: difference_step()
  int threads = 0;              ///< 0: as many as there are cores
  std::uint64_t seed = 1;       ///< of the places to start from, and of methods that draw
};

/// A method of searching.
struct DesignMethod {
  std::string name, meaning;  ///< one word, and one line
  bool takes_limits;          ///< others refuse problems that have any
  bool needs_bounds;          ///< of every variable
  bool is_global;             ///< looks everywhere within the bounds; a local method goes on from what it finds
};
/// All of them.
const std::vector<DesignMethod>& design_methods();

/// One run of the search.
struct DesignTry {
  int start = 0;                 ///< which of the places it was searched from
  std::vector<double> values;    ///< of the variables
  std::vector<double> measures;  ///< empty when it failed
  std::string failure;           ///< why, in words
  bool meets_limits = false;     ///< all of them
};

/// What was found.
struct DesignResult {
  /// One variable.
  struct Value {
    std::string name;                         ///< of the variable
    double start = 0, value = 0;              ///< before and after
    bool at_lower = false, at_upper = false;  ///< whether it ended at a bound
    std::optional<double> worth{};            ///< by how much the best measure would change with the bound it is at, per unit
  };
  /// One limit.
  struct Limit {
    DesignLimit limit;                ///< as given
    double measured = 0, margin = 0;  ///< with the best values
    bool active = false;              ///< it holds the measure back, or nearly does
    std::optional<double> worth{};    ///< the same with this limit's bound
  };
  std::vector<Value> values;              ///< in the order of the variables
  std::optional<double> measure_start{};  ///< none where the run at the start failed
  double measure = 0;                     ///< the best
  std::vector<Limit> limits;              ///< in the order given
  bool met = false;                       ///< all limits are met
  bool converged = false;                 ///< the search came to rest, and the limits are met
  bool interrupted = false;               ///< it was asked to end
  std::string method, reason;             ///< which method ran, and why it stopped
  long runs = 0, failures = 0;            ///< of the model
  std::string first_failure;              ///< why that one failed
  std::vector<DesignTry> tries;           ///< by start, then in the order they were made

  // How sure that is.
  int starts = 1, starts_agreeing = 1;   ///< from how many places the search came to this measure
  std::optional<double> restart_gain{};  ///< how much better a search that began there once more came out
  std::optional<double>
      slope_left{};                ///< change of the measure for a change of values by their scale that limits and bounds allow
  std::vector<double> curvatures;  ///< of the measure along its principal directions, in units of the scales; least first
  std::vector<std::string> warnings;  ///< bounds that were reached, values that hardly matter, runs that failed
  double wall_time = 0;               ///< [s]
};

/// Searches by NLopt's methods. A run that fails counts as worse than all that did not, and beyond all limits. Throws
/// std::invalid_argument for problems that contradict themselves, std::runtime_error when no run succeeds where the search
/// begins.
DesignResult design(const DesignProblem& problem, const DesignOptions& options);

}  // namespace polhode::study
