#include "polhode/study/events.h"

#include <fmt/format.h>

#include <cmath>

#include "polhode/mechanism/builder.h"
#include "polhode/mechanism/joint_queries.h"
#include "polhode/study/quantity.h"

namespace polhode::study {
namespace {

/// The speed of that name, or the rate of the coordinate of that name. The builder has checked that there is one.
int speed_index(const Mechanism& mechanism, const std::string& name) {
  for (int u = 0; u < mechanism.num_u(); ++u)
    if (mechanism.speed_names()[std::size_t(u)] == name) return u;
  const int q = mechanism.coordinate(name);
  for (const Joint& joint : mechanism.joints())
    if (q >= joint.first_q && q < joint.first_q + joint.nq)
      return joint.first_u + speed_of_coordinate(joint.model)[std::size_t(q - joint.first_q)];
  throw std::logic_error("a coordinate belongs to no joint");
}

/// A model's witness as a function of the state, and the stage it needs.
struct WitnessMaker {
  const Mechanism& m;
  struct Made {
    Witness value;
    Stage stage;
    bool reads_work = false;
  };

  Made operator()(const CoordinateWitness& w) const {
    return {[q = std::size_t(m.coordinate(w.coordinate))](const State& s) { return s.q()[q]; }, Stage::time};
  }
  Made operator()(const SpeedWitness& w) const {
    return {[u = std::size_t(speed_index(m, w.speed))](const State& s) { return s.u()[u]; }, Stage::velocity};
  }
  Made operator()(const PositionWitness& w) const {
    return {[frame = m.frame(w.frame), axis = w.axis](const State& s) {
              const Vec3<double> p = s.frame_pose(frame).p;
              return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
            },
            Stage::position};
  }
  Made operator()(const DistanceWitness& w) const {
    return {[a = m.frame(w.frame_a), b = m.frame(w.frame_b)](const State& s) {
              return norm(s.frame_pose(a).p - s.frame_pose(b).p);
            },
            Stage::position};
  }
  Made operator()(const TimeWitness&) const {
    return {[](const State& s) { return s.time(); }, Stage::time};
  }
  Made operator()(const EnergyWitness&) const {
    return {[](const State& s) { return s.energy(); }, Stage::velocity};
  }
  Made operator()(const DiscreteWitness& w) const {
    return {[d = std::size_t(m.discrete_variable(w.variable))](const State& s) { return s.discrete()[d]; }, Stage::time};
  }
  Made operator()(const QuantityWitness& w) const {
    const Quantity quantity(m, w.quantity);
    return {quantity, quantity.stage(), quantity.is_work()};
  }
};

using Change = std::function<void(State&, EventAction&)>;

/// What is locked when the event happens stays as it is.
void require_unlocked(const State& state, int u, const std::string& name) {
  if (state.locked_speeds()[std::size_t(u)])
    throw EventFailure(fmt::format("\"{}\" is locked then, so it cannot be set; unlock its joint before", name));
}

struct ActionMaker {
  const Mechanism& m;

  Change operator()(const StopAction&) const {
    return [](State&, EventAction& action) { action.stop = true; };
  }
  Change operator()(const SayAction& a) const {
    return [text = a.text](State&, EventAction& action) { action.text += (action.text.empty() ? "" : "; ") + text; };
  }
  Change operator()(const EnableAction& a) const {
    return [element = m.constraint_element(a.constraint), on = a.on](State& s, EventAction&) { s.enable(element, on); };
  }
  Change operator()(const LockAction& a) const {
    return [joint = m.joint(a.joint), on = a.on](State& s, EventAction&) { on ? s.lock(joint) : s.unlock(joint); };
  }
  Change operator()(const SetCoordinateAction& a) const {
    return [q = m.coordinate(a.coordinate), u = speed_index(m, a.coordinate), a](State& s, EventAction&) {
      require_unlocked(s, u, a.coordinate);
      s.set_q(q, a.value);
    };
  }
  Change operator()(const SetSpeedAction& a) const {
    return [u = speed_index(m, a.speed), a](State& s, EventAction&) {
      require_unlocked(s, u, a.speed);
      s.set_u(u, a.value);
    };
  }
  Change operator()(const ScaleSpeedAction& a) const {
    return [u = speed_index(m, a.speed), factor = a.factor](State& s, EventAction&) {
      s.set_u(u, factor * s.u()[std::size_t(u)]);
    };
  }
  Change operator()(const SetDiscreteAction& a) const {
    return [d = m.discrete_variable(a.variable), value = a.value, add = a.add](State& s, EventAction&) {
      s.set_discrete(d, add ? s.discrete()[std::size_t(d)] + value : value);
    };
  }
};

struct WhenMaker {
  const Mechanism& m;
  using When = decltype(Event::when);

