#pragma once
#include "cost.h"
#include "lineup.h"

/// Costs of steps over the size of a mechanism, one line for each engine.
namespace polhode::experiments {

struct SizedCost {
  int n;
  Cost cost;
};

struct CostLine {
  std::string label, entrant;
  std::vector<SizedCost> points{};

  /// Seconds per step at a size; nothing if it was not measured.
  std::optional<double> at(int n) const;
  /// Of the logarithms, from a size on.
  std::optional<double> exponent(int from) const;
  /// The same of the time that one Newton iteration takes; steps of long chains need more of them than those of short ones.
  std::optional<double> exponent_per_iteration(int from) const;
  long halved() const;
};

/// Of a method of the line-up. Sizes in order; stops where an engine could not go on, or where the next size would take too
/// long should it cost the cube.
CostLine measure_line(const std::string& label, const std::vector<int>& sizes, bench::Problem (*problem)(int n),
                      const CostPlan& plan);

/// Seconds for 1000 steps over the size.
format::Plot plot_of(const std::string& title, const std::string& size_name, const std::vector<CostLine>& lines);
/// The same as rows of a table, with exponents and reasons.
Table table_of(const std::string& name, const std::string& caption, const std::vector<CostLine>& lines, int exponent_from);

}  // namespace polhode::experiments
