#include "polhode/projected/maximal/jet_formulations.h"

#include <algorithm>

namespace polhode::projected {

JetFormulations::JetFormulations(const Mechanism& mechanism, const MaximalProjectedOptions& options,
                                 std::span<const char> lockable)
    : mechanism_(mechanism),
      options_(options),
      spatial_(mechanism, JetCoordinates(mechanism), {}, options, lockable),
      current_(&spatial_) {}

bool JetFormulations::in_plane(std::span<const char> enabled, const maximal::Bodies& bodies) const {
  return planar_ && plane_->serves(enabled) && planar_->system.coordinates().contain(bodies);
}

bool JetFormulations::was_searched(std::span<const char> enabled) const {
  if (enabled.empty()) return !searched_.empty();
  for (auto from = searched_.begin(); from != searched_.end(); from += long(enabled.size()))
    if (std::equal(enabled.begin(), enabled.end(), from)) return true;
  return false;
}

void JetFormulations::choose(const State& state, const Outside& outside, Motion motion, maximal::Bodies& bodies,
                             const JetStart& start, JetCounters& counters) {
  if (motion == Motion::begins) searched_.clear();
  current_ = &spatial_;
  spatial_.system.set_driven(state);
  const maximal::Constraints& constraints = spatial_.system.constraints();
  if (!options_.planar || constraints.has_switched_motion() || !constraints.follows_all_signals()) return;
  if (in_plane(state.enabled(), bodies)) {
    current_ = planar_.get();
  } else if (!was_searched(state.enabled())) {
    search(state, outside, bodies, start, counters);
  }
}

/// What was set from outside need not meet the constraints to the tolerance of this study. If it cannot, the first step says
/// so.
void JetFormulations::search(const State& state, const Outside& outside, maximal::Bodies& bodies, const JetStart& start,
                             JetCounters& counters) {
  const std::size_t n = std::size_t(spatial_.n());
  std::vector<double> given(2 * n), x(given);
  spatial_.system.read_bodies(bodies, given.data(), given.data() + n);
  spatial_.restart(state, outside);
  std::optional<PlanarModel> found;
  if (start.project(spatial_, state.time(), given, x, counters))
    found = find_plane(mechanism_, state.enabled(), state.time(), spatial_.system.bodies(), state.q());
  if (!found) {
    searched_.insert(searched_.end(), state.enabled().begin(), state.enabled().end());
    if (state.enabled().empty()) searched_.push_back(1);
    return;
  }
  bodies = spatial_.system.bodies();  // nothing will bring them back into the plane later
  JetCoordinates coordinates(mechanism_, found->plane);
  std::vector<double> y(std::size_t(coordinates.size())), y1(y);
  coordinates.from_bodies(bodies, y.data(), y1.data());
  planar_ = std::make_unique<JetParts>(mechanism_, coordinates, found->kept_rows, options_);
  plane_ = std::move(found);
  current_ = planar_.get();
}

}  // namespace polhode::projected