  When operator()(const WhenSpec& when) const {
    auto made = std::visit(WitnessMaker{m}, when.witness);
    return Trigger{.witness = [value = std::move(made.value), level = when.value](const State& s) { return value(s) - level; },
                   .stage = made.stage,
                   .direction = when.crossing,
                   .reads_work = made.reads_work};
  }
  When operator()(const AtSpec& at) const { return AtTimes{at.times}; }
  When operator()(const EverySpec& every) const { return EveryPeriod{every.period, every.from}; }
  When operator()(const EveryStepSpec&) const { return EveryStep{}; }
};

}  // namespace

namespace {

/// A quantity that no event can watch, and why; empty when there is nothing wrong with it.
std::string objection_to_witness(const Mechanism& mechanism, const std::string& name) {
  const QuantityList list(mechanism);
  const QuantityFacts* const facts = list.find(name);
  if (facts == nullptr) {
    std::vector<std::string> known;
    for (const QuantityFacts& one : list.all()) known.push_back(one.name);
    return fmt::format("there is no quantity \"{}\"{}", name, suggestion(name, known, "there are"));
  }
  if (facts->kind == QuantityKind::trigger)
    return fmt::format("\"{}\" is what an event watches itself; watch the number that it is made of", name);
  return {};
}

}  // namespace

std::vector<Problem> problems_of_witnesses(const Mechanism& mechanism) {
  std::vector<Problem> problems;
  for (const EventSpec& event : mechanism.description().events()) {
    const auto* const when = std::get_if<WhenSpec>(&event.when);
    const auto* const witness = when != nullptr ? std::get_if<QuantityWitness>(&when->witness) : nullptr;
    if (witness == nullptr) continue;
    if (const std::string why = objection_to_witness(mechanism, witness->quantity); !why.empty())
      problems.push_back({fmt::format("event \"{}\": {}", event.name, why), event.source});
  }
  return problems;
}

Trigger trigger_of(const Mechanism& mechanism, int event) {
  return std::get<Trigger>(WhenMaker{mechanism}(std::get<WhenSpec>(mechanism.description().events()[std::size_t(event)].when)));
}

std::vector<Event> events_of(const Mechanism& mechanism) {
  if (auto problems = problems_of_witnesses(mechanism); !problems.empty()) throw ModelError(std::move(problems));
  std::vector<Event> events;
  for (const EventSpec& spec : mechanism.description().events()) {
    std::vector<Change> changes;
    for (const ActionSpec& action : spec.actions) changes.push_back(std::visit(ActionMaker{mechanism}, action.model));
    events.push_back({spec.name, std::visit(WhenMaker{mechanism}, spec.when), [changes = std::move(changes)](State& state) {
                        EventAction action;
                        for (const Change& change : changes) change(state, action);
                        return action;
                      }});
  }
  return events;
}

void validate(const std::vector<Event>& events) {
  const auto refuse = [](const Event& event, const std::string& why) {
    throw std::invalid_argument(fmt::format("event \"{}\": {}", event.name, why));
  };
  const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
  for (const Event& event : events) {
    if (const auto* trigger = std::get_if<Trigger>(&event.when)) {
      if (!trigger->witness) refuse(event, "it has no witness; give it a function of the state");
      if (trigger->window && !positive(*trigger->window))
        refuse(event, fmt::format("window {} s must be a positive number", *trigger->window));
    } else if (const auto* every = std::get_if<EveryPeriod>(&event.when)) {
      if (!positive(every->period)) refuse(event, fmt::format("period {} s must be a positive number", every->period));
      if (!std::isfinite(every->from)) refuse(event, fmt::format("start {} s must be a finite number", every->from));
    } else if (const auto* at = std::get_if<AtTimes>(&event.when)) {
      for (const double t : at->times)
        if (!std::isfinite(t)) refuse(event, fmt::format("time {} s must be a finite number", t));
    }
  }
}

}  // namespace polhode::study
