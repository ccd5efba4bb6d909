#pragma once
#include <set>
#include <string>

namespace polhode::testing_support {

/// Random mechanisms on which methods are known to differ or to fail, of the seeds that LongRandomMechanisms takes: defects
/// that are open. A seed leaves the list when its defect is mended; a finding at any other seed fails the test.
///
/// light_bodies, mass ratios to 1e-6:
///   1005        maximal-variational does not converge, on the moved model only; not understood
///   1079        tree-variational's error is that of rounding, not of the step: it falls with --tolerance, not with dt
///   1038        tree-variational is six times as far off as it may be; taken to be the same, not measured
///   1222, 1258  a light body is thrown about within microseconds, which thousands of fixed steps do not resolve
///   1248        a row of a spatial loop looks independent to maximal-variational by rounding through the light bodies;
///               tree-variational ends elsewhere than the projected methods, not understood
inline bool is_open(const std::string& kind, unsigned seed) {
  static const std::set<unsigned> light_bodies{1005, 1038, 1079, 1222, 1248, 1258};
  return kind == "light_bodies" && light_bodies.contains(seed);
}

}  // namespace polhode::testing_support
