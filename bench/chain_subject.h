#pragma once
/// The serial chain that every engine is measured on, and what an engine must offer to be measured.
///
/// n links, each hinged to the one before.  Hinge i turns about its local z (i even) or y (i odd); hinge 0 sits at
/// the world's origin, hinge i+1 at (1, 0, 0) of link i.  The state is fixed and dense in neither zeros nor
/// symmetries, so that no engine can profit from a special case.

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

namespace polhode::bench {

namespace chain {
inline constexpr double link_length = 1.0;      // [m]
inline constexpr double link_mass = 1.0;        // [kg]
inline constexpr double centre_of_mass = 0.5;   // along the link's x [m]
inline constexpr double central_inertia = 0.1;  // about the centre of mass, the same for all axes [kg m^2]
inline constexpr double gravity = -9.81;        // along the world's z [m/s^2]

inline double q(int i) { return 0.5 * std::sin(1.0 + i); }              // [rad]
inline double v(int i) { return 0.3 * std::cos(1.0 + 2.0 * i); }        // [rad/s]
inline double torque(int i) { return 0.1 * std::sin(3.0 * i); }         // input of forward dynamics [N m]
inline double acceleration(int i) { return 0.2 * std::sin(2.0 + i); }   // input of inverse dynamics [rad/s^2]
inline bool turns_about_y(int i) { return i % 2 == 1; }                 // else about z
inline double hinge_offset(int i) { return i == 0 ? 0 : link_length; }  // from the hinge before, along its link [m]
}  // namespace chain

enum class Operation { forward_dynamics, inverse_dynamics, mass_matrix };

inline constexpr std::array all_operations{Operation::forward_dynamics, Operation::inverse_dynamics, Operation::mass_matrix};

/// "forward_dynamics", ...: as in benchmark names and in the JSON output.
inline const char* name(Operation operation) {
  switch (operation) {
    case Operation::forward_dynamics: return "forward_dynamics";
    case Operation::inverse_dynamics: return "inverse_dynamics";
    case Operation::mass_matrix: return "mass_matrix";
  }
  return "?";
}

/// The first and the last entry of a result: accelerations, torques, or the diagonal of the mass matrix.
/// They depend on every link, so they show a wrong model or a skipped evaluation, and they cost nothing to fetch.
struct Ends {
  double first;
  double last;
};

/// One engine holding one chain.  Each evaluation is told the first angle q_0, which the caller changes by 1e-12
/// between calls; that invalidates whatever an engine caches by state.  The other angles, the speeds, the torques
/// and the accelerations are those of the chain above and are copied from arrays, as a user's program would.
/// An operation that the engine lacks, or that would take too long at this n, yields nothing and is not measured.
class ChainSubject {
 public:
  virtual ~ChainSubject() = default;

  /// The engine with the version that really runs, e.g. "MuJoCo 2.2.2".
  virtual std::string engine() const = 0;

  virtual std::optional<Ends> forward_dynamics(double q_0) = 0;
  virtual std::optional<Ends> inverse_dynamics(double /*q_0*/) { return std::nullopt; }
  virtual std::optional<Ends> mass_matrix(double /*q_0*/) { return std::nullopt; }
};

inline std::optional<Ends> evaluate(ChainSubject& subject, Operation operation, double q_0) {
  switch (operation) {
    case Operation::forward_dynamics: return subject.forward_dynamics(q_0);
    case Operation::inverse_dynamics: return subject.inverse_dynamics(q_0);
    case Operation::mass_matrix: return subject.mass_matrix(q_0);
  }
  return std::nullopt;
}

// Each peer is a shared library with everything hidden but its factory (see CMakeLists.txt), hence the attribute.
std::unique_ptr<ChainSubject> make_polhode_chain(int n);
[[gnu::visibility("default")]] std::unique_ptr<ChainSubject> make_simbody_chain(int n);
[[gnu::visibility("default")]] std::unique_ptr<ChainSubject> make_mujoco_chain(int n);
[[gnu::visibility("default")]] std::unique_ptr<ChainSubject> make_dart_chain(int n);
[[gnu::visibility("default")]] std::unique_ptr<ChainSubject> make_bullet_chain(int n);

}  // namespace polhode::bench
