#pragma once
#include <Eigen/Dense>

#include "polhode/mechanism/joint_queries.h"
#include "polhode/tree/applied_forces.h"
#include "polhode/tree/constraints.h"

/// The discrete Lagrangian as Johnson & Murphey (18)-(19) define it, on the joints' own charts, and its derivatives by
/// differences. It knows nothing of how the library solves a step.
namespace polhode::variational {

class DiscreteLagrangian {
 public:
  using Vector = Eigen::VectorXd;
  using Numbers = std::vector<double>;

  /// Which forces count as potentials inside the Lagrangian: gravity always, springs and users' potentials if asked.
  enum class Potentials { all, gravity };

  DiscreteLagrangian(const Mechanism& mechanism, double h, double alpha, Potentials potentials)
      : m_(mechanism), h_(h), alpha_(alpha), potentials_(potentials), w_(mechanism) {}

  /// h L at the point alpha of the way from q0 to q1, with the velocity of going there in a time of h.
  double operator()(const Numbers& q0, const Numbers& q1) {
    Numbers q(q0.size()), u(std::size_t(m_.num_u()));
    midpoint(q0, q1, q, u);
    tree::kinematics(w_, q, u);
    tree::read_bodies(w_);
    double V = 0;
    if (potentials_ == Potentials::all)
      V = tree::potential_energy(w_, 0, q);
    else
      for (int b = 1; b < m_.num_bodies(); ++b) {
        const MassProperties& mass = m_.bodies()[std::size_t(b)].mass;
        V -= mass.mass * dot(m_.gravity(), tree::pose(w_, b) * mass.com);
      }
    return h_ * (tree::kinetic_energy(w_) - V);
  }

  /// D1 and D2, by speed: derivatives along the motions that single speeds cause.
  Vector D1(const Numbers& q0, const Numbers& q1) {
    return gradient([&](int i, double d) { return (*this)(moved(q0, i, d), q1); });
  }
  Vector D2(const Numbers& q0, const Numbers& q1) {
    return gradient([&](int i, double d) { return (*this)(q0, moved(q1, i, d)); });
  }

  /// f_d- and f_d+ of all force elements: h tau at the midpoint, on how the midpoint moves with either end.
  Vector left_force(double t, const Numbers& q0, const Numbers& q1) {
    return discrete_force(t, q0, q1, [&](int i, double d) { return middle(moved(q0, i, d), q1); });
  }
  Vector right_force(double t, const Numbers& q0, const Numbers& q1) {
    return discrete_force(t, q0, q1, [&](int i, double d) { return middle(q0, moved(q1, i, d)); });
  }

 private:
  static constexpr int most = CustomJoint::max_coordinates;

