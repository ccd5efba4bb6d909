#include <algorithm>

#include "polhode/tree/derivatives_data.h"

namespace polhode::tree {
namespace {

/// A potential of one length or coordinate, and its first two derivatives.
struct OfLength {
  double energy, slope, curvature;
};

/// A point fixed on a body, in its own frame B.
struct BodyPoint {
  int body;
  Vec3<double> p_B;
};

class Potentials {
 public:
  Potentials(Derivatives::Data& d, LagrangianDerivatives& out) : d_(d), out_(out), n_(d.mechanism.num_chart()) {}

  void subtract(const CoordinateSpring& spring) {
    const double stretch = d_.q[spring.q] - spring.rest;
    subtract_of_coordinate(spring.u, {0.5 * spring.stiffness * square(stretch), spring.stiffness * stretch, spring.stiffness});
  }
  void subtract(const NonlinearCoordinateSpring& spring) {
    const double stretch = d_.q[spring.q] - spring.rest;
    subtract_of_coordinate(spring.u, {spring.law.energy(stretch), spring.law.force(stretch), spring.law.stiffness(stretch)});
  }
  void subtract(const PointSpring& spring) {
    const BodyPoint a = of_frame(spring.frame_a), b = of_frame(spring.frame_b);
    const double stretch = norm(place(b) - place(a)) - spring.rest;
    subtract_of_length(a, b, {0.5 * spring.stiffness * square(stretch), spring.stiffness * stretch, spring.stiffness});
  }
  void subtract(const NonlinearSpring& spring) {
    const BodyPoint a = of_frame(spring.frame_a), b = of_frame(spring.frame_b);
    const double stretch = norm(place(b) - place(a)) - spring.rest;
    subtract_of_length(a, b, {spring.law.energy(stretch), spring.law.force(stretch), spring.law.stiffness(stretch)});
  }
  /// -G m m' / r of every two bodies.
  void subtract(const MutualAttraction& attraction) {
    for (std::size_t i = 0; i < attraction.bodies.size(); ++i)
      for (std::size_t k = i + 1; k < attraction.bodies.size(); ++k) {
        const BodyPoint a = center(attraction.bodies[i]), b = center(attraction.bodies[k]);
        const double r = norm(place(b) - place(a));
        const double strength = attraction.constant * attraction.masses[i] * attraction.masses[k];
        subtract_of_length(a, b, {-strength / r, strength / (r * r), -2 * strength / (r * r * r)});
      }
  }
  /// A constant force at a body's centre of mass: L has force . p.
  void subtract(const GravityLift& lift) {
    const BodyPoint at = center(lift.body);
    out_.L += dot(lift.force, place(at));
    for (int b = at.body; b > 0; b = d_.bodies[b].parent) {
      const BodyTerms& body = d_.bodies[b];
      for (int i = 0; i < body.j.nchart; ++i)
        out_.L_q[body.first_chart + i] += dot(lift.force, point_slope(body, i, place(at)));
    }
    subtract_second(at, -lift.force);
  }

 private:
  double& qq(int i, int j) { return out_.L_qq[std::size_t(i) * n_ + j]; }

  BodyPoint of_frame(int frame) const { return {d_.mechanism.frames()[frame].body, d_.mechanism.frames()[frame].X_BF.p}; }
  BodyPoint center(int body) const { return {body, d_.mechanism.bodies()[body].mass.com}; }
  Vec3<double> place(const BodyPoint& point) const {
    return d_.bodies[point.body].X_WM * (d_.mechanism.joints()[point.body].X_MB * point.p_B);
  }
  const BodyTerms& body_of_speed(int u) const {
    const auto after = std::upper_bound(d_.bodies.begin() + 1, d_.bodies.end(), u,
                                        [](int speed, const BodyTerms& body) { return speed < body.first_u; });
    return *(after - 1);  // bodies on welds have the first_u of the next one, and come before it
  }

