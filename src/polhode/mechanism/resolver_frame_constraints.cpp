// Constraints between frames: names looked up, numbers checked.
#include <fmt/format.h>

#include "polhode/mechanism/resolver.h"

namespace polhode {

bool MechanismResolver::direction(const Vec3<double>& d, const char* what, const std::string& of, const Source& where) {
  if (has_direction(d)) return true;
  problem(fmt::format("{}: {} ({:g}, {:g}, {:g}) has no direction; give a nonzero vector, e.g. 0 0 1", of, what, d.x, d.y, d.z),
          where);
  return false;
}

bool MechanismResolver::positive(double value, const char* what, const char* unit, const std::string& of, const Source& where) {
  if (std::isfinite(value) && value > 0) return true;
  problem(fmt::format("{}: {} {:g} {} must be a positive number", of, what, value, unit), where);
  return false;
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const PointConstraintSpec& model) {
  const std::string what = label(spec);
  const auto frames = frames_of(model.frame_a, model.frame_b, what, spec.source);
  if (!direction(model.direction, "direction", what, spec.source) || !frames) return;
  keep(spec, PointConstraint{frames->first, frames->second, normalized(model.direction)});
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const PointInPlaneSpec& model) {
  const std::string what = label(spec);
  const auto frames = frames_of(model.frame_a, model.frame_b, what, spec.source);
  if (!direction(model.normal, "normal", what, spec.source) || !frames) return;
  keep(spec, PointInPlane{frames->first, frames->second, normalized(model.normal)});
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const PointOnLineSpec& model) {
  const std::string what = label(spec);
  const auto frames = frames_of(model.frame_a, model.frame_b, what, spec.source);
  if (!direction(model.direction, "direction", what, spec.source) || !frames) return;
  keep(spec, PointOnLine::along(frames->first, frames->second, normalized(model.direction)));
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const CoincidentPointsSpec& model) {
  const auto frames = frames_of(model.frame_a, model.frame_b, label(spec), spec.source);
  if (frames) keep(spec, CoincidentPoints{frames->first, frames->second});
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const CoincidentFramesSpec& model) {
  const auto frames = frames_of(model.frame_a, model.frame_b, label(spec), spec.source);
  if (frames) keep(spec, CoincidentFrames{frames->first, frames->second});
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const ConstantOrientationSpec& model) {
  const auto frames = frames_of(model.frame_a, model.frame_b, label(spec), spec.source);
  if (frames) keep(spec, ConstantOrientation{frames->first, frames->second});
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const WireSpec& model) {
  const std::string what = label(spec);
  const auto frames = frames_of(model.frame_a, model.frame_b, what, spec.source);
  if (!(std::isfinite(model.length) && model.length > 0)) {
    problem(fmt::format("{}: length {:g} m must be a positive number; to hold two points together use point constraints", what,
                        model.length),
            spec.source);
  } else if (frames) {
    keep(spec, Wire{frames->first, frames->second, model.length});
  }
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const ConstantAngleSpec& model) {
  const std::string what = label(spec);
  const auto frames = frames_of(model.frame_a, model.frame_b, what, spec.source);
  const bool good_a = direction(model.axis_a, "first direction", what, spec.source);
  const bool good_b = direction(model.axis_b, "second direction", what, spec.source);
  constexpr double least = 1e-3;  // [rad]; where the equation is met its gradient is the sine of the angle
  if (!(model.angle >= least && model.angle <= pi - least)) {
    problem(fmt::format("{}: angle {:g} rad must lie between {:g} and pi - {:g}: at 0 and pi one equation cannot hold two "
                        "directions together; use constant-orientation, or two constant angles of pi/2",
                        what, model.angle, least, least),
            spec.source);
  } else if (frames && good_a && good_b) {
    keep(spec, ConstantAngle{frames->first, frames->second, normalized(model.axis_a), normalized(model.axis_b),
                             std::cos(model.angle)});
  }
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const NoSlipSpec& model) {
  const std::string what = label(spec);
  const auto frames = frames_of(model.frame_a, model.frame_b, what, spec.source);
  const auto frame_case = frame_of(model.frame_case, what, spec.source);
  if (!direction(model.direction, "direction", what, spec.source) || !frames || !frame_case) return;
  if (out_->frames[std::size_t(frames->first)].body == out_->frames[std::size_t(frames->second)].body) {
    problem(fmt::format("{}: frames \"{}\" and \"{}\" are on one body, whose points cannot slip on each other; name frames of "
                        "two bodies",
                        what, model.frame_a, model.frame_b),
            spec.source);
    return;
  }
  keep(spec, NoSlip{frames->first, frames->second, *frame_case, normalized(model.direction)});
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const RollingDiskSpec& model) {
  const std::string what = label(spec);
  const auto frames = frames_of(model.wheel, model.plane, what, spec.source);
  if (positive(model.radius, "radius", "m", what, spec.source) && frames)
    keep(spec, RollingDisk{frames->first, frames->second, model.radius});
}

void MechanismResolver::add_constraint(const ConstraintSpec& spec, const RollingBallSpec& model) {
  const std::string what = label(spec);
  const auto frames = frames_of(model.ball, model.plane, what, spec.source);
  if (positive(model.radius, "radius", "m", what, spec.source) && frames)
    keep(spec, RollingBall{frames->first, frames->second, model.radius});
}

}  // namespace polhode