  /// q moved along one speed's chart by d.
  Numbers moved(const Numbers& q, int speed, double d) const {
    Numbers out = q;
    for (const Joint& joint : m_.joints()) {
      if (speed < joint.first_u || speed >= joint.first_u + joint.nu) continue;
      double u[most] = {}, zero[most] = {}, theta[most];
      u[speed - joint.first_u] = d;
      std::visit(
          [&](const auto& model) {
            model.rate_of_chart(q.data() + joint.first_q, zero, u, theta);
            model.retract(q.data() + joint.first_q, theta, out.data() + joint.first_q);
          },
          joint.model);
    }
    return out;
  }
  static bool is_line(const Joint& joint) {
    return std::holds_alternative<LineOrientation>(joint.model) || std::holds_alternative<FreeLine>(joint.model);
  }
  /// The chart coordinates theta with q0 (+) theta = q1, by Gauss and Newton; ends are near each other. A line's orientation is
  /// that of its z axis alone, which goes along a great circle.
  static Vector increment(const Joint& joint, const double* q0, const double* q1) {
    Vector theta = Vector::Zero(joint.nchart);
    const auto place = [&](const double* q) {
      Vector at = Eigen::Map<const Vector>(q, joint.nq);
      if (!is_line(joint)) return at;
      const Vec3<double> z = rotation(Quaternion<double>{q[0], q[1], q[2], q[3]}).col[2];
      at.head(4) << z.x, z.y, z.z, 0;
      return at;
    };
    const auto miss = [&](const Vector& at) {
      Vector q(joint.nq);
      std::visit([&](const auto& model) { model.retract(q0, at.data(), q.data()); }, joint.model);
      return Vector(place(q.data()) - place(q1));
    };
    const double d = 1e-6;
    for (int iteration = 0; iteration < 5; ++iteration) {
      Eigen::MatrixXd J(joint.nq, joint.nchart);
      for (int i = 0; i < joint.nchart; ++i) {
        const Vector e = d * Vector::Unit(joint.nchart, i);
        J.col(i) = (miss(theta + e) - miss(theta - e)) / (2 * d);
      }
      if (is_line(joint)) J.col(2).setZero();
      theta -= J.completeOrthogonalDecomposition().solve(miss(theta));
    }
    return theta;
  }
  /// Of the curve s -> q0 (+) s theta at s = alpha: its place, and its speeds if it takes a time of h.
  void midpoint(const Numbers& q0, const Numbers& q1, Numbers& q, Numbers& u) const {
    for (const Joint& joint : m_.joints()) {
      if (joint.nu == 0) continue;
      const double *a = q0.data() + joint.first_q, *b = q1.data() + joint.first_q;
      const Vector theta = increment(joint, a, b), part = alpha_ * theta;
      Eigen::MatrixXd rates(joint.nchart, joint.nu);  // of the chart, by speed
      std::visit(
          [&](const auto& model) {
            model.retract(a, part.data(), q.data() + joint.first_q);
            for (int i = 0; i < joint.nu; ++i) {
              double unit[most] = {};
              unit[i] = 1;
              Vector rate(joint.nchart);
              model.rate_of_chart(a, part.data(), unit, rate.data());
              rates.col(i) = rate;
            }
          },
          joint.model);
      const Vector speeds = rates.completeOrthogonalDecomposition().solve(theta / h_);
      std::copy(speeds.begin(), speeds.end(), u.begin() + joint.first_u);
    }
  }
  Numbers middle(const Numbers& q0, const Numbers& q1) const {
    Numbers q(q0.size()), u(std::size_t(m_.num_u()));
    midpoint(q0, q1, q, u);
    return q;
  }

  /// Central differences, extrapolated: an error of d^4 times a fifth derivative, and of round-off over d.
  template <class F>
  static auto derivative(const F& f) {
    const double d = 2e-3;
    return (4.0 / 3) * ((f(0.5 * d) - f(-0.5 * d)) * (1 / d)) - (1.0 / 3) * ((f(d) - f(-d)) * (0.5 / d));
  }
  template <class F>
  Vector gradient(const F& f) const {
    Vector out(m_.num_u());
    for (int i = 0; i < m_.num_u(); ++i) out[i] = derivative([&](double d) { return f(i, d); });
    return out;
  }
  template <class Middle>
  Vector discrete_force(double t, const Numbers& q0, const Numbers& q1, const Middle& middle_at) {
    Numbers q(q0.size()), u(std::size_t(m_.num_u())), tau(u.size());
    midpoint(q0, q1, q, u);
    tree::kinematics(w_, q, u);
    tree::add_all_forces(w_, {t + alpha_ * h_}, q, u, tau);
    Vector out(m_.num_u());
    for (int i = 0; i < m_.num_u(); ++i) {
      double sum = 0;
      for (int j = 0; j < m_.num_u(); ++j)
        sum += tau[std::size_t(j)] * derivative([&](double d) { return displacement(q, middle_at(i, d), j); });
      out[i] = h_ * sum;
    }
    return out;
  }
  /// From q to another configuration, along one speed, to first order.
  double displacement(const Numbers& q, const Numbers& to, int speed) const {
    for (const Joint& joint : m_.joints()) {
      if (speed < joint.first_u || speed >= joint.first_u + joint.nu) continue;
      double zero[most] = {};
      Eigen::MatrixXd rates(joint.nchart, joint.nu);
      for (int i = 0; i < joint.nu; ++i) {
        double unit[most] = {};
        unit[i] = 1;
        Vector rate(joint.nchart);
        std::visit([&](const auto& model) { model.rate_of_chart(q.data() + joint.first_q, zero, unit, rate.data()); },
                   joint.model);
        rates.col(i) = rate;
      }
      const Vector theta = increment(joint, q.data() + joint.first_q, to.data() + joint.first_q);
      return rates.completeOrthogonalDecomposition().solve(theta)[speed - joint.first_u];
    }
    return 0;
  }

  Mechanism m_;
  double h_, alpha_;
  Potentials potentials_;
  tree::Workspace w_;
};

}  // namespace polhode::variational
