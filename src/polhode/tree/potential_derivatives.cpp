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

  template <CoordinateForceType F>
  void subtract(const F& f) {
    const double q = d_.q[std::size_t(f.coordinate.q)];
    subtract_of_coordinate(f.coordinate.u, {f.template energy<double>(q), -f.template force<double>(now(), q, 0.0),
                                            -coordinate_slopes(f, now(), q, 0).by_position});
  }
  template <LineForceType F>
  void subtract(const F& f) {
    const BodyPoint a{f.frame_a.body, f.frame_a.X_BF.p}, b{f.frame_b.body, f.frame_b.X_BF.p};
    const double length = norm(place(b) - place(a));
    subtract_of_length(a, b,
                       {f.template energy<double>(length), f.template tension<double>(now(), length, 0.0),
                        tension_slopes(f, now(), length, 0).by_length});
  }
  template <BodyForceType F>
  void subtract(const F& f) {
    const Configuration at{d_.mechanism, 0, {}, {}, d_.X_WB, d_.at_rest, now().z, now().discrete, now().inputs};
    out_.L -= f.template energy<double>(at);
    d_.touched.clear();
    f.for_each_body([&](int body) { d_.touched.push_back(body); });
    for (const int body : d_.touched) d_.wrenches[std::size_t(body)] = {};
    AppliedForces loads{{}, d_.wrenches, d_.X_WB};
    f.template add_load<double>(at, loads);
    for (const int body : d_.touched) add_load_of(body);
    for (const int moved : d_.touched)
      for (int k = 0; k < 6; ++k) add_slopes_of(f, moved, k);
  }

 private:
  /// Forces that have a potential do not depend on what else `now` has; what else they are may.
  Now now() const { return d_.mechanism.initial_now(); }
  double& qq(int i, int j) { return out_.L_qq[std::size_t(i) * n_ + j]; }

  /// The motion of a body's origin by chart coordinate i of a joint inboard of it.
  Motion<double> column(const BodyTerms& inboard, int i, int body) const {
    return shifted(inboard.j.A[i], d_.X_WB[std::size_t(body)].p - inboard.X_WM.p);
  }

  /// What a load F on a body does along the coordinates, and how the coordinates' columns turn under it: L_q gets F . A_i and
  /// L_qq F . dA_i/d(theta_j), A_i being the motion of the body's origin.
  void add_load_of(int body) {
    const Wrench<double>& F = d_.wrenches[std::size_t(body)];
    for (int b = body; b > 0; b = d_.bodies[b].parent) {
      const BodyTerms& joint = d_.bodies[b];
      for (int i = 0; i < joint.j.nchart; ++i) {
        const int row = joint.first_chart + i;
        const Motion<double> A_i = column(joint, i, body);
        out_.L_q[row] += dot(F, A_i);
        for (int j = 0; j < joint.j.nchart; ++j) {
          const Vec3<double> w_j = joint.j.A[j].angular;
          const Motion<double> turned{cross(w_j, A_i.angular), cross(w_j, A_i.linear)};
          qq(row, joint.first_chart + j) +=
              dot(F, turned) + dot(F, shifted(joint.j.A_q[i][j], d_.X_WB[std::size_t(body)].p - joint.X_WM.p));
        }
        // By a coordinate further in the whole of A_i turns; by one further out only the body's origin moves under it.
        for (int a = joint.parent; a > 0; a = d_.bodies[a].parent)
          for (int j = 0; j < d_.bodies[a].j.nchart; ++j) {
            const Vec3<double> w_j = d_.bodies[a].j.A[j].angular;
            const double moved = dot(F.force, cross(w_j, A_i.linear));
            qq(row, d_.bodies[a].first_chart + j) += dot(F.moment, cross(w_j, A_i.angular)) + moved;
            qq(d_.bodies[a].first_chart + j, row) += moved;
          }
      }
    }
  }

  /// How the loads change when a body is displaced along its component k.
  template <class F>
  void add_slopes_of(const F& f, int moved, int k) {
    const auto loads = d_.differentiator->loads(f, d_.mechanism, now(), ForceDifferentiator::By::displacement, moved, k);
    for (int c = moved; c > 0; c = d_.bodies[c].parent)
      for (int j = 0; j < d_.bodies[c].j.nchart; ++j) {
        const Motion<double> A_j = column(d_.bodies[c], j, moved);
        const double by = k < 3 ? A_j.angular[k] : A_j.linear[k - 3];
        if (by == 0) continue;
        for (const int body : d_.touched) {
          const Wrench<Dual<double>>& load = loads[std::size_t(body)];
          const Wrench<double> slope{{load.moment.x.slope, load.moment.y.slope, load.moment.z.slope},
                                     {load.force.x.slope, load.force.y.slope, load.force.z.slope}};
          for (int b = body; b > 0; b = d_.bodies[b].parent)
            for (int i = 0; i < d_.bodies[b].j.nchart; ++i)
              qq(d_.bodies[b].first_chart + i, d_.bodies[c].first_chart + j) += by * dot(slope, column(d_.bodies[b], i, body));
        }
      }
  }

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
  for (const UsersPotential& potential : m.forces().of<UsersPotential>()) {
    Configuration own = configuration;
    own.scratch = d.scratches[potential.scratch];
    energy += potential.element->energy(own);
    potential.element->add_forces(own, forces);
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
  if (d.differentiator) {
    for (int b = 0; b < d.mechanism.num_bodies(); ++b) d.X_WB[b] = d.bodies[b].X_WM * d.mechanism.joints()[b].X_MB;
    d.differentiator->set(d.X_WB, d.at_rest);
  }
  Potentials potentials(d, out);
  d.mechanism.forces().for_each([&]<class F>(const F& f) {
    if constexpr (F::has_potential && ForceType<F>) potentials.subtract(f);
  });
}

/// The force of a user's potential is exact; its derivative is a central difference. The charts at the displaced places differ
/// from the one here by an antisymmetric term of first order (half the bracket), so the symmetric part is the second
/// derivative.
void subtract_users_potentials(Derivatives::Data& d, double t, LagrangianDerivatives& out) {
  if (d.mechanism.forces().of<UsersPotential>().empty()) return;
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