  /// V(q) of one coordinate. Its rate is its speed and its chart adds, so that d2q = 0.
  void subtract_of_coordinate(int u, const OfLength& V) {
    out_.L -= V.energy;
    const BodyTerms& body = body_of_speed(u);
    const auto& q_theta = body.j.u_q[u - body.first_u];
    for (int i = 0; i < body.j.nchart; ++i) {
      out_.L_q[body.first_chart + i] -= V.slope * q_theta[i];
      for (int j = 0; j < body.j.nchart; ++j)
        qq(body.first_chart + i, body.first_chart + j) -= V.curvature * q_theta[i] * q_theta[j];
    }
  }

  /// V(l) of the length l between two points. Without a length there is no direction, and the force counts as zero.
  void subtract_of_length(const BodyPoint& a, const BodyPoint& b, const OfLength& V) {
    const Vec3<double> difference = place(b) - place(a);
    const double length = norm(difference);
    out_.L -= V.energy;
    if (length == 0) return;
    const Vec3<double> n = (1 / length) * difference;
    add_slopes(b, 1);
    add_slopes(a, -1);
    for (const int i : d_.moved) {
      const Vec3<double>& d_i = d_.difference_q[i];
      const double l_i = dot(n, d_i);
      out_.L_q[i] -= V.slope * l_i;
      for (const int j : d_.moved) {
        const double l_j = dot(n, d_.difference_q[j]);
        qq(i, j) -= V.curvature * l_i * l_j + V.slope / length * (dot(d_i, d_.difference_q[j]) - l_i * l_j);
      }
    }
    for (const int i : d_.moved) d_.is_moved[i] = false, d_.difference_q[i] = {};
    d_.moved.clear();
    subtract_second(b, V.slope * n);
    subtract_second(a, -V.slope * n);
  }

  void add_slopes(const BodyPoint& point, double sign) {
    const Vec3<double> p = place(point);
    for (int b = point.body; b > 0; b = d_.bodies[b].parent) {
      const BodyTerms& body = d_.bodies[b];
      for (int i = 0; i < body.j.nchart; ++i) {
        const int chart = body.first_chart + i;
        if (!d_.is_moved[chart]) d_.moved.push_back(chart);
        d_.is_moved[chart] = true;
        d_.difference_q[chart] += sign * point_slope(body, i, p);
      }
    }
  }

  /// Subtracts force . d2p. By a coordinate i inboard of j, d2p = w_i x dp_j; of one joint, w_j x dp_i and A_q's own motion.
  void subtract_second(const BodyPoint& point, const Vec3<double>& force) {
    const Vec3<double> p = place(point);
    for (int b = point.body; b > 0; b = d_.bodies[b].parent) {
      const BodyTerms& body = d_.bodies[b];
      for (int j = 0; j < body.j.nchart; ++j) {
        const Vec3<double> moment = cross(point_slope(body, j, p), force);
        const int col = body.first_chart + j;
        for (int i = 0; i < body.j.nchart; ++i)
          qq(body.first_chart + i, col) -=
              dot(body.j.A[i].angular, moment) + dot(force, shifted(body.j.A_q[j][i], p - body.X_WM.p).linear);
        for (int a = body.parent; a > 0; a = d_.bodies[a].parent) {
          const BodyTerms& inboard = d_.bodies[a];
          for (int i = 0; i < inboard.j.nchart; ++i) {
            const double term = dot(inboard.j.A[i].angular, moment);
            qq(inboard.first_chart + i, col) -= term;
            qq(col, inboard.first_chart + i) -= term;
          }
        }
      }
    }
  }

