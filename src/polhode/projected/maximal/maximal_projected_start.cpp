#include <algorithm>
#include <cmath>

#include "polhode/projected/maximal/jet_plane.h"
#include "polhode/projected/maximal/maximal_projected.h"

// How maximal-projected begins: in a plane or in space, and on the constraints, however well these fit together.
namespace polhode::projected {

/// Whether the parts serve for a state as they are: what they were made for has not changed, nor the plane. Where nothing was
/// found to be planar, only the state that the method itself has come to is known to be no more planar.
bool MaximalProjected::parts_serve(const State& state) const {
  if (!parts_ || !std::equal(enabled_.begin(), enabled_.end(), state.enabled().begin(), state.enabled().end())) return false;
  if (is_planar()) return parts_->system.coordinates().contain(bodies1_);
  return !options_.planar || (std::equal(q1_.begin(), q1_.end(), state.q().begin(), state.q().end()) &&
                              std::equal(u1_.begin(), u1_.end(), state.u().begin(), state.u().end()));
}

/// In a plane where there is one, otherwise in space.
void MaximalProjected::make_parts(const State& state) {
  JetCoordinates coordinates(mechanism_);
  parts_ = std::make_unique<Parts>(state, coordinates, std::span<const char>{}, options_);
  enabled_.assign(state.enabled().begin(), state.enabled().end());
  if (!options_.planar) return;
  // What was set from outside need not meet the constraints to the tolerance of this study. If it cannot, the first step says
  // so.
  const std::size_t n = std::size_t(coordinates.size());
  Vector given(2 * n), x(given);
  coordinates.from_bodies(bodies1_, given.data(), given.data() + n);
  parts_->restart(state, outside_);
  if (!project_start(given, x)) return;
  const maximal::Bodies projected = parts_->system.bodies();
  const auto planar = find_plane(mechanism_, state.enabled(), t1_, projected, state.q());
  if (!planar) return;
  coordinates = JetCoordinates(mechanism_, planar->plane);
  Vector y(std::size_t(coordinates.size())), y1(y);
  coordinates.from_bodies(projected, y.data(), y1.data());
  parts_ = std::make_unique<Parts>(state, coordinates, planar->kept_rows, options_);
  bodies1_ = projected;  // nothing will bring them back into the plane later
}

/// Brings the point that was given onto the constraints. Which rows depend on each other is found out first, where they still
/// do: what is set is on the constraints but for rounding. Where the projection has to go far all the same, or would end the
/// motion, rows that should depend on each other miss that by a little. They meet in another place only (a door on two hinges
/// whose axes are not quite one would be shut), or allow no motion at all.
bool MaximalProjected::project_start(const Vector& given, Vector& x) {
  const RedundantRows found = find_redundant_rows(given);
  parts_->system.allow_redundant_rows(found);
  const auto project = [&] {
    x = given;
    return parts_->projection.onto_constraints(t1_, x.data(), x.data() + n(), counters_) == JetOutcome::done &&
           !has_moved(given.data(), x.data(), 1);
  };
  const auto has_stopped = [&] { return has_moved(given.data() + n(), x.data() + n(), 1e-3); };
  const bool met = project();
  if (met && !has_stopped()) return true;
  if (!leave_gaps(given)) return met;
  if (project()) return true;
  parts_->system.allow_redundant_rows(found);
  return met && project();
}

/// At the point, which is near the constraints if anything is to be said. Rows that no speed of the tree changes may seem to be
/// independent by a little.
RedundantRows MaximalProjected::find_redundant_rows(const Vector& at) {
  JetSystem& system = parts_->system;
  if (system.redundant_rows() != RedundantRows::none || system.num_rows() == 0) return system.redundant_rows();
  system.place(t1_, at.data(), at.data() + n());
  system.linearize(counters_);
  if (!system.is_near_constraints()) return RedundantRows::none;
  // Pivots are squares of what rows are independent by. Beyond this, the mechanism may be one that is nearly flat.
  constexpr double little = 1e-5;
  if (dead_.count > 0 && !dead_.exactly && !is_planar() && options_.projection == JetProjection::Kind::quasi &&
      system.count_redundant_rows(little * little) >= dead_.count)
    return RedundantRows::nearly;
  return system.count_redundant_rows(linear::rank_tolerance) > 0 ? RedundantRows::exactly : RedundantRows::none;
}

bool MaximalProjected::may_leave_gaps() const {
  return parts_->system.redundant_rows() != RedundantRows::nearly && options_.projection == JetProjection::Kind::quasi;
}

/// From here on, where rows are nearly redundant at the point; false if that is not so, or no news.
bool MaximalProjected::leave_gaps(const Vector& at) {
  JetSystem& system = parts_->system;
  if (!may_leave_gaps()) return false;
  system.place(t1_, at.data(), at.data() + n());
  system.linearize(counters_);
  if (!system.is_near_constraints() || system.count_redundant_rows(linear::loose_rank_tolerance) == 0) return false;
  system.allow_redundant_rows(RedundantRows::nearly);
  return true;
}

/// By more than a state that is set is off its constraints. Numbers are compared with the largest of them, and with `least`.
bool MaximalProjected::has_moved(const double* given, const double* projected, double least) const {
  constexpr double far = 0.01;
  double size = least, moved = 0;
  for (int i = 0; i < n(); ++i) {
    size = std::max(size, std::abs(given[i]));
    moved = std::max(moved, std::abs(projected[i] - given[i]));
  }
  return moved > far * size;
}

}  // namespace polhode::projected
