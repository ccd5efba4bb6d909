#pragma once
#include <functional>
#include <variant>

#include "tests/oracle/trep_tree.h"

/// The integrator of Johnson & Murphey, section V-A, with a dense Newton iteration on (44)-(46).
namespace polhode::oracle::trep {

/// |p_a - p_b|^2 = length^2 (37).
struct Wire {
  int frame_a, frame_b;
  double length;
};
/// direction . (p_a - p_b) = 0 (IV-D4).
struct PointAlong {
  int frame_a, frame_b;
  Eigen::Vector3d direction;
};
/// pitch q_rotation - q_translation = 0 (39).
struct ScrewPair {
  int rotation, translation;
  double pitch;
};
using Constraint = std::variant<Wire, PointAlong, ScrewPair>;

/// A configuration variable whose value is given (Johnson & Murphey 2008, VIII).
struct Kinematic {
  int variable;
  std::function<double(double t)> signal;
};

/// f_c = input(t) - damping q_dot - stiffness (q - rest), each by configuration variable; empty vectors count as zero.
struct GeneralizedForces {
  std::function<Eigen::VectorXd(double t)> input{};
  Eigen::VectorXd damping{}, stiffness{}, rest{};
};

struct System {
  Tree tree;
  std::vector<Constraint> constraints{};
  GeneralizedForces forces{};
  std::vector<Kinematic> kinematic{};
};

/// What a step hands to the next one.
struct State {
  double t = 0;
  Eigen::VectorXd q, p;
  Eigen::VectorXd lambda;     ///< of the step that led here: impulses, as in (44)
  Eigen::VectorXd kinematic;  ///< impulses on the kinematic variables at the step's start, in their order
  int iterations = 0;         ///< Newton iterations that the step took
};

/// How f_d- and f_d+ share h f_c. (41) is printed with halves; weights 1 - alpha and alpha make a potential's force do what the
/// potential does in the discrete Lagrangian. They agree at alpha = 1/2.
enum class ForceShare { by_alpha, halves };

struct Options {
  double alpha = 0.5;
  Caching caching = Caching::on;
  ForceShare share = ForceShare::by_alpha;
  double tolerance = 1e-13;  ///< of |f|, relative to 1 + |p|; steps also end when q stops changing
  int max_iterations = 60;
};

class Integrator {
 public:
  Integrator(System system, double h, Options options = {});

  /// p_1 = D2 Ld(q0, q1) + fd+(q0, q1), at time t0 + h.
  State start_from_two(const Eigen::VectorXd& q0, const Eigen::VectorXd& q1, double t0 = 0);
  /// p_0 = dL/d(q_dot)(q0, q_dot0): the continuous Legendre transform.
  State start_from_rates(const Eigen::VectorXd& q0, const Eigen::VectorXd& q_dot0, double t0 = 0);

  /// (q_k, p_k) -> (q_{k+1}, p_{k+1}). Throws std::runtime_error when Newton does not converge.
  State step(const State& from);
  /// Any number of steps; the states between are thrown away.
  State run(State from, int steps);

  /// A configuration near q that satisfies the constraints, by Gauss and Newton.
  Eigen::VectorXd assembled(Eigen::VectorXd q);
  Eigen::VectorXd constraint_values(const Eigen::VectorXd& q);
  Eigen::MatrixXd constraint_jacobian(const Eigen::VectorXd& q);
  /// The rates that the constraints allow whose momentum is p but for a part that the constraints' impulses take up.
  Eigen::VectorXd rates(const State& state);
  /// T + V with those rates: gravity and springs.
  double energy(const State& state);

  const System& system() const { return system_; }
  Kinematics& kinematics() { return tree_; }

 private:
  Eigen::VectorXd force(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& q_dot) const;
  Eigen::MatrixXd force_D2(double part) const;
  void write_midpoint(const Eigen::VectorXd& q0, const Eigen::VectorXd& q1);
  Eigen::VectorXd left_momentum(double t, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1);
  Eigen::VectorXd right_momentum(double t, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1);
  Eigen::MatrixXd D2_left_momentum();
  Eigen::VectorXd solve(const Eigen::MatrixXd& Df, const Eigen::VectorXd& f) const;

  System system_;
  double h_;
  Options options_;
  int n_;
  std::vector<int> dynamic_;  // variables that Newton solves for
  Kinematics tree_;
};

/// Seconds of processor time that the steps of run() take: the experiment of Fig. 7.
double seconds_for(const System& system, const Eigen::VectorXd& q0, double h, int steps, Caching caching);

/// The system of Fig. 7: links of length 1 in a plane, each with a mass of 1 kg and inertia at its lower end, about y. The
/// first variable turns all of it.
System link_pendulum(int links, const Mass& mass = {1, 0.1, 0.1, 0.1});

}  // namespace polhode::oracle::trep
