#include "polhode/variational/tree/discrete_tree.h"

#include <algorithm>
#include <cmath>

namespace polhode::variational {
namespace {

/// One of the simple motions that a joint is made of, in order from F to M.
struct Primitive {
  enum class Kind { pin, slider, screw, turning, other };
  Kind kind;
  int axis;      ///< 0, 1, 2 for x, y, z
  int q, u, nu;  ///< offsets into the joint's coordinates and speeds
  double lead = 0;
};
using Primitives = std::vector<Primitive>;

Primitive pin(int axis, int q) { return {Primitive::Kind::pin, axis, q, q, 1}; }
Primitive slider(int axis, int q, int u) { return {Primitive::Kind::slider, axis, q, u, 1}; }
Primitive slider(int axis, int q) { return slider(axis, q, q); }
Primitive turning(int nu) { return {Primitive::Kind::turning, 2, 0, 0, nu}; }
constexpr int x = 0, y = 1, z = 2;

// What each joint type is made of; compare the formulas of X_FM in mechanism/joints.
Primitives made_of(const Weld&) { return {}; }
Primitives made_of(const Revolute&) { return {pin(z, 0)}; }
Primitives made_of(const Prismatic&) { return {slider(z, 0)}; }
Primitives made_of(const Screw& s) { return {{Primitive::Kind::screw, z, 0, 0, 1, s.lead}}; }
Primitives made_of(const Cylindrical&) { return {pin(z, 0), slider(z, 1)}; }
Primitives made_of(const Universal&) { return {pin(x, 0), pin(y, 1)}; }
Primitives made_of(const BendStretch&) { return {pin(z, 0), slider(x, 1)}; }
Primitives made_of(const Planar&) { return {slider(x, 1), slider(y, 2), pin(z, 0)}; }
Primitives made_of(const SphericalCoordinates&) { return {pin(z, 0), pin(y, 1), slider(z, 2)}; }
Primitives made_of(const Gimbal&) { return {pin(x, 0), pin(y, 1), pin(z, 2)}; }
Primitives made_of(const Translation&) { return {slider(x, 0), slider(y, 1), slider(z, 2)}; }
Primitives made_of(const Bushing&) { return {slider(x, 3), slider(y, 4), slider(z, 5), pin(x, 0), pin(y, 1), pin(z, 2)}; }
Primitives made_of(const Ball&) { return {turning(3)}; }
Primitives made_of(const LineOrientation&) { return {turning(2)}; }
Primitives made_of(const Free&) { return {slider(x, 4, 3), slider(y, 5, 4), slider(z, 6, 5), turning(3)}; }
Primitives made_of(const FreeLine&) { return {slider(x, 4, 2), slider(y, 5, 3), slider(z, 6, 4), turning(2)}; }
template <class J>
Primitives other(const J& joint) {
  return {{Primitive::Kind::other, z, 0, 0, joint.nv}};
}
Primitives made_of(const Ellipsoid& joint) { return other(joint); }
Primitives made_of(const FunctionBased& joint) { return other(joint); }
Primitives made_of(const Custom& joint) { return other(joint); }

bool is_line(const JointModel& model) {
  return std::holds_alternative<LineOrientation>(model) || std::holds_alternative<FreeLine>(model);
}

/// Whether a body that never spins about its axis has no inertia that could make it want to: a line along z of the joint's M,
/// with nothing hanging on it.
bool is_true_line(const Mechanism& mechanism, int body) {
  const Joint& joint = mechanism.joints()[body];
  const MassProperties mass = transformed(joint.X_MB, mechanism.bodies()[body].mass);
  const SymMat3<double>& I = mass.inertia;
  const double small = 1e-12 * (I.xx + I.yy + mass.mass * dot(mass.com, mass.com));
  const bool on_axis = I.zz <= small && std::abs(I.xz) <= small && std::abs(I.yz) <= small &&
                       mass.mass * (mass.com.x * mass.com.x + mass.com.y * mass.com.y) <= small;
  const bool carries = std::any_of(mechanism.bodies().begin(), mechanism.bodies().end(),
                                   [&](const Body& other) { return other.parent == body; });
  return on_axis && !carries && !joint.reversed;
}

/// A frame whose z axis is the given coordinate axis, or its opposite.
Mat3<double> frame_along(int axis, bool opposite) {
  Vec3<double> direction{};
  direction[axis] = opposite ? -1 : 1;
  return rotation_with_z(direction);
}

void put_mass(const MassProperties& m, Link& link) {
  const SymMat3<double> I = m.inertia_about_origin();
  const double inertia[] = {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
  std::copy(std::begin(inertia), std::end(inertia), link.inertia);
  link.mass = m.mass;
  for (int i = 0; i < 3; ++i) link.first_moment[i] = m.mass * m.com[i];
  link.massless = m.mass == 0 && std::all_of(std::begin(inertia), std::end(inertia), [](double a) { return a == 0; });
}

}  // namespace

/// Walks the bodies outward and hangs the links that each one's joint is made of.
class DiscreteTreeBuilder {
 public:
  DiscreteTreeBuilder(const Mechanism& mechanism, DiscreteTree& out) : m_(mechanism), out_(out) {}

