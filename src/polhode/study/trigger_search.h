#pragma once
#include <vector>

#include "polhode/state/stepper.h"
#include "polhode/study/events.h"
#include "polhode/study/work_meter.h"
#include "polhode/tree/workspace.h"

namespace polhode::study {

/// Finds when witnesses cross zero, on the continuous motion that a stepper interpolates.
///
/// A step is looked at in quarters; where three values in a row suggest that a witness dips to the other side between them,
/// there as well. What can still be missed: a witness that goes to the other side and back within a quarter of a step, too
/// sharply for a parabola through its neighbours to show it. A witness that only touches zero does not cross it.
///
/// A crossing is closed in by secants, with halvings where these are slow, until it is between two times no further apart than
/// the window; the event happens at the later one, when the witness is on its new side.
class TriggerSearch {
 public:
  struct Crossed {
    double t = 0;
    std::vector<int> events;  ///< in the order in which they were declared
  };

  /// Keeps a reference to the events.
  TriggerSearch(const std::vector<Event>& events, const Mechanism& mechanism, double accuracy);

  bool empty() const { return watches_.empty(); }
  void watch_work(WorkMeter& work) { work_ = &work; }

  /// From this state on. A witness that starts at zero has not crossed it.
  void start(State& state);
  /// The first crossings in the stepper's last step, which began at t0, after those that were found before; none: events is
  /// empty. The state's values that steps do not change must be those of the run.
  const Crossed& next(const Stepper& stepper, double t0, const State& of_run);
  /// Handlers have changed the state at the time of the last crossings. Gives the events that this jump triggered; witnesses of
  /// the events that were just handled are not among them: they are watched again from where they are now.
  void resume(State& state, const std::vector<int>& handled, std::vector<int>& triggered);

  /// Where the witnesses are, to be kept or given back.
  void remember(Memory& memory);

 private:
  /// One witness. While it leaves zero, after its own event or at the start, its sign means nothing until it is beyond a band.
  struct Watch {
    int event;
    const Trigger* trigger;
    int side = 0;  ///< of zero: where it is; while it leaves, where it is expected to go; 0 when that is not known
    bool leaving = false, turned = false;  ///< turned: its handler has sent it back to where it came from
    double band = 0;
    double rate = 0;  ///< how fast it crossed last [1/s]
  };
  struct Sample {
    double t;
    std::vector<double> g;  ///< by watch
  };
  struct Bracket {
    int watch;
    double before, after;
  };

  double window(const Watch& watch, double t) const;
  double value(const Watch& watch, State& state);
  double value_at(const Watch& watch, const Stepper& stepper, double t);
  void sample(State& state, Sample& out);
  void sample_at(const Stepper& stepper, double t, Sample& out);
  Sample& further_sample();
  void take_samples(const Stepper& stepper, double t0);
  void add_dips(const Stepper& stepper);
  static int side(const Watch& watch, double g);
  static bool watched(const Watch& watch, int new_side);
  void settle(Watch& watch, double g);
  bool find_crossing(int w, const Stepper& stepper, const Sample& a, const Sample& b, Bracket& bracket);
  Bracket close_in(int w, const Stepper& stepper, double a, double g_a, double b, double g_b);
  void cross(const Stepper& stepper, double t0);
  /// The witness's rate as the state moves with its speeds; only for witnesses that read positions at most.
  double rate_now(const Watch& watch, const State& state);
  void leave(Watch& watch, double g, State& state);

  const std::vector<Event>& events_;
  WorkMeter* work_ = nullptr;
  tree::Workspace workspace_;
  double accuracy_;
  std::vector<Watch> watches_;
  Sample now_{};
  State scratch_, later_, here_;
  // Memory that steps share, so that looking at one allocates nothing.
  std::vector<Sample> along_;  ///< the step, in order of time; only the first num_along_ are of this one
  std::size_t num_along_ = 0;
  std::vector<double> dips_, moved_q_;
  std::vector<Bracket> brackets_;
  std::vector<char> has_crossed_;
  Crossed crossed_;
};

}  // namespace polhode::study
