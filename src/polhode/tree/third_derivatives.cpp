#include <algorithm>

#include "polhode/tree/derivatives_data.h"
#include "polhode/tree/pose_hat.h"

/// X_abc = X (c (b a + a_b) + b_c a + b a_c + a_bc), each letter being a twist's hat and a_b the derivative of twist a by
/// coordinate b. With a no less outboard than b, and b than c, a_b is zero unless both are one joint's, and so are the others:
/// a twist, seen from the frame, does not depend on what is inboard of its joint (Johnson & Murphey (2)-(4), once more).
namespace polhode::tree {
namespace {

constexpr PoseHat nothing{};

/// X Y.
PoseDerivative operator*(const Transform<double>& X, const PoseHat& Y) { return {X.R * Y.R, X.R * Y.p}; }

/// The same number in all orders of its three indices.
void put(std::vector<PoseDerivative>& X_qqq, std::size_t n, std::array<std::size_t, 3> at, const PoseDerivative& value) {
  std::sort(at.begin(), at.end());
  do X_qqq[(at[0] * n + at[1]) * n + at[2]] = value;
  while (std::next_permutation(at.begin(), at.end()));
}

}  // namespace

FrameThirdDerivatives::FrameThirdDerivatives(const Mechanism& mechanism, int frame_index)
    : frame(frame_index), lower_(mechanism, frame_index) {
  chart = lower_.chart;
  X_qqq.resize(chart.size() * chart.size() * chart.size());
  for (const int body : lower_.path_) {
    const std::size_t first = owner_.size();
    owner_.insert(owner_.end(), std::size_t(mechanism.joints()[body].nchart), {body, first});
  }
}

void Derivatives::third(FrameThirdDerivatives& out) const {
  FrameDerivatives& f = out.lower_;
  frame(f);
  const std::size_t n = out.chart.size();
  /// The derivative of twist a by b, both of one joint; zero where they are not.
  const auto own_derivative = [&](std::size_t a, std::size_t b) {
    const auto [index, first] = out.owner_[a];
    if (b < first) return nothing;
    const BodyTerms& body = d_->bodies[index];
    return hat(ToFrame(f.X_WF, body)(body.j.A_q[a - first][b - first]));
  };
  SecondTwistDerivatives second;
  for (std::size_t a = 0; a < n; ++a) {
    const auto [index, first] = out.owner_[a];
    const BodyTerms& body = d_->bodies[index];
    const ToFrame to_frame(f.X_WF, body);
    if (a == first) differentiate_twists_twice(d_->mechanism.joints()[index], d_->q.data(), d_->u.data(), second);
    const PoseHat twist_a = hat(f.twist[a]);
    for (std::size_t b = 0; b <= a; ++b) {
      const PoseHat twist_b = hat(f.twist[b]), a_b = own_derivative(a, b);
      for (std::size_t c = 0; c <= b; ++c) {
        PoseHat sum = third_product(twist_a, twist_b, hat(f.twist[c]), a_b, own_derivative(a, c), own_derivative(b, c));
        if (c >= first) sum = sum + hat(to_frame(body.X_WM.R * second[a - first][b - first][c - first]));
        put(out.X_qqq, n, {a, b, c}, f.X_WF * sum);
      }
    }
  }
}

}  // namespace polhode::tree