  void build() {
    out_.num_u_ = m_.num_u();
    out_.gravity_ = norm(m_.gravity());
    out_.coordinate_of_speed_.assign(m_.num_u(), -1);
    out_.links_.push_back(Link{-1, Link::Kind::pin, 0, 0, 0});
    mass_.push_back({});
    // The links' tree is rooted in a frame whose -z axis points along gravity.
    const Mat3<double> R_WN =
        out_.gravity_ > 0 ? rotation_with_z((-1 / out_.gravity_) * m_.gravity()) : Mat3<double>::identity();
    at_.push_back({0, {transpose(R_WN), {}}});
    for (int b = 1; b < m_.num_bodies(); ++b) add_body(b);
    finish();
  }

 private:
  /// Where a body's M frame is: in which link, and where in it.
  struct Place {
    int link;
    Transform<double> X_NM;
  };

  void add_body(int b) {
    const Joint& joint = m_.joints()[b];
    const int parent = m_.bodies()[b].parent;
    Place place{at_[parent].link, at_[parent].X_NM * m_.joints()[parent].X_MB * joint.X_PF};
    Primitives primitives = std::visit([](const auto& model) { return made_of(model); }, joint.model);
    // The inverse of a product is the product of the inverses, backwards.
    if (joint.reversed) std::reverse(primitives.begin(), primitives.end());
    for (const Primitive& primitive : primitives) place = add_link(b, joint, primitive, place);
    at_.push_back(place);
    mass_[place.link] = combined(mass_[place.link], transformed(place.X_NM * joint.X_MB, m_.bodies()[b].mass));
  }

  Place add_link(int b, const Joint& joint, const Primitive& primitive, const Place& place) {
    using Kind = Primitive::Kind;
    const bool general = primitive.kind == Kind::turning || primitive.kind == Kind::other;
    const Transform<double> X_FA{general ? Mat3<double>::identity() : frame_along(primitive.axis, joint.reversed), {}};
    const Transform<double> X_PF = place.X_NM * X_FA;
    Link link{place.link, Link::Kind::general, joint.first_u + primitive.u, primitive.nu, joint.first_q + primitive.q};
    if (primitive.kind == Kind::pin) link.kind = Link::Kind::pin;
    if (primitive.kind == Kind::slider) link.kind = Link::Kind::slider;
    if (primitive.kind == Kind::screw) link.kind = Link::Kind::screw, link.lead = primitive.lead;
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) link.R_PF[3 * k + i] = X_PF.R(i, k);
      link.p_PF[i] = X_PF.p[i];
    }
    const int index = int(out_.links_.size());
    if (general) {
      link.general = int(out_.general_.size());
      const bool line = is_line(joint.model);
      out_.general_.push_back(
          {.kind = primitive.kind == Kind::turning ? GeneralJoint::Kind::turning : GeneralJoint::Kind::other,
           .link = index,
           .joint = b,
           .first_q = link.first_q,
           .first_u = link.first_u,
           .nu = link.nu,
           .reversed = joint.reversed,
           .speeds_in_moving_frame = line != joint.reversed,
           .holds_spin = line && !is_true_line(m_, b)});
    } else {
      out_.coordinate_of_speed_[link.first_u] = link.first_q;
    }
    out_.links_.push_back(link);
    mass_.push_back({});
    return {index, inverse(X_FA)};
  }

  void finish() {
    auto& links = out_.links_;
    const int n = int(links.size());
    std::vector<int> last_child(links.size(), 0);
    for (int k = 1; k < n; ++k) {
      put_mass(mass_[k], links[k]);
      links[links[k].parent].gathers = last_child[links[k].parent] > 0;
      last_child[links[k].parent] = k;
    }
    for (int k = 0; k < n; ++k)
      if (links[k].gathers) links[last_child[k]].opens = true;
    for (int k = n - 1; k > 0; --k) {
      links[k].mass_outboard += links[k].mass;
      links[links[k].parent].mass_outboard += links[k].mass_outboard;
    }
  }

  const Mechanism& m_;
  DiscreteTree& out_;
  std::vector<Place> at_;             // by body
  std::vector<MassProperties> mass_;  // by link, in its frame
};

DiscreteTree::DiscreteTree(const Mechanism& mechanism) {
  DiscreteTreeBuilder(mechanism, *this).build();
  hold(mechanism.driven_speeds());
}

void DiscreteTree::hold(std::span<const char> driven) {
  for (Link& link : links_)
    if (link.nu > 0) link.held = driven[std::size_t(link.first_u)] != 0;
}

}  // namespace polhode::variational
