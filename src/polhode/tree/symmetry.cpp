#include "polhode/tree/symmetry.h"

#include <algorithm>

#include "polhode/tree/constraints.h"

namespace polhode::tree {
namespace {

class SymmetryFinder {
 public:
  explicit SymmetryFinder(const Mechanism& mechanism) : m_(mechanism), fixed_(mechanism.num_bodies(), false) {
    fixed_[0] = true;
    for (int b = 1; b < m_.num_bodies(); ++b) {
      const bool on_ground = fixed_[m_.bodies()[b].parent];
      fixed_[b] = on_ground && m_.joints()[b].nu == 0;
      if (on_ground && !fixed_[b]) roots_.push_back(b);
    }
  }

  std::vector<KeptMomentum> find() {
    if (roots_.empty() || anything_acts_from_outside()) return {};
    const bool floats = std::all_of(roots_.begin(), roots_.end(), [&](int b) {
      return std::holds_alternative<Free>(m_.joints()[b].model) && !m_.joints()[b].reversed;
    });
    std::vector<KeptMomentum> kept;
    const Vec3<double> g = m_.gravity();
    const bool weightless = norm(g) == 0;
    if (floats) {
      for (const Vec3<double>& axis : axes_across(g)) kept.push_back({false, axis, {}});
      for (const Vec3<double>& axis : weightless ? axes_across(g) : std::vector{normalized(g)})
        kept.push_back({true, axis, {}});
      return kept;
    }
    if (roots_.size() != 1) return {};
    const int root = roots_[0];
    const Joint& joint = m_.joints()[root];
    const Transform<double> X_WF = fixed_pose(m_.bodies()[root].parent) * joint.X_PF;
    if (std::holds_alternative<Ball>(joint.model)) {
      for (const Vec3<double>& axis : weightless ? axes_across(g) : std::vector{normalized(g)})
        kept.push_back({true, axis, X_WF.p});
    } else if (std::holds_alternative<Revolute>(joint.model)) {
      const Vec3<double> axis = X_WF.R.col[2];
      if (norm(cross(axis, g)) <= 1e-12 * norm(g)) kept.push_back({true, axis, X_WF.p});
    }
    return kept;
  }

 private:
  /// Where a body that is welded to Ground stands.
  Transform<double> fixed_pose(int body) const {
    if (body == 0) return {};
    const Joint& joint = m_.joints()[body];
    double q[CustomJoint::max_coordinates] = {};
    const Transform<double> X_FM = std::visit([&](const auto& model) { return model.template X_FM<double>(q); }, joint.model);
    return fixed_pose(m_.bodies()[body].parent) * joint.X_PF * X_FM * joint.X_MB;
  }
  /// The directions that gravity does not act along.
  static std::vector<Vec3<double>> axes_across(const Vec3<double>& g) {
    if (norm(g) == 0) return {x_axis, y_axis, z_axis};
    const Mat3<double> R = rotation_with_z(normalized(g));
    return {R.col[0], R.col[1]};
  }
  bool is_of_root(int u) const {
    return std::any_of(roots_.begin(), roots_.end(), [&](int b) {
      const Joint& joint = m_.joints()[b];
      return u >= joint.first_u && u < joint.first_u + joint.nu;
    });
  }
  /// Whether a force changes the momentum of all that moves, across gravity.
  template <class F>
  bool acts_from_outside(const F& f) const {
    if constexpr (CoordinateForceType<F>) return is_of_root(f.coordinate.u);
    if constexpr (LineForceType<F>) return fixed_[f.frame_a.body] || fixed_[f.frame_b.body];
    if constexpr (BodyForceType<F>) {
      if (F::momentum != Momentum::exchanged) return F::momentum == Momentum::changed;
      bool touches_ground = false;
      f.for_each_body([&](int body) { touches_ground |= fixed_[body] != 0; });
      return touches_ground;
    }
    if constexpr (LawForceType<F>)
      return std::any_of(f.loads.begin(), f.loads.end(),
                         [&](const LawLoad& load) { return !load.on_speed() || is_of_root(load.u); });
    return true;  // a user's: not known
  }

  bool anything_acts_from_outside() const {
    const auto any = [](const auto& list, const auto& test) { return std::any_of(list.begin(), list.end(), test); };
    if (m_.forces().any([&](const auto& force) { return acts_from_outside(force); })) return true;
    if (any(m_.driven(), [&](const DrivenSpeed& driven) { return is_of_root(driven.u); })) return true;
    // Rows that do not depend on how the root moves push nothing against Ground.
    const Constraints constraints(m_);
    return any(constraints.columns(), [&](int u) { return is_of_root(u); });
  }

  const Mechanism& m_;
  std::vector<char> fixed_;
  std::vector<int> roots_;
};

}  // namespace

std::vector<KeptMomentum> kept_momenta(const Mechanism& mechanism) { return SymmetryFinder(mechanism).find(); }

}  // namespace polhode::tree
