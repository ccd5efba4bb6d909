#include "polhode/format/language/event_writer.h"

#include <fmt/format.h>

namespace polhode::format {
namespace {

struct EventText {
  const WordWriter& w;

  // Witnesses.
  std::string operator()(const CoordinateWitness& x) const { return w.name(x.coordinate); }
  std::string operator()(const SpeedWitness& x) const { return fmt::format("(speed {})", w.name(x.speed)); }
  std::string operator()(const PositionWitness& x) const {
    return fmt::format("(position {} {})", w.name(x.frame), "xyz"[x.axis]);
  }
  std::string operator()(const DistanceWitness& x) const {
    return fmt::format("(distance {} {})", w.name(x.frame_a), w.name(x.frame_b));
  }
  std::string operator()(const TimeWitness&) const { return "(time)"; }
  std::string operator()(const EnergyWitness&) const { return "(energy)"; }
  std::string operator()(const DiscreteWitness& x) const { return fmt::format("(discrete {})", w.name(x.variable)); }

  std::string operator()(const QuantityWitness& x) const { return fmt::format("(quantity {})", w.name(x.quantity)); }

  // When.
  std::string operator()(const WhenSpec& when) const {
    return fmt::format("(when {} {} {})", std::visit(*this, when.witness), polhode::name(when.crossing), w.number(when.value));
  }
  std::string operator()(const AtSpec& at) const {
    std::string text = "(at";
    for (const double t : at.times) text += " " + w.number(t);
    return text + ")";
  }
  std::string operator()(const EverySpec& every) const {
    const std::string from = every.from == 0 ? "" : " " + w.number(every.from);
    return fmt::format("(every {}{})", w.number(every.period), from);
  }
  std::string operator()(const EveryStepSpec&) const { return "(every-step)"; }

  // Actions.
  std::string operator()(const StopAction&) const { return "(stop)"; }
  std::string operator()(const EnableAction& a) const {
    return fmt::format("({} {})", a.on ? "enable" : "disable", w.name(a.constraint));
  }
  std::string operator()(const LockAction& a) const {
    return fmt::format("({} {})", a.on ? "lock" : "unlock", w.name(a.joint));
  }
  std::string operator()(const SetCoordinateAction& a) const {
    return fmt::format("(set {} {})", w.name(a.coordinate), w.number(a.value));
  }
  std::string operator()(const SetSpeedAction& a) const {
    return fmt::format("(set-speed {} {})", w.name(a.speed), w.number(a.value));
  }
  std::string operator()(const ScaleSpeedAction& a) const {
    return fmt::format("(scale-speed {} {})", w.name(a.speed), w.number(a.factor));
  }
  std::string operator()(const SetDiscreteAction& a) const {
    return fmt::format("({}-discrete {} {})", a.add ? "add" : "set", w.name(a.variable), w.number(a.value));
  }
  std::string operator()(const SayAction& a) const { return fmt::format("(say {})", w.text(a.text)); }
};

}  // namespace

std::string event_text(const EventSpec& event, const WordWriter& words) {
  const EventText text{words};
  std::string out = fmt::format("(event {} {}", words.name(event.name), std::visit(text, event.when));
  for (const ActionSpec& action : event.actions) out += " " + std::visit(text, action.model);
  return out + ")";
}

}  // namespace polhode::format
