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

inline constexpr double cost_step = 0.01, cost_time = 20;  // of seed 000, Fig. 7 [s]

/// The seed's equations as they are printed, with and without memory for what was computed before. Of a run that would take
/// longer than the budget only a part is timed.
CostCurve literal_cost(bool cached, const std::vector<int>& links, double budget_seconds);

/// An engine. Stops with the first number of links for which the whole run would take longer than the limit.
CostCurve engine_cost(const std::string& label, const std::string& entrant, const std::vector<int>& links,
                      double budget_seconds, double limit_seconds);

/// Exponent of the number of links from `fewest` to `most`.
std::optional<double> exponent(const CostCurve& curve, int fewest, int most);

/// Largest distance of a mass after 1 s between the seed's printed equations and our linear-time ones [m]; nothing where one
/// of them did not get there.
std::optional<double> literal_distance(bool cached, int links);

}  // namespace polhode::experiments