  Derivatives::Data& d_;
  LagrangianDerivatives& out_;
  int n_;
};

/// Users' potentials at some configuration: the energy, and minus the slopes by the chart around that configuration.
double users_potentials(Derivatives::Data& d, double t, std::span<const double> q, std::span<const BodyTerms> bodies,
                        std::span<double> minus_slopes) {
  const Mechanism& m = d.mechanism;
  for (int b = 0; b < m.num_bodies(); ++b) d.X_WB[b] = bodies[b].X_WM * m.joints()[b].X_MB;
  std::fill(d.wrenches.begin(), d.wrenches.end(), Wrench<double>{});
  std::fill(d.generalized.begin(), d.generalized.end(), 0.0);
  const Configuration configuration{m, t, q, d.no_speeds, d.X_WB, d.at_rest};
  AppliedForces forces{d.generalized, d.wrenches, d.X_WB};
  double energy = 0;
  for (const auto& potential : m.forces().potentials) {
    energy += potential->energy(configuration);
    potential->add_forces(configuration, forces);
  }
  for (int b = m.num_bodies() - 1; b > 0; --b) {
    const BodyTerms& body = bodies[b];
    const Wrench<double> at_M = shifted_back(d.wrenches[b], d.X_WB[b].p - body.X_WM.p);
    for (int i = 0; i < body.j.nchart; ++i) {
      double& slope = minus_slopes[body.first_chart + i];
      slope = dot(at_M, body.j.A[i]);
      for (int k = 0; k < body.j.nu; ++k) slope += d.generalized[body.first_u + k] * body.j.u_q[k][i];
    }
    // To the parent's own frame B, where its wrench is.
    if (body.parent > 0) d.wrenches[body.parent] += shifted_back(at_M, body.X_WM.p - d.X_WB[body.parent].p);
  }
  return energy;
}

/// The slopes at q (+) theta with theta_i alone not zero.
void slopes_beside(Derivatives::Data& d, double t, const Joint& joint, int i, double by, std::span<double> minus_slopes) {
  std::copy(d.q.begin(), d.q.end(), d.q_displaced.begin());
  double theta[JointDerivatives::most]{};
  theta[i] = by;
  std::visit([&](const auto& model) { model.retract(d.q.data() + joint.first_q, theta, d.q_displaced.data() + joint.first_q); },
             joint.model);
  fill_terms(d.mechanism, d.q_displaced.data(), d.no_speeds.data(), d.displaced);
  users_potentials(d, t, d.q_displaced, d.displaced, minus_slopes);
}

}  // namespace

void subtract_potentials(Derivatives::Data& d, LagrangianDerivatives& out) {
  Potentials potentials(d, out);
  const Forces& forces = d.mechanism.forces();
  for (const auto& spring : forces.coordinate_springs) potentials.subtract(spring);
  for (const auto& spring : forces.nonlinear_coordinate_springs) potentials.subtract(spring);
  for (const auto& spring : forces.point_springs) potentials.subtract(spring);
  for (const auto& spring : forces.nonlinear_springs) potentials.subtract(spring);
  for (const auto& attraction : forces.attractions) potentials.subtract(attraction);
  for (const auto& lift : forces.lifts) potentials.subtract(lift);
}

/// The force of a user's potential is exact; its derivative is a central difference. The charts at the displaced places differ
/// from the one here by an antisymmetric term of first order (half the bracket), so the symmetric part is the second
/// derivative.
void subtract_users_potentials(Derivatives::Data& d, double t, LagrangianDerivatives& out) {
  if (d.mechanism.forces().potentials.empty()) return;
  const std::size_t n = std::size_t(d.mechanism.num_chart());
  out.L -= users_potentials(d, t, d.q, d.bodies, d.slope_after);
  for (std::size_t i = 0; i < n; ++i) out.L_q[i] += d.slope_after[i];
  const double h = 6e-6;
  for (const Joint& joint : d.mechanism.joints()) {
    for (int local = 0; local < joint.nchart; ++local) {
      slopes_beside(d, t, joint, local, h, d.slope_after);
      slopes_beside(d, t, joint, local, -h, d.slope_before);
      const std::size_t i = std::size_t(joint.first_chart + local);
      for (std::size_t j = 0; j < n; ++j) {
        const double half = 0.25 / h * (d.slope_after[j] - d.slope_before[j]);
        out.L_qq[i * n + j] += half;
        out.L_qq[j * n + i] += half;
      }
    }
  }
}

}  // namespace polhode::tree
