#include "polhode/projected/maximal/jet_start.h"

#include <algorithm>
#include <cmath>

#include "polhode/projected/maximal/acceptance.h"

namespace polhode::projected {
namespace {

/// By more than a state that is set is off its constraints. Numbers are compared with the largest of them, and with `least`.
bool has_moved(const double* given, const double* projected, int n, double least) {
  double size = least, moved = 0;
  for (int i = 0; i < n; ++i) {
    size = std::max(size, std::abs(given[i]));
    moved = std::max(moved, std::abs(projected[i] - given[i]));
  }
  return moved > acceptance::far_off * size;
}

void linearize_at(JetSystem& system, double t, const std::vector<double>& at, JetCounters& counters) {
  system.place(t, at.data(), at.data() + system.size());
  system.linearize(counters);
}

}  // namespace

/// Rows are judged where they still depend on each other: what is set is on the constraints but for rounding. Where the
/// projection has to go far all the same, or would end the motion, rows that should depend on each other miss that by a little.
/// They meet in another place only (a door on two hinges whose axes are not quite one would be shut), or allow no motion at
/// all.
bool JetStart::project(JetParts& parts, double t, const Vector& given, Vector& x, JetCounters& counters) const {
  const int n = parts.n();
  const RedundantRows found = find_redundant_rows(parts, t, given, counters);
  parts.system.allow_redundant_rows(found);
  const auto project_once = [&] {
    x = given;
    return parts.projection.onto_constraints(t, x.data(), x.data() + n, counters) == JetOutcome::done &&
           !has_moved(given.data(), x.data(), n, 1);
  };
  const auto has_stopped = [&] { return has_moved(given.data() + n, x.data() + n, n, acceptance::least_speed); };
  const bool met = project_once();
  if (met && !has_stopped()) return true;
  if (!leave_gaps(parts, t, given, counters)) return met;
  if (project_once()) return true;
  parts.system.allow_redundant_rows(found);
  return met && project_once();
}

/// At the point, which is near the constraints if anything is to be said. Rows that no speed of the tree changes may seem to be
/// independent by a little.
RedundantRows JetStart::find_redundant_rows(JetParts& parts, double t, const Vector& at, JetCounters& counters) const {
  JetSystem& system = parts.system;
  if (system.redundant_rows() != RedundantRows::none || system.num_rows() == 0) return system.redundant_rows();
  linearize_at(system, t, at, counters);
  if (!system.is_near_constraints()) return RedundantRows::none;
  if (dead_.count > 0 && !dead_.exactly && !system.coordinates().planar() && quasi_ &&
      system.count_redundant_rows(acceptance::nearly_redundant) >= dead_.count)
    return RedundantRows::nearly;
  return system.count_redundant_rows(linear::rank_tolerance) > 0 ? RedundantRows::exactly : RedundantRows::none;
}

bool JetStart::leave_gaps(JetParts& parts, double t, const Vector& at, JetCounters& counters) const {
  if (!may_leave_gaps(parts)) return false;
  JetSystem& system = parts.system;
  linearize_at(system, t, at, counters);
  if (!system.is_near_constraints() || system.count_redundant_rows(linear::loose_rank_tolerance) == 0) return false;
  system.allow_redundant_rows(RedundantRows::nearly);
  return true;
}

}  // namespace polhode::projected
