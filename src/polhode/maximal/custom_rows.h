#pragma once
#include <vector>

#include "polhode/maximal/coordinate_rows.h"

namespace polhode::maximal {

/// The rows of a user's constraint on poses of bodies and on coordinates. It keeps the memory that it works in, so it belongs
/// to one thread.
class CustomRows {
 public:
  /// A speed that the user named: of which of the joints, and which of its speeds.
  struct NamedSpeed {
    int joint, k;
  };

  CustomRows(const Mechanism& mechanism, const CustomConstraint& model, int first_row, std::vector<Place> bodies,
             std::vector<JointSite> joints, std::vector<NamedSpeed> speeds);

  int first_row() const { return first_row_; }
  void evaluate(double t, Poses X_WC, std::span<const double> near, double* h, double* values);
  void rates(double t, Poses X_WC, std::span<const double> near, double* h_t);
  void bias(double t, Poses X_WC, Velocities V_WC, std::span<const double> near, double* b);

 private:
  ConstraintConfiguration show(double t, Poses X_WC, std::span<const double> near);
  void find_gradient(const ConstraintConfiguration& at, int row);
  void differences(double t, std::span<double> b);
  double product(const ConstraintConfiguration& at, int row, std::span<const Motion<double>> V_WB);

  Mechanism mechanism_;
  const CustomConstraint* model_;
  int first_row_, num_rows_;
  std::vector<int> place_of_row_;  ///< rows at velocity level come last, in the user's order
  std::vector<bool> holds_position_;
  std::vector<Place> bodies_;
  std::vector<JointSite> joints_;
  std::vector<NamedSpeed> speeds_;

  // Work.
  std::vector<JointSite::Reading> readings_;  ///< by joint
  std::vector<double> q_, u_, u_dot_, q_dot_, moved_q_, numbers_, row_rates_;
  std::vector<Transform<double>> X_WB_, moved_X_WB_;
  std::vector<Motion<double>> V_WB_, A_WB_, moved_V_WB_;
  std::vector<Wrench<double>> on_body_;
  std::vector<double> on_speed_;
};

}  // namespace polhode::maximal
