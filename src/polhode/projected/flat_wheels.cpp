#include "polhode/projected/flat_wheels.h"

#include <fmt/format.h>

namespace polhode::projected {
namespace {

/// The axle's part along the plane, in the plane's axes: zero where the wheel lies flat, and along the other way beyond.
Vec3<double> axle_along(const maximal::Bodies& at, const Frame& wheel, const Frame& plane) {
  const auto axes = [&](const Frame& frame) { return rotation(at[std::size_t(frame.body)].r) * frame.X_BF.R; };
  Vec3<double> axle = transpose_times(axes(plane), axes(wheel).col[2]);
  axle.z = 0;
  return axle;
}

}  // namespace

FlatWheels::FlatWheels(const Mechanism& mechanism)
    : mechanism_(mechanism), map_(mechanism), at_rest_(std::size_t(mechanism.num_u())) {
  int element = int(mechanism_.loop_joints().size());
  for (const Constraint& constraint : mechanism_.constraints()) {
    if (const auto* disk = std::get_if<RollingDisk>(&constraint.model))
      wheels_.push_back({&constraint, element, &mechanism_.frames()[std::size_t(disk->frame_a)],
                         &mechanism_.frames()[std::size_t(disk->frame_b)], true});
    ++element;
  }
  std::size_t longest = 0;
  for (const Wheel& wheel : wheels_) longest = std::max(longest, wheel.constraint->description.size());
  name_.reserve(longest);
  before_.resize(std::size_t(mechanism.num_bodies())), after_ = before_;
}

void FlatWheels::set_enabled(std::span<const char> enabled) {
  for (Wheel& wheel : wheels_) wheel.enabled = enabled.empty() || enabled[std::size_t(wheel.element)] != 0;
}

bool FlatWheels::turn_over(const maximal::Bodies& before, const maximal::Bodies& after) {
  for (const Wheel& wheel : wheels_) {
    if (!wheel.enabled) continue;
    const Vec3<double> was = axle_along(before, *wheel.frame, *wheel.plane), is = axle_along(after, *wheel.frame, *wheel.plane);
    if (dot(was, is) > 0) continue;
    name_ = wheel.constraint->description;
    return true;
  }
  return false;
}

bool FlatWheels::turn_over(std::span<const double> q_before, std::span<const double> q_after) {
  map_.to_bodies(q_before, at_rest_, before_);
  map_.to_bodies(q_after, at_rest_, after_);
  return turn_over(before_, after_);
}

std::string explain_flat_wheel(double t, const std::string& name, std::optional<double> fixed_step) {
  const std::string shorter =
      fixed_step ? fmt::format(" If it only turns fast there, try dt = {:.3g} s.", *fixed_step / 4) : std::string();
  return fmt::format(
      "t = {:.9g} s: the wheel of {} falls flat on its plane, where no point of it is the lowest and rolling has no meaning. "
      "End the run before that, or let an event disable the constraint.{}",
      t, name, shorter);
}

}  // namespace polhode::projected
