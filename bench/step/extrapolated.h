#pragma once
/// One degree of freedom, followed to rounding: for exact motions that engines are held against.

#include <array>

namespace polhode::bench {

struct Motion {
  double theta, rate;
};

inline Motion operator+(Motion a, Motion b) { return {a.theta + b.theta, a.rate + b.rate}; }
inline Motion operator-(Motion a, Motion b) { return {a.theta - b.theta, a.rate - b.rate}; }
inline Motion operator*(double k, Motion a) { return {k * a.theta, k * a.rate}; }

/// Gragg's modified midpoint rule with an even number of substeps; its error is a series in h^2.
template <class Lagrangian>
Motion modified_midpoint(const Lagrangian& system, Motion start, double step, int substeps) {
  const double h = step / substeps;
  Motion before = start, now = start + h * system.derivative(start);
  for (int i = 1; i < substeps; ++i) {
    const Motion next = before + 2 * h * system.derivative(now);
    before = now;
    now = next;
  }
  return 0.5 * (now + before + h * system.derivative(now));
}

/// Bulirsch and Stoer: the midpoint rule with 2, 4, ... 12 substeps, extrapolated to none left in h; order 12.
template <class Lagrangian>
Motion extrapolated_step(const Lagrangian& system, Motion start, double step) {
  constexpr int columns = 6;
  std::array<Motion, columns> row{};  // the last one of the Aitken-Neville scheme
  for (int k = 0; k < columns; ++k) {
    const int substeps = 2 * (k + 1);
    Motion better = modified_midpoint(system, start, step, substeps);
    for (int j = 0; j < k; ++j) {
      const double ratio = double(substeps) / (2 * (k - j));
      const Motion refined = better + (1 / (ratio * ratio - 1)) * (better - row[j]);
      row[j] = better;
      better = refined;
    }
    row[k] = better;
  }
  return row[columns - 1];
}

}  // namespace polhode::bench
