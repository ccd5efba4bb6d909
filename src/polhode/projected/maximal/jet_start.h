#pragma once
#include <vector>

#include "polhode/projected/maximal/jet_parts.h"
#include "polhode/tree/require_met.h"

namespace polhode::projected {

/// How a motion begins: on the constraints, however well these fit together. Which rows depend on each other is found out
/// first.
class JetStart {
 public:
  using Vector = std::vector<double>;

  explicit JetStart(const MaximalProjectedOptions& options) : quasi_(options.projection == JetProjection::Kind::quasi) {}

  /// Of the state that was set.
  void set_rows_without_motion(tree::MetCheck::RowsWithoutMotion rows) { dead_ = rows; }

  /// Brings the point that was given onto the constraints.
  bool project(JetParts& parts, double t, const Vector& given, Vector& x, JetCounters& counters) const;
  /// Whether rows that miss each other by a little are still asked to be met.
  bool may_leave_gaps(const JetParts& parts) const { return parts.system.redundant_rows() != RedundantRows::nearly && quasi_; }
  /// They are not, from here on, where rows are nearly redundant at the point; false if that is not so, or no news.
  bool leave_gaps(JetParts& parts, double t, const Vector& at, JetCounters& counters) const;

 private:
  RedundantRows find_redundant_rows(JetParts& parts, double t, const Vector& at, JetCounters& counters) const;

  bool quasi_;
  tree::MetCheck::RowsWithoutMotion dead_;
};

}  // namespace polhode::projected
