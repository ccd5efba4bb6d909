#pragma once
#include <optional>
#include <string>
#include <vector>

/// What 20 s of an N-link pendulum cost, by number of links.
namespace polhode::experiments {

struct CostPoint {
  int links;
  double seconds;    ///< for the whole time
  double share = 1;  ///< of the time that was really computed, from the start on; the rest is scaled
};

struct CostCurve {
  std::string label;
  std::vector<CostPoint> points{};
  std::string remark{};  ///< why there are no more

  std::optional<double> at(int links) const;
};

inline constexpr double cost_step = 0.01, cost_time = 20;  // of Johnson & Murphey, Fig. 7 [s]

/// The paper's equations as they are printed, with and without memory for what was computed before. Of a run that would take
/// longer than the budget only a part is timed.
CostCurve literal_cost(bool cached, const std::vector<int>& links, double budget_seconds);

/// What may be spent on an engine, for one number of links [s].
struct Budget {
  double timed;     ///< of a run only so much is timed
  double computed;  ///< beyond it, no more links are tried: the whole run would take longer
  double set_up;    ///< the same of the time until the engine is ready
};
CostCurve engine_cost(const std::string& label, const std::vector<int>& links, const Budget& budget);

/// Of our linear-time form, the first 2 s only: the same part of the motion for every number of links.
struct CostOfStart {
  CostCurve whole, of_iteration;  ///< and of one of Newton's iterations, of which more links may need more
};
CostOfStart cost_of_start(const std::vector<int>& links, int repetitions);

/// Exponent of the number of links from `fewest` to `most`.
std::optional<double> exponent(const CostCurve& curve, int fewest, int most);

/// Largest distance of a mass after 1 s between the paper's printed equations and our linear-time ones [m]; nothing where one
/// of them did not get there.
std::optional<double> literal_distance(bool cached, int links);

}  // namespace polhode::experiments
