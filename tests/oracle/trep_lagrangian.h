#pragma once
#include "tests/oracle/trep_tree.h"

/// The Lagrangian (11) with uniform gravity (30)-(32), and its derivatives (23)-(27), at the configuration last written.
namespace polhode::oracle::trep {

double lagrangian(Kinematics& tree);
Eigen::VectorXd L_q(Kinematics& tree);   ///< (23)
Eigen::MatrixXd L_qq(Kinematics& tree);  ///< (24)
Eigen::VectorXd L_v(Kinematics& tree);   ///< (25)
Eigen::MatrixXd L_qv(Kinematics& tree);  ///< (26): entry (i, j) is by q_i and the rate of q_j
Eigen::MatrixXd L_vv(Kinematics& tree);  ///< (27)

/// Kinetic and potential energy: 2 T - L.
double energy(Kinematics& tree);

}  // namespace polhode::oracle::trep
