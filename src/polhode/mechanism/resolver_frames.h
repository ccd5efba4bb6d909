#pragma once
#include "polhode/mechanism/resolver_names.h"

namespace polhode {

/// Frames: one per body, at its origin, then those that are described.
class FrameMaker : public ResolverPart {
 public:
  FrameMaker(const ResolverPart& part, Names& names, const JointGraph& graph)
      : ResolverPart(part), names_(names), graph_(graph) {}
  void make_frames();

 private:
  Names& names_;
  const JointGraph& graph_;
};

}  // namespace polhode
