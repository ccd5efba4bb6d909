#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "polhode/projected/maximal/jet_plane.h"
#include "polhode/projected/maximal/jet_start.h"

namespace polhode::projected {

/// A mechanism in space, and in the plane that its bodies move along, where there is one: both are kept, each planned once for
/// all constraints, so that going from one to the other, and switching constraints, costs no memory.
class JetFormulations {
 public:
  /// lockable: as for maximal::Constraints.
  JetFormulations(const Mechanism& mechanism, const MaximalProjectedOptions& options, std::span<const char> lockable);

  JetParts& parts() const { return *current_; }
  /// As Constraints::has_places_for.
  bool has_places_for(const State& state, std::vector<char>& lockable) const {
    return spatial_.system.constraints().has_places_for(state, lockable);
  }
  bool planar() const { return current_ == planar_.get(); }

  /// Whether the state is the one that the method itself has come to. Motion in space that goes on is not looked at again for
  /// a plane, except for constraints that were never on together since it began.
  enum class Motion { begins, goes_on };
  /// In a plane where there is one that serves for the constraints that the state enables, otherwise in space. `bodies` are
  /// those of the state; where a plane is found, they are brought into it. Allocates only where it looks for a plane. Joints
  /// that may be locked, or whose speeds are driven, move in space.
  void choose(const State& state, const Outside& outside, Motion motion, maximal::Bodies& bodies, const JetStart& start,
              JetCounters& counters);

 private:
  bool in_plane(std::span<const char> enabled, const maximal::Bodies& bodies) const;
  bool was_searched(std::span<const char> enabled) const;
  void search(const State& state, const Outside& outside, maximal::Bodies& bodies, const JetStart& start,
              JetCounters& counters);

  Mechanism mechanism_;
  MaximalProjectedOptions options_;
  JetParts spatial_;
  std::unique_ptr<JetParts> planar_;
  std::optional<PlanarModel> plane_;
  JetParts* current_;
  std::vector<char> searched_;  // in vain, since the motion began: sets of constraints, one after another
};

}  // namespace polhode::projected
