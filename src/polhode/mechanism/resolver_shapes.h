#pragma once
#include "polhode/mechanism/resolver_names.h"

namespace polhode {

/// Shapes on frames, for the eye only.
class ShapeMaker : public ResolverPart {
 public:
  ShapeMaker(const ResolverPart& part, Names& names) : ResolverPart(part), names_(names) {}
  void make_shapes();

 private:
  void add_shape(const ShapeSpec& spec);

  Names& names_;
};

}  // namespace polhode
