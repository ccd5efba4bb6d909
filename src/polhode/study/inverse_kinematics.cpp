#include "polhode/study/inverse_kinematics.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "polhode/tree/assembler.h"

namespace polhode::study {
namespace {

bool seen(const Vec3<double>& p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

tree::AssemblerOptions with_markers(tree::AssemblerOptions options, const std::vector<tree::PointGoal>& markers) {
  options.goals.points.insert(options.goals.points.begin(), markers.begin(), markers.end());
  return options;
}

}  // namespace

MarkerTracker::MarkerTracker(const State& start, std::vector<tree::PointGoal> markers, tree::AssemblerOptions options)
    : m_(start.mechanism()),
      markers_(std::move(markers)),
      tolerance_(options.tolerance),
      goal_restarts_(options.goal_restarts),
      assembler_(std::make_unique<tree::Assembler>(start, with_markers(std::move(options), markers_))),
      q_(start.q().begin(), start.q().end()),
      w_(m_) {}

MarkerTracker::~MarkerTracker() = default;

std::vector<tree::UnmetRow> MarkerTracker::unmet() { return assembler_->unmet(q_, tolerance_); }

MarkerFit MarkerTracker::fit(double t, std::span<const Vec3<double>> positions) {
  if (positions.size() != markers_.size()) throw std::invalid_argument("as many positions are needed as there are markers");
  for (std::size_t i = 0; i < markers_.size(); ++i)
    assembler_->set_point_target(int(i), seen(positions[i]) ? positions[i] : Vec3<double>{},
                                 seen(positions[i]) ? markers_[i].weight : 0);
  assembler_->set_time(t);
  for (const KinematicCoordinate& k : m_.kinematic()) q_[std::size_t(k.q)] = k.signal.value(t);
  for (const DrivenOrientation& o : m_.orientations())
    put_quaternion(o.orientation.at(t).q, q_.data() + m_.joints()[std::size_t(o.joint)].first_q);
  met_ = assembler_->meet_constraints(q_);
  if (met_) assembler_->approach_goals(q_, first_ ? goal_restarts_ : 0);
  first_ = false;

  MarkerFit out{t, q_, 0, 0, assembler_->largest_error(q_)};
  tree::positions(w_, q_);
  int count = 0;
  for (std::size_t i = 0; i < markers_.size(); ++i) {
    if (!seen(positions[i])) continue;
    const Frame& frame = m_.frames()[std::size_t(markers_[i].frame)];
    const double distance = norm(tree::pose(w_, frame.body) * (frame.X_BF * markers_[i].point) - positions[i]);
    out.rms += distance * distance;
    out.largest = std::max(out.largest, distance);
    ++count;
  }
  out.rms = count == 0 ? 0 : std::sqrt(out.rms / count);
  return out;
}

InverseKinematicsSummary inverse_kinematics(const State& start, const MarkerTable& table, const tree::AssemblerOptions& options,
                                            const std::function<void(const MarkerFit&)>& report) {
  const std::size_t width = table.markers.size();
  if (table.points.size() != table.times.size() * width)
    throw std::invalid_argument("the table of markers has rows of different lengths");
  MarkerTracker tracker(start, table.markers, options);
  InverseKinematicsSummary out;
  double squares = 0;
  for (std::size_t i = 0; i < table.times.size(); ++i) {
    const MarkerFit fit = tracker.fit(table.times[i], std::span(table.points).subspan(i * width, width));
    if (!tracker.met()) {
      out.completed = false;
      out.failed_at = table.times[i];
      out.unmet = tracker.unmet();
      break;
    }
    ++out.samples;
    squares += fit.rms * fit.rms;
    out.largest = std::max(out.largest, fit.largest);
    out.constraint_error = std::max(out.constraint_error, fit.constraint_error);
    if (report) report(fit);
  }
  out.rms = out.samples == 0 ? 0 : std::sqrt(squares / out.samples);
  return out;
}

}  // namespace polhode::study
