#pragma once
#include <variant>

#include "polhode/variational/tree/other_joint.h"
#include "polhode/variational/tree/turning.h"

namespace polhode::variational {

/// Any joint whose motion over a step is not just the addition of numbers. What the functions do is said at Turning.
class GeneralStep {
 public:
  GeneralStep(const GeneralJoint& joint, const Joint& in_mechanism) : joint_(joint), in_mechanism_(&in_mechanism) {
    if (joint.kind == GeneralJoint::Kind::other) step_.emplace<OtherJoint>();
  }

  void start(const double* q) {
    if (auto* turning = std::get_if<Turning>(&step_))
      turning->start(joint_, q);
    else
      std::get<OtherJoint>(step_).start(joint_, *in_mechanism_, q);
  }
  template <class Function>
  decltype(auto) apply(const Function& f) {
    return std::visit(f, step_);
  }
  template <class Function>
  decltype(auto) apply(const Function& f) const {
    return std::visit(f, step_);
  }
  const GeneralJoint& joint() const { return joint_; }

 private:
  GeneralJoint joint_;
  const Joint* in_mechanism_;
  std::variant<Turning, OtherJoint> step_;
};

}  // namespace polhode::variational
