#pragma once
#include <span>
#include <vector>

#include "polhode/maximal/constraints.h"
#include "polhode/maximal/saddle_matrix.h"
#include "polhode/variational/maximal/body_inertias.h"
#include "polhode/variational/maximal/step_forces.h"

namespace polhode::variational {

/// The discrete equations of one step in maximal coordinates (Bruedigam & Manchester, section 3), with their derivatives.
///
/// At one end, "here", are the bodies' poses x_k; unknown are the velocities (w, v) of the step and the constraints' impulses:
///   momentum at the start of the step (w, v) = p_k + s h F(x_k, (w, v)) + G(x_k)^T lambda,     h(x_k+1) = 0
/// with (26), (27), (32), (33) of Bruedigam & Manchester, or with the exponential turn instead of its chord (discrete_body.h);
/// rows that hold velocities hold those of the step, at its middle. The unknowns of Newton's iteration are the bodies'
/// displacements at the far end over h, so that its matrix is [D G(x_k)^T; G(x_k+1) 0] (maximal/saddle_matrix.h).
class StepEquations {
 public:
  /// step: the size for which springs are told to be soft or stiff [s].
  /// lockable: as for maximal::Constraints.
  StepEquations(const Mechanism& mechanism, TurnRule rule, double step, std::span<const char> lockable = {});

  const maximal::Constraints& constraints() const { return constraints_; }
  maximal::Constraints& constraints() { return constraints_; }  ///< evaluating them writes to their memory
  StepForces& forces() { return forces_; }
  const StepForces& forces() const { return forces_; }
  std::span<const BodyInertia> inertias() const { return inertias_; }
  /// What the matrix of Newton's iteration has to know of the bodies.
  maximal::SaddleBodies saddle_bodies() const;

  /// By constraint element, as State::enabled(). Before start().
  void set_active(std::span<const char> enabled);
  void set_driven(const State& state);
  void start(double t, const maximal::Bodies& here, std::span<const double> near);
  /// The far end of the last evaluation becomes "here".
  void accept(double t, const maximal::Bodies& next, std::span<const double> near);
  /// The next step starts with other forces from outside. Loads that velocities or places within it change are found there.
  void change(const Outside& outside) {
    forces_.forces().set(outside);
    forces_.evaluate_loads(here_, here_.bodies);
  }

  /// Of the last evaluation: the largest errors of constraints [m], [rad] and of equations of motion, as displacements.
  struct Errors {
    double constraints = 0, motion = 0;
    double reach = 0;  ///< how far bodies are from the origin [m]
    double largest;    ///< of the first two; not a number once anything is not
  };
  /// Fills the far end from the velocities there, and all residuals.
  Errors evaluate(const StepSize& size, std::span<const double> momenta, maximal::Bodies& next, std::span<const double> lambda);
  /// By row.
  std::span<const double> errors() const { return errors_; }
  /// What is left of a body's equation of motion, as a displacement over the time of a step.
  double motion_error_of(int body) const { return displacement_of(inertias_[std::size_t(body)], of_body(residual_, body)); }
  /// Of the last evaluation: G(x_k), G(x_k+1).
  std::span<const double> jacobian_here() const { return values_here_; }
  std::span<const double> jacobian_next() const { return values_next_; }

  /// The matrix where the last evaluation was, but for compliances, and its right-hand side x.
  void fill(maximal::SaddleMatrix& matrix, const StepSize& size, const maximal::Bodies& next);
  void right_hand_side(const maximal::SaddleMatrix& matrix, double h, std::span<double> x) const;
  /// Turns the displacements that the matrix gives into changes of velocities.
  void turn_correction(std::span<double> x) const;
  /// The same for velocities here with given momenta: M V = momentum + G^T mu, G V = -h_t.
  void fill_for_velocities(maximal::SaddleMatrix& matrix) const;
  void right_hand_side_for_velocities(const maximal::SaddleMatrix& matrix, std::span<const double> momentum,
                                      std::span<double> x);

  /// The bodies' momenta at the end of the step last evaluated, in their axes there: the impulses they got.
  void put_momenta_at_end(std::span<double> momenta) const;
  /// Adds the rest of the forces' impulse, with the velocities of the step that led here.
  void kick(const StepSize& size, std::span<double> momenta);

 private:
  static const double* of_body(const std::vector<double>& numbers, int body) {
    return numbers.data() + std::size_t(body) * maximal::row_width;
  }
  void find_velocity_rows();
  void add_impulses(const StepSize& size, std::span<const double> momenta, std::span<const double> lambda);
  void evaluate_velocity_rows(double h, const maximal::Bodies& next);
  void put_rows(const maximal::SaddleMatrix& matrix, double scale, std::span<double> x) const;

  /// Rows on velocities are taken at the middle of the step.
  struct AtMiddle {
    maximal::Bodies bodies;
    std::vector<double> values, errors, rates, products;
  };
  Mechanism mechanism_;
  maximal::Constraints constraints_;
  StepForces forces_;
  std::vector<BodyInertia> inertias_;  // by body
  TurnRule rule_;
  bool has_velocity_rows_ = false;
  StepNode here_;
  std::vector<double> values_here_, values_next_, errors_;
  AtMiddle middle_;
  std::vector<Turn> turns_;       // by body: over the step, of the last evaluation
  std::vector<double> impulses_;  // by body: momenta here after all impulses, of the last evaluation
  std::vector<double> residual_;  // by body
};

}  // namespace polhode::variational
