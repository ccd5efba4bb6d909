#pragma once
#include <string>
#include <variant>
#include <vector>

#include "polhode/mechanism/problem.h"

/// Events as a model has them: when something happens, and what is then done. They are data; a study turns them into functions
/// (study/events.h) and runs them.
namespace polhode {

// What an event watches: a number that follows from the state.

struct CoordinateWitness {
  std::string coordinate;
};
/// A speed by its own name, or that of the coordinate whose rate it is.
struct SpeedWitness {
  std::string speed;
};
/// One component of a frame's origin in Ground [m].
struct PositionWitness {
  std::string frame;
  int axis = 0;  ///< 0, 1, 2 for x, y, z
};
/// Between two frames' origins [m].
struct DistanceWitness {
  std::string frame_a, frame_b;
};
struct TimeWitness {};
/// Kinetic plus potential [J].
struct EnergyWitness {};
struct DiscreteWitness {
  std::string variable;
};
/// Any quantity that a run can record, by the name of its column (study/quantity.h), such as the force in a joint.
struct QuantityWitness {
  std::string quantity;
};
using WitnessSpec = std::variant<CoordinateWitness, SpeedWitness, PositionWitness, DistanceWitness, TimeWitness, EnergyWitness,
                                 DiscreteWitness, QuantityWitness>;

/// Which crossings of its value a witness is watched for.
enum class Crossing { rises, falls, crosses };

constexpr const char* name(Crossing crossing) {
  constexpr const char* names[] = {"rises", "falls", "crosses"};
  return names[int(crossing)];
}

// When.

struct WhenSpec {
  WitnessSpec witness;
  Crossing crossing = Crossing::crosses;
  double value = 0;
};
struct AtSpec {
  std::vector<double> times;  ///< [s]
};
/// At from, from + period, from + 2 period, ...
struct EverySpec {
  double period = 1, from = 0;  ///< [s]
};
/// At the end of every step that the method takes, wherever that is.
struct EveryStepSpec {};

// What is done.

struct StopAction {};
/// Enables or disables a constraint, or a joint that closes a loop.
struct EnableAction {
  std::string constraint;
  bool on = true;
};
struct LockAction {
  std::string joint;
  bool on = true;
};
struct SetCoordinateAction {
  std::string coordinate;
  double value = 0;
};
struct SetSpeedAction {
  std::string speed;
  double value = 0;
};
struct ScaleSpeedAction {
  std::string speed;
  double factor = 1;
};
/// d = value, or d += value.
struct SetDiscreteAction {
  std::string variable;
  double value = 0;
  bool add = false;
};
struct SayAction {
  std::string text;
};
struct ActionSpec {
  std::variant<StopAction, EnableAction, LockAction, SetCoordinateAction, SetSpeedAction, ScaleSpeedAction, SetDiscreteAction,
               SayAction>
      model;
  Source source{};
};

struct EventSpec {
  std::string name;
  std::variant<WhenSpec, AtSpec, EverySpec, EveryStepSpec> when;
  std::vector<ActionSpec> actions{};  ///< in this order; none: the event is only counted
  Source source{};
};

}  // namespace polhode
