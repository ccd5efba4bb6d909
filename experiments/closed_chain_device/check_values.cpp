#include "check_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../../bench/step/problems.h"

namespace polhode::experiments {
namespace {

using bench::operator-, bench::operator*;

struct CheckValue {
  double t, x, z;
};
constexpr CheckValue known[]{{1, -0.434993, -2.790855}, {3, -0.940156, -2.845977}};
constexpr double given_digits = 5e-7;  // half of the last one [m]

/// The end of link H, 2 m from its joint, which is the end of J, 1 m from the origin; both have their mass half way:
/// 2 c_J + 2 (c_H - 2 c_J).
bench::Triple corner(const bench::Course& course, double t) {
  constexpr int J = 0, H = 1;
  const std::size_t k = std::size_t(std::lround(t / (course.t[1] - course.t[0])));
  const auto& centres = course.centres.at(k);
  return 2.0 * (centres[H] - centres[J]);
}

double largest_difference(const Lap& lap) {
  double largest = 0;
  for (const CheckValue& value : known) {
    const bench::Triple at = corner(lap.course, value.t);
    largest = std::max({largest, std::abs(at[0] - value.x), std::abs(at[2] - value.z)});
  }
  return largest;
}

std::vector<Cell> row_of(const std::string& name, const Lap& lap) {
  if (!lap.finished()) return {name, "-", "-", "-", "-", std::string(lap.outcome.reason.data())};
  std::vector<Cell> row{name};
  for (const CheckValue& value : known) {
    const bench::Triple at = corner(lap.course, value.t);
    for (const int axis : {0, 2}) row.emplace_back(fmt::format("{:.9f}", at[std::size_t(axis)]));
  }
  row.emplace_back(largest_difference(lap));
  return row;
}

}  // namespace

void check_values(Findings& findings, const Lap& reference) {
  const Race race{.name = "converged",
                  .problem = bench::closed_chain_device(),
                  .time = 3,
                  .interval = 0.02,
                  .curves = {},
                  .repetitions = 0};
  Table table{.name = "check_values",
              .caption = "The corner O2 of the device, by methods that share no integrator",
              .columns = {"method", "x at 1 s [m]", "z at 1 s [m]", "x at 3 s [m]", "z at 3 s [m]", "largest difference [m]"}};
  table.rows.push_back({"Simbody at 1e-9, found once", "-0.434993", "-2.790855", "-0.940156", "-2.845977", "-"});
  const auto check = [&](const std::string& name, const Lap& lap) {
    table.rows.push_back(row_of(name, lap));
    findings.judge(bench::at_most(fmt::format("issue: O2 at 1 s and 3 s by {}, off by [m]", name),
                                  lap.finished() ? std::optional(largest_difference(lap)) : std::nullopt, given_digits));
  };
  check("tree-projected, rk8 at 1e-12", reference);
  check("tree-variational, order 6, 1 ms", run_lap(race, "", {"polhode tree-variational order=6 tolerance=1e-13", 0.001}));
  check("maximal-variational, order 4, 0.5 ms",
        run_lap(race, "", {"polhode maximal-variational order=4 tolerance=1e-13", 0.0005}));
  check("maximal-projected at 1e-9", run_lap(race, "", {"polhode maximal-projected accuracy=1e-9", 0.02}));
  findings.table(std::move(table));
}

}  // namespace polhode::experiments
