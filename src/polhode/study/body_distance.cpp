#include "polhode/study/body_distance.h"

#include <algorithm>
#include <cmath>

namespace polhode::study {

BodyDistance::BodyDistance(const Mechanism& mechanism) {
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const MassProperties& mass = mechanism.bodies()[std::size_t(b)].mass;
    if (!(mass.mass > 0)) continue;
    const Mat3<double> J = mass.inertia.full();
    const double half_trace = 0.5 * (J(0, 0) + J(1, 1) + J(2, 2));
    matter_.push_back({b, mass.com, (1 / mass.mass) * (Mat3<double>::diagonal({half_trace, half_trace, half_trace}) - J)});
  }
  if (!matter_.empty()) return;
  for (int b = 1; b < mechanism.num_bodies(); ++b) matter_.push_back({b, {}, {}});
}

Distance BodyDistance::operator()(std::span<const Transform<double>> a, std::span<const Transform<double>> b) const {
  Distance largest;
  for (const Matter& m : matter_) {
    const Transform<double>&X_1 = a[std::size_t(m.body)], &X_2 = b[std::size_t(m.body)];
    const Vec3<double> moved = X_1 * m.com - X_2 * m.com;
    const Mat3<double> turned = transpose(X_1.R - X_2.R);  // its columns are the rows of the difference
    double squares = dot(moved, moved), of_turn = 0;
    for (const Vec3<double>& row : turned.col) squares += dot(row, m.second * row), of_turn += dot(row, row);
    largest.length = std::max(largest.length, std::sqrt(std::max(squares, 0.0)));
    // |R_1 - R_2| = 2 sqrt(2) sin(angle/2), which keeps its digits where the angle is small.
    largest.angle = std::max(largest.angle, 2 * std::asin(std::min(1.0, std::sqrt(of_turn / 8))));
  }
  return largest;
}

std::vector<Transform<double>> body_poses(const State& state) {
  std::vector<Transform<double>> poses;
  for (int b = 0; b < state.mechanism().num_bodies(); ++b) poses.push_back(state.pose(b));
  return poses;
}

namespace {

struct Box {
  Vec3<double> low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  void add(const Vec3<double>& p, double radius = 0) {
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i] - radius), high[i] = std::max(high[i], p[i] + radius);
  }
  double diagonal() const { return high.x < low.x ? 0 : norm(high - low); }
};

}  // namespace

double size_of(const State& state) {
  const Mechanism& mechanism = state.mechanism();
  Box box;
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const Body& body = mechanism.bodies()[std::size_t(b)];
    const Joint& joint = mechanism.joints()[std::size_t(b)];
    const SymMat3<double>& J = body.mass.inertia;
    const double radius = body.mass.mass > 0 ? std::sqrt(std::max(J.xx + J.yy + J.zz, 0.0) / (2 * body.mass.mass)) : 0;
    box.add(state.pose(b) * body.mass.com, radius);
    if (std::holds_alternative<Free>(joint.model)) continue;
    box.add(state.pose(body.parent) * joint.X_PF.p);
    box.add(state.pose(b) * joint.X_BM.p);
  }
  for (const LoopJoint& joint : mechanism.loop_joints()) {
    box.add(state.pose(joint.parent) * joint.X_PF.p);
    box.add(state.pose(joint.child) * joint.X_BM.p);
  }
  for (const Frame& frame : mechanism.frames())
    if (frame.body > 0) box.add(state.pose(frame.body) * frame.X_BF.p);
  return box.diagonal();
}

}  // namespace polhode::study
