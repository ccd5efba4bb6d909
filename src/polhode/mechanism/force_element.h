#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "polhode/mechanism/forces/force_view.h"

namespace polhode {

/// Derivatives of the generalized forces of an element, the wrenches on bodies included (tau = generalized + J^T wrenches).
/// A displacement along speed j is a small motion of the mechanism from q with speed j alone, which for most joints changes
/// one coordinate; for a quaternion joint it turns the body about its axis j.
struct ForceDerivatives {
  int num_u;
  std::span<double> by_displacement, by_speed;  ///< num_u rows of num_u: entry (i, j) is d(tau_i) by d(...)_j

  void add_by_displacement(int i, int j, double value) { by_displacement[std::size_t(i) * num_u + j] += value; }
  void add_by_speed(int i, int j, double value) { by_speed[std::size_t(i) * num_u + j] += value; }
};

/// What a result may depend on, besides the time: configuration alone; motion too; or z, discrete variables and inputs as well.
enum class DependsOn { position, velocity, everything };

/// A result of an element's own, for whoever asks: a State computes it on request and keeps it until something changes that it
/// depends on (tree/applied_forces.h; theory manual 7.1). It is recorded by its name, as all other quantities are.
struct CacheEntry {
  std::string name;  ///< unique among those of the mechanism
  DependsOn depends_on = DependsOn::everything;
  int size = 1;        ///< how many numbers it is; a name with more than one goes on with .1, .2, ...
  std::string unit{};  ///< for columns, such as "m/s"
};

/// A user's potential energy: a function of configuration and the forces that follow from it. Immutable, as the mechanism is.
class Potential {
 public:
  virtual ~Potential() = default;
  virtual double energy(const Configuration&) const = 0;
  /// Adds minus the gradient of energy().
  virtual void add_forces(const Configuration&, AppliedForces&) const = 0;
  /// Adds the derivatives of those forces, minus the second derivatives of energy(), and gives true; or gives false and adds
  /// nothing. tree/check_element.h compares them with differences.
  virtual bool add_derivatives(const Configuration&, ForceDerivatives&) const { return false; }
  /// True when energy() depends on t, so that energy is not kept.
  virtual bool depends_on_time() const { return false; }
  /// What it can tell beyond its force; see ForceElement.
  virtual std::vector<CacheEntry> cache_entries() const { return {}; }
  virtual void compute_entry(int, const Configuration&, std::span<double>) const {}
  /// Memory to keep from call to call, handed back as Configuration::scratch; every stepper makes its own. Null: none.
  virtual std::unique_ptr<ForceScratch> make_scratch() const { return nullptr; }
};

/// A user's force that is not the gradient of a potential: drag, motors, controllers. It may own auxiliary states z, which
/// follow dz/dt = z_rates(), and discrete variables, which change at events only. Both live in the State, with names that
/// are unique in the mechanism; without names they are called z1, z2, ... and d1, d2, ...
class ForceElement {
 public:
  virtual ~ForceElement() = default;
  virtual void add_forces(const Configuration&, AppliedForces&) const = 0;
  /// Adds the derivatives of the forces and gives true; or gives false and adds nothing.
  virtual bool add_derivatives(const Configuration&, ForceDerivatives&) const { return false; }

  virtual std::vector<double> initial_z() const { return {}; }
  virtual std::vector<std::string> z_names() const { return {}; }
  virtual std::vector<double> initial_discrete() const { return {}; }
  virtual std::vector<std::string> discrete_names() const { return {}; }
  /// Writes dz/dt of all its auxiliary states, which are configuration.z.
  virtual void z_rates(const Configuration&, std::span<double> z_dot) const {
    for (double& rate : z_dot) rate = 0;
  }
  /// What it can tell beyond its force: results that are computed when somebody asks. An entry is shown what it says it depends
  /// on, and nothing else: velocities are zero in those of positions.
  virtual std::vector<CacheEntry> cache_entries() const { return {}; }
  /// Writes the numbers of one of them.
  virtual void compute_entry(int, const Configuration&, std::span<double>) const {}
  /// As of a Potential.
  virtual std::unique_ptr<ForceScratch> make_scratch() const { return nullptr; }
};

/// Users' elements are made when the mechanism is built, so that they can look their frames and coordinates up by name:
///   builder.add_potential([](const Mechanism& m) { return std::make_shared<MySpring>(m.frame("tip")); });
using PotentialFactory = std::function<std::shared_ptr<const Potential>(const Mechanism&)>;
using ForceFactory = std::function<std::shared_ptr<const ForceElement>(const Mechanism&)>;

}  // namespace polhode
