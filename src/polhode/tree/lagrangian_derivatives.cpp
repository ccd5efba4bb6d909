#include <algorithm>

#include "polhode/tree/derivatives_data.h"

/// Every term of L's derivatives is a motion of an inboard joint against a wrench that sums up everything outboard, so inward
/// sweeps over composite bodies give all of them. With I the composite inertia and h the momentum of all that hangs on a joint,
/// D, A, S as in BodyTerms, i (or k) inboard of j (or l), and x* the dual of the bracket, -[x, y].h = y.(x* h):
///   L_q = D.h + A.g     L_u = S.h     L_uu = S_k.(I S_l)    L_qu(i, l) = D_i.(I S_l)
///   L_qq = D_i.Y_j + w_i.G_j,   L_qu(j, k) = S_k.Y_j,       Y_j = I D_j + A_j* h,   G_j = d(m c)/d(theta_j) x g.
namespace polhode::tree {
namespace {

Wrench<double> bracket_dual(const Motion<double>& x, const Wrench<double>& h) {
  return {cross(x.angular, h.moment) + cross(x.linear, h.force), cross(x.angular, h.force)};
}

Wrench<double> momentum(const Composite& c, const Motion<double>& V) {
  return {c.inertia * V.angular + cross(c.first_moment, V.linear), c.mass * V.linear + cross(V.angular, c.first_moment)};
}
Wrench<double> weight(const Composite& c, const Vec3<double>& gravity) {
  return {cross(c.first_moment, gravity), c.mass * gravity};
}
/// The derivative of m c along a motion.
Vec3<double> first_moment_slope(const Composite& c, const Motion<double>& A) {
  return c.mass * A.linear + cross(A.angular, c.first_moment);
}

Composite own_matter(const FlatBody& flat, const BodyTerms& body) {
  const Mat3<double>& R = body.X_WM.R;
  const double* const I = flat.inertia_about_origin;
  const Vec3<double> moment{flat.first_moment[0], flat.first_moment[1], flat.first_moment[2]};
  const SymMat3<double> inertia{I[0], I[1], I[2], I[3], I[4], I[5]};
  Composite c{flat.mass, R * moment, rotated(R, inertia).full(), {}};
  c.momentum = momentum(c, body.V);
  return c;
}

/// Adds what hangs at r from the origin.
void gather(Composite& c, const Composite& outboard, const Vec3<double>& r) {
  const Mat3<double> r_x = skew(r), mc_x = skew(outboard.first_moment);
  c.inertia = c.inertia + outboard.inertia - r_x * mc_x - mc_x * r_x - outboard.mass * (r_x * r_x);
  c.first_moment += outboard.first_moment + outboard.mass * r;
  c.mass += outboard.mass;
  c.momentum += shifted_back(outboard.momentum, r);
}

class Sweep {
 public:
  Sweep(Derivatives::Data& d, LagrangianDerivatives& out)
      : d_(d), out_(out), g_(d.mechanism.gravity()), n_(d.mechanism.num_chart()), m_(d.mechanism.num_u()) {}

  void run() {
    for (auto* table : {&out_.L_qq, &out_.L_qu, &out_.L_uu}) std::fill(table->begin(), table->end(), 0.0);
    add_energies();
    for (int b = 1; b < int(d_.bodies.size()); ++b) d_.composites[b] = own_matter(d_.mechanism.flat()[b], d_.bodies[b]);
    for (int b = int(d_.bodies.size()) - 1; b > 0; --b) {
      add_firsts(b);
      add_own(b);
      add_crossed(b);
      const int p = d_.bodies[b].parent;
      if (p > 0) gather(d_.composites[p], d_.composites[b], d_.bodies[b].X_WM.p - d_.bodies[p].X_WM.p);
    }
  }

 private:
  double& qq(int i, int j) { return out_.L_qq[std::size_t(i) * n_ + j]; }
  double& qu(int i, int k) { return out_.L_qu[std::size_t(i) * m_ + k]; }
  double& uu(int k, int l) { return out_.L_uu[std::size_t(k) * m_ + l]; }

  void add_energies() {
    out_.L = 0;
    for (int b = 1; b < int(d_.bodies.size()); ++b) {
      const BodyTerms& body = d_.bodies[b];
      const Composite c = own_matter(d_.mechanism.flat()[b], body);
      out_.L += 0.5 * dot(c.momentum, body.V) + dot(g_, c.first_moment + c.mass * body.X_WM.p);
    }
  }

