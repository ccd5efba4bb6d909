#pragma once
#include <Eigen/Core>
#include <vector>

#include "polhode/tree/assembler.h"

/// The forces on a mechanism at rest and their derivatives, in the directions that constraints leave free.
namespace polhode::study {

/// At one configuration.
struct StaticPoint {
  std::vector<double> q;
  Eigen::VectorXd f;         ///< generalized forces of everything but constraints, by speed
  Eigen::VectorXd lambda;    ///< by row: least squares of G^T lambda = f in the speeds that may move
  Eigen::MatrixXd Z;         ///< num_u x freedoms, orthonormal: motions that constraints allow
  Eigen::VectorXd gradient;  ///< -Z^T f
  Eigen::VectorXd left;      ///< f - G^T lambda by speed, in those that may move: what nothing balances
  double residual() const { return left.size() == 0 ? 0 : left.lpNorm<Eigen::Infinity>(); }
};

class Statics {
 public:
  Statics(const State& state, const std::vector<char>& locked);

  /// Whether energy() knows of all forces.
  bool has_potential() const { return has_potential_; }
  StaticPoint at(const std::vector<double>& q);
  double energy(const std::vector<double>& q);
  /// Z^T d(G^T lambda - f) Z with lambda fixed: at an equilibrium the second derivatives of the energy on the constraints.
  Eigen::MatrixXd stiffness(const StaticPoint& p);
  Eigen::MatrixXd reduced_mass(const StaticPoint& p);
  /// f - G^T lambda by speed, held ones too.
  std::vector<double> unbalanced(const StaticPoint& p);
  /// Moves along the charts, then back to the constraints; false when there is no way back.
  bool move(const StaticPoint& p, const Eigen::VectorXd& z, std::vector<double>& q);
  /// To another configuration on the constraints, up to `size` times a motion of order one away; the same for the same turn.
  bool scatter(const std::vector<double>& from, double size, int turn, std::vector<double>& q);

  double constraint_error(const std::vector<double>& q) { return assembler_.largest_error(q); }
  const Mechanism& mechanism() const { return m_; }
  const std::vector<char>& held() const { return held_; }
  double extent() const { return extent_; }

 private:
  /// f, and G^T lambda subtracted where rows are given.
  Eigen::VectorXd forces(const std::vector<double>& q, const Eigen::VectorXd* lambda);
  void fill_G(const std::vector<double>& q);

  const Mechanism m_;
  State state_;
  std::vector<char> held_;
  tree::Assembler assembler_;
  tree::Workspace w_;
  const tree::Constraints& constraints_;
  std::vector<double> no_speeds_, tau_, bias_, values_;
  Eigen::MatrixXd G_;  // held columns zero
  bool has_potential_;
  double extent_;
};

}  // namespace polhode::study
