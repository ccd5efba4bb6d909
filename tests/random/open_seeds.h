#pragma once
#include <set>
#include <string>

namespace polhode::testing_support {

/// Random mechanisms on which methods are known to differ or to fail, of the seeds that LongRandomMechanisms takes: defects
/// that are open. A seed leaves the list when its defect is mended; a finding at any other seed fails the test.
///
/// points: maximal-variational takes a weak row of a point for redundant, and leaves its error of 1e-7 m as a gap.
/// light_bodies (mass ratios to 1e-6): maximal-variational does not get Newton's error below the rounding of impulses that
/// cancel; tree-variational agrees with itself at half the step, but not with the others. Not understood yet.
inline bool is_open(const std::string& kind, unsigned seed) {
  static const std::set<unsigned> points{1009, 1069, 1073, 1188};
  static const std::set<unsigned> light_bodies{1005, 1038, 1079, 1155, 1158, 1180, 1222, 1243, 1248, 1255, 1258};
  return (kind == "points" && points.contains(seed)) || (kind == "light_bodies" && light_bodies.contains(seed));
}

}  // namespace polhode::testing_support
