#pragma once
#include <algorithm>
#include <vector>

#include "polhode/mechanism/forces/force_loads.h"

namespace polhode {

/// Exact derivatives of a force's loads on bodies by the displacement or velocity of a body, from the force's own code on dual
/// numbers. A displacement turns the body about its origin or moves that, along an axis of Ground. Sized once.
class ForceDifferentiator {
 public:
  enum class By { displacement, velocity };
  using Number = Dual<double>;

  explicit ForceDifferentiator(int num_bodies)
      : X_WB_(std::size_t(num_bodies)), V_WB_(std::size_t(num_bodies)), loads_(std::size_t(num_bodies)) {}

  /// Where the derivatives are taken.
  void set(std::span<const Transform<double>> X_WB, std::span<const Motion<double>> V_WB) {
    for (std::size_t b = 0; b < X_WB_.size(); ++b) X_WB_[b] = cast<Number>(X_WB[b]), V_WB_[b] = cast<Number>(V_WB[b]);
  }

  /// The loads, by body, with their derivative as slopes: by component k (0 to 2 rotation, 3 to 5 translation) of a body.
  /// Only those of bodies that the force touches mean something; they stay until the next call.
  template <class F>
  std::span<const Wrench<Number>> loads(const F& f, const Mechanism& mechanism, const Now& now, By by, int body, int k) {
    const std::size_t b = std::size_t(body);
    const Transform<Number> X = X_WB_[b];
    const Motion<Number> V = V_WB_[b];
    const Vec3<Number> e = unit(k % 3);
    if (by == By::velocity) {
      (k < 3 ? V_WB_[b].angular : V_WB_[b].linear) += e;
    } else if (k < 3) {
      for (int i = 0; i < 3; ++i) X_WB_[b].R.col[i] += cross(e, X.R.col[i]);
    } else {
      X_WB_[b].p += e;
    }
    clear_touched(f);
    ForceLoads<Number> out{{}, loads_, X_WB_};
    const ForceView<Number> at{mechanism, now.t, {}, {}, X_WB_, V_WB_, now.z, now.discrete, now.inputs};
    add_load(f, at, out);
    X_WB_[b] = X, V_WB_[b] = V;
    return loads_;
  }

 private:
  /// The axis as an infinitesimal: value 0, slope 1.
  static Vec3<Number> unit(int axis) {
    Vec3<Number> e{};
    e[axis] = Number{0.0, 1.0};
    return e;
  }
  template <class F>
  void clear_touched(const F& f) {
    for_each_body(f, [&](int body) { loads_[std::size_t(body)] = {}; });
  }

  std::vector<Transform<Number>> X_WB_;
  std::vector<Motion<Number>> V_WB_;
  std::vector<Wrench<Number>> loads_;
};

}  // namespace polhode
