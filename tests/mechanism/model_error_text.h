#pragma once
#include <gtest/gtest.h>

#include <string>

#include "polhode/mechanism/builder.h"

namespace polhode {

/// The problems that building reports; none when it succeeds.
inline std::vector<Problem> problems_of(const MechanismBuilder& builder) {
  try {
    builder.build();
  } catch (const ModelError& error) {
    return error.problems();
  }
  return {};
}

/// Exactly one problem, whose message holds the given text.
inline testing::AssertionResult reports_only(const MechanismBuilder& builder, const std::string& text) {
  const auto found = problems_of(builder);
  if (found.size() == 1 && found[0].message.find(text) != std::string::npos) return testing::AssertionSuccess();
  auto failure = testing::AssertionFailure() << found.size() << " problems:";
  for (const Problem& problem : found) failure << "\n  " << problem.message;
  return failure;
}

/// A ball of 1 kg: inertia about every axis, so that any joint may carry it.
inline BodySpec ball(const std::string& name, const Transform<double>& pose = {}, Source source = {}) {
  return {.name = name, .mass = MassProperties::sphere(1, 0.5), .drawn_pose = pose, .source = source};
}

inline JointSpec pin(const std::string& name, const std::string& parent, const std::string& child, Source source = {}) {
  return {.name = name, .model = Revolute{}, .parent = parent, .child = child, .source = source};
}

/// Body poses in Ground by walking the tree's joints one by one, with each joint's own X_FM.
inline std::vector<Transform<double>> body_poses(const Mechanism& mechanism, const std::vector<double>& q) {
  std::vector<Transform<double>> X_WB(mechanism.num_bodies());
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const Joint& joint = mechanism.joints()[b];
    Transform<double> X_FM =
        std::visit([&](const auto& model) { return model.template X_FM<double>(q.data() + joint.first_q); }, joint.model);
    if (joint.reversed) X_FM = inverse(X_FM);
    X_WB[b] = X_WB[mechanism.bodies()[b].parent] * joint.X_PF * X_FM * inverse(joint.X_BM);
  }
  return X_WB;
}

inline double distance(const Transform<double>& A, const Transform<double>& B) {
  double worst = norm(A.p - B.p);
  for (int k = 0; k < 3; ++k) worst = std::max(worst, norm(A.R.col[k] - B.R.col[k]));
  return worst;
}

}  // namespace polhode
