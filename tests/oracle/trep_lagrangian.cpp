#include "tests/oracle/trep_lagrangian.h"

namespace polhode::oracle::trep {
namespace {

using Twist = Eigen::Matrix<double, 6, 1>;

struct Energies {
  double kinetic = 0, potential = 0;
};

Twist inertia(const Mass& mass) {
  Twist diagonal;
  diagonal << mass.m, mass.m, mass.m, mass.Ixx, mass.Iyy, mass.Izz;
  return diagonal;
}

/// a^T M b with the diagonal inertia matrix of frame k.
double product(const Tree& tree, int k, const Eigen::Matrix4d& a, const Eigen::Matrix4d& b) {
  return unhat(a).dot(inertia(tree.frames[k].mass).cwiseProduct(unhat(b)));
}

/// Calls f with every frame that carries a mass.
template <class F>
void for_masses(const Tree& tree, F f) {
  for (int k = 0; k < int(tree.frames.size()); ++k) {
    const Mass& mass = tree.frames[k].mass;
    if (!inertia(mass).isZero(0)) f(k, mass.m);
  }
}

Energies energies(Kinematics& t) {
  Energies sum;
  for_masses(t.tree(), [&](int k, double m) {
    sum.kinetic += 0.5 * product(t.tree(), k, t.v(k), t.v(k));
    sum.potential -= m * t.tree().gravity.dot(t.p(k));
  });
  return sum;
}

}  // namespace

double lagrangian(Kinematics& tree) {
  const Energies e = energies(tree);
  return e.kinetic - e.potential;
}

double energy(Kinematics& tree) {
  const Energies e = energies(tree);
  return e.kinetic + e.potential;
}

Eigen::VectorXd L_q(Kinematics& t) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(t.num_q());
  for_masses(t.tree(), [&](int k, double m) {
    for (int i = 0; i < t.num_q(); ++i) {
      if (!t.moves(i, k)) continue;
      out[i] += product(t.tree(), k, t.v(k), t.v_q(k, i)) + m * t.tree().gravity.dot(t.p_q(k, i));
    }
  });
  return out;
}

Eigen::MatrixXd L_qq(Kinematics& t) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(t.num_q(), t.num_q());
  for_masses(t.tree(), [&](int k, double m) {
    for (int i = 0; i < t.num_q(); ++i) {
      if (!t.moves(i, k)) continue;
      for (int j = 0; j <= i; ++j) {
        if (!t.moves(j, k)) continue;
        out(i, j) += product(t.tree(), k, t.v_q(k, j), t.v_q(k, i)) + product(t.tree(), k, t.v(k), t.v_qq(k, i, j)) +
                     m * t.tree().gravity.dot(t.p_qq(k, i, j));
      }
    }
  });
  out.triangularView<Eigen::StrictlyUpper>() = out.transpose();
  return out;
}

Eigen::VectorXd L_v(Kinematics& t) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(t.num_q());
  for_masses(t.tree(), [&](int k, double) {
    for (int i = 0; i < t.num_q(); ++i)
      if (t.moves(i, k)) out[i] += product(t.tree(), k, t.v(k), t.v_v(k, i));
  });
  return out;
}

Eigen::MatrixXd L_qv(Kinematics& t) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(t.num_q(), t.num_q());
  for_masses(t.tree(), [&](int k, double) {
    for (int i = 0; i < t.num_q(); ++i) {
      if (!t.moves(i, k)) continue;
      for (int j = 0; j < t.num_q(); ++j) {
        if (!t.moves(j, k)) continue;
        out(i, j) += product(t.tree(), k, t.v_v(k, j), t.v_q(k, i)) + product(t.tree(), k, t.v(k), t.v_qv(k, i, j));
      }
    }
  });
  return out;
}

Eigen::MatrixXd L_vv(Kinematics& t) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(t.num_q(), t.num_q());
  for_masses(t.tree(), [&](int k, double) {
    for (int i = 0; i < t.num_q(); ++i) {
      if (!t.moves(i, k)) continue;
      for (int j = 0; j <= i; ++j)
        if (t.moves(j, k)) out(i, j) += product(t.tree(), k, t.v_v(k, j), t.v_v(k, i));
    }
  });
  out.triangularView<Eigen::StrictlyUpper>() = out.transpose();
  return out;
}

}  // namespace polhode::oracle::trep
