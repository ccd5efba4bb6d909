#pragma once
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "polhode/mechanism/event_spec.h"
#include "polhode/state/state.h"

/// Things that happen during a run: at given times, when a number that follows from the state crosses zero, or after every step
/// (Simbody theory manual 10.3 and 10.4). What a model describes becomes such events; programs may add their own to a
/// simulation.
namespace polhode::study {

/// What a handler wants of the run.
struct EventAction {
  bool stop = false;   ///< the run ends here, and is complete
  std::string text{};  ///< for the record; the reason, when it stops
};

/// May change coordinates, speeds, z, discrete variables, inputs and applied forces, enable and disable constraints, lock and
/// unlock joints; not the time. It finds the state realized to velocity.
///
/// Afterwards the state is brought back onto its constraints: coordinates move by as little as it takes, those that the handler
/// set stay where the constraints allow it, and speeds get the nearest values that keep the constraints in the sense of kinetic
/// energy. For a constraint that was enabled in flight, and for a joint that was locked, that is a perfectly plastic impact:
/// only the impulses of constraints and locks act. Then the method starts anew from there; not where a step has ended and
/// inputs or applied forces alone are other than before (Stepper::set_inputs).
using Handler = std::function<EventAction(State&)>;

/// A number that crosses zero when the event happens; a continuous function of the state between events.
using Witness = std::function<double(const State&)>;

/// When a number crosses zero.
struct Trigger {
  Witness witness;                         ///< the number
  Stage stage = Stage::position;           ///< what the witness reads; realized before it is called
  Crossing direction = Crossing::crosses;  ///< which way
  /// How exactly the time is found [s]; by default 1e-4 of the accuracy (1e-10 s), but never less than times can be told apart.
  std::optional<double> window{};
  bool reads_work = false;  ///< so that the run has to sum it up
};
/// At given times.
struct AtTimes {
  std::vector<double> times;  ///< [s]; those outside of a run never come
};
/// At from, from + period, from + 2 period, ...
struct EveryPeriod {
  double period = 1, from = 0;  ///< [s]
};
/// After every step.
struct EveryStep {};

/// Something that happens, and what it does.
struct Event {
  std::string name;  ///< for messages and counts
  /// When it happens.
  std::variant<Trigger, AtTimes, EveryPeriod, EveryStep> when;
  Handler handle;  ///< may be empty: the event is counted only
};

/// What a mechanism's event no. i waits for; it must be one that watches a number.
Trigger trigger_of(const Mechanism& mechanism, int event);

/// Throws std::invalid_argument that names an event which could not work: no witness, a period that is not positive, ...
void validate(const std::vector<Event>& events);

/// Of events that watch quantities which the mechanism does not have. Its builder cannot tell.
std::vector<Problem> problems_of_witnesses(const Mechanism& mechanism);
/// The events that a mechanism's description has, in its order. Throws ModelError with those problems.
std::vector<Event> events_of(const Mechanism& mechanism);

/// A run cannot go on, in words.
class EventFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// The run is good up to t [s].
  EventFailure(double t, const std::string& why) : std::runtime_error(why), time(t) {}

  std::optional<double> time{};  ///< up to which the run is good, where that is inside a step [s]
};

/// How often an event happened, and when.
struct EventCount {
  std::string name;            ///< of the event
  long count = 0;              ///< how often
  double first = 0, last = 0;  ///< [s]; meaningless when it never happened
};
/// One event that happened.
struct EventRecord {
  double time;       ///< [s]
  int event;         ///< which of the counts
  std::string text;  ///< what its handler said
  /// For checkpoints.
  void remember(Memory& memory) { memory(time, event, text); }
};

}  // namespace polhode::study
