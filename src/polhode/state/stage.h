#pragma once
#include <stdexcept>
#include <string>

namespace polhode {

/// How far a State's results are up to date (Simbody theory manual 7.1.3). Each stage needs those before it.
enum class Stage { topology, model, instance, time, position, velocity, dynamics, acceleration, report };

constexpr const char* name(Stage stage) {
  constexpr const char* names[] = {"topology", "model",    "instance",     "time",  "position",
                                   "velocity", "dynamics", "acceleration", "report"};
  return names[int(stage)];
}

/// A result was asked for before it was computed, or after something it depends on was changed.
class StageError : public std::logic_error {
 public:
  StageError(const char* what, Stage needed, Stage current)
      : std::logic_error(std::string(what) + " need stage " + name(needed) + ", but this state is at stage " + name(current) +
                         "; call realize(state, Stage::" + name(needed) + ") first") {}
};

}  // namespace polhode