  void add_firsts(int b) {
    const BodyTerms& body = d_.bodies[b];
    const Composite& c = d_.composites[b];
    for (int i = 0; i < body.j.nchart; ++i)
      out_.L_q[body.first_chart + i] = dot(c.momentum, body.D[i]) + dot(weight(c, g_), body.j.A[i]);
    for (int k = 0; k < body.j.nu; ++k) out_.L_u[body.first_u + k] = dot(c.momentum, body.j.S[k]);
  }

  /// Both coordinates, or coordinate and speed, of one joint.
  void add_own(int b) {
    const BodyTerms& body = d_.bodies[b];
    const JointDerivatives& joint = body.j;
    const Composite& c = d_.composites[b];
    for (int i = 0; i < joint.nchart; ++i) {
      const Wrench<double> I_D = momentum(c, body.D[i]);
      const Vec3<double> turned_weight = cross(first_moment_slope(c, joint.A[i]), g_);
      for (int j = 0; j < joint.nchart; ++j)
        qq(body.first_chart + i, body.first_chart + j) = dot(I_D, body.D[j]) + dot(c.momentum, body.D_q[i][j]) +
                                                         dot(weight(c, g_), joint.A_q[i][j]) +
                                                         dot(joint.A[j].angular, turned_weight);
      for (int k = 0; k < joint.nu; ++k)
        qu(body.first_chart + i, body.first_u + k) = dot(I_D, joint.S[k]) + dot(c.momentum, joint.S_q[k][i]);
    }
    for (int k = 0; k < joint.nu; ++k)
      for (int l = 0; l < joint.nu; ++l) uu(body.first_u + k, body.first_u + l) = dot(momentum(c, joint.S[k]), joint.S[l]);
  }

  /// One of this joint, the other of a joint inboard of it.
  void add_crossed(int b) {
    const BodyTerms& body = d_.bodies[b];
    const Composite& c = d_.composites[b];
    for (int j = 0; j < body.j.nchart; ++j) {
      const Wrench<double> at_body = momentum(c, body.D[j]) + bracket_dual(body.j.A[j], c.momentum);
      const Vec3<double> turned_weight = cross(first_moment_slope(c, body.j.A[j]), g_);
      const int col = body.first_chart + j;
      for (int a = body.parent; a > 0; a = d_.bodies[a].parent) {
        const BodyTerms& inboard = d_.bodies[a];
        const Wrench<double> Y = shifted_back(at_body, body.X_WM.p - inboard.X_WM.p);
        for (int i = 0; i < inboard.j.nchart; ++i)
          qq(inboard.first_chart + i, col) = qq(col, inboard.first_chart + i) =
              dot(Y, inboard.D[i]) + dot(inboard.j.A[i].angular, turned_weight);
        for (int k = 0; k < inboard.j.nu; ++k) qu(col, inboard.first_u + k) = dot(Y, inboard.j.S[k]);
      }
    }
    for (int l = 0; l < body.j.nu; ++l) {
      const Wrench<double> at_body = momentum(c, body.j.S[l]);
      const int col = body.first_u + l;
      for (int a = body.parent; a > 0; a = d_.bodies[a].parent) {
        const BodyTerms& inboard = d_.bodies[a];
        const Wrench<double> I_S = shifted_back(at_body, body.X_WM.p - inboard.X_WM.p);
        for (int i = 0; i < inboard.j.nchart; ++i) qu(inboard.first_chart + i, col) = dot(I_S, inboard.D[i]);
        for (int k = 0; k < inboard.j.nu; ++k)
          uu(inboard.first_u + k, col) = uu(col, inboard.first_u + k) = dot(I_S, inboard.j.S[k]);
      }
    }
  }

  Derivatives::Data& d_;
  LagrangianDerivatives& out_;
  Vec3<double> g_;
  int n_, m_;
};

}  // namespace

LagrangianDerivatives::LagrangianDerivatives(const Mechanism& mechanism) {
  const std::size_t n = std::size_t(mechanism.num_chart()), m = std::size_t(mechanism.num_u());
  L_q.resize(n), L_u.resize(m), L_qq.resize(n * n), L_qu.resize(n * m), L_uu.resize(m * m);
}

void Derivatives::lagrangian(double t, LagrangianDerivatives& out) {
  Sweep(*d_, out).run();
  subtract_potentials(*d_, out);
  subtract_users_potentials(*d_, t, out);
}

}  // namespace polhode::tree
