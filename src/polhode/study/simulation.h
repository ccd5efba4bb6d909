#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/study/simulate.h"

namespace polhode::study {

/// A mechanism on its way through time: say where it starts, let it go on, read where it is. For programs that do something
/// between the steps; simulate() does whole runs.
///
/// What is set waits for the next step or for the next value that is read. Then the state is brought onto its constraints as
/// every run is (assemble_start): what was set, and what the model gives, stays where the constraints allow it. The model's own
/// events happen during steps. Whatever goes wrong is an exception that says what, when and where.
class Simulation {
 public:
  /// From the model's own start. Throws std::invalid_argument that names a bad option and what is allowed, ModelError when the
  /// method cannot do what the mechanism needs. Of the options, those about reports are refused: here they are asked for.
  explicit Simulation(const Mechanism& mechanism, const SimulateOptions& options = {});
  /// From a given state.
  explicit Simulation(const State& start, const SimulateOptions& options = {});
  Simulation(Simulation&&) noexcept;             ///< leaves nothing that can be used
  Simulation& operator=(Simulation&&) noexcept;  ///< leaves nothing that can be used
  ~Simulation();

  /// By name; one that is not there is an error that suggests the nearest. Setting a coordinate or a speed starts the method
  /// anew from here.
  void set_coordinate(std::string_view name, double value);
  /// The same of a speed, `shoulder'` for the rate of `shoulder`.
  void set_speed(std::string_view name, double value);
  /// A force along a speed, on top of the mechanism's own [N], [N m]. It acts until it is set again, from the next step on; the
  /// method goes on as it is.
  void set_applied_force(std::string_view speed, double value);
  /// The same of an input of the model. Beyond its limits counts as the limit.
  void set_input(std::string_view name, double value);

  /// One step of the method. Throws std::runtime_error when it fails: when, which joint, what to try. The state is then the
  /// last good one. False when an event of the model asks to stop; stopped_by() says which. The next call goes on from there.
  bool step();
  /// Steps up to this time, at which the last one ends [s]. Throws and returns as step() does.
  bool advance_to(double t);

  double coordinate(std::string_view name);   ///< [m], [rad]
  double speed(std::string_view name);        ///< [m/s], [rad/s]
  double input(std::string_view name) const;  ///< as it was set last
  double time();                              ///< [s]
  double energy();                            ///< kinetic plus potential [J]
  /// Any number that a run can record, by the name of its column, such as pin.force.z (study/quantity_list.h); work excepted,
  /// which only whole runs sum up.
  double quantity(std::string_view name);
  double constraint_error();  ///< largest, of the equations between positions [m], [rad]
  /// Everything else, at stage velocity: poses, momentum, ...
  const State& state();

  /// What a user should be told of the last assembly, as study::warnings() has it. Mostly empty.
  const std::vector<std::string>& warnings();
  const std::string& stopped_by() const;  ///< the event that ended the last call, and why; empty when none did

  std::string_view method() const;  ///< its name
  /// Every option as it is in force, by name.
  ResolvedOptions options() const;
  const StepStatistics& statistics() const;  ///< steps, iterations, ... so far

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace polhode::study
