#include "polhode/format/language/constraint_reader.h"

#include <fmt/format.h>

#include "polhode/format/language/signal_reader.h"
#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

/// What may follow a constraint's arguments: (name "...") and (disabled).
ConstraintSpec take_ending(Arguments& arguments, std::vector<Option> more = {}) {
  ConstraintSpec spec;
  spec.source = arguments.where();
  more.push_back({"name", "(name \"...\")", [&](Arguments& a) { spec.name = a.name("name").value_or(""); }});
  more.push_back({"disabled", "(disabled)", [&](Arguments&) { spec.disabled = true; }});
  arguments.options(more);
  return spec;
}
bool at_ending(const Arguments& arguments) {
  return arguments.at_end() || arguments.at_form("name") || arguments.at_form("disabled");
}

template <class Model>
void add(MechanismBuilder& builder, ConstraintSpec spec, Model model) {
  spec.model = std::move(model);
  builder.add_constraint(std::move(spec));
}

/// x y z, or (x y z) as Listing 1 of Johnson & Murphey have it.
std::optional<Vec3<double>> take_direction(Arguments& arguments) {
  const bool grouped = arguments.at_group();
  if (!grouped) return arguments.vector();
  Arguments inner(arguments.tree(), arguments.take(), "(x y z)", arguments.notes(), Arguments::Head::nothing);
  inner.set_subject(arguments.subject() + ": direction");
  const auto direction = inner.vector();
  inner.finish();
  return direction;
}

constexpr std::string_view term_usage = "(\"coordinate\" coefficient)";

/// ("coordinate" coefficient). False when it was not understood.
bool take_term(Arguments& arguments, std::string_view usage, std::vector<CouplerSpec::Term>& terms) {
  const NodeId id = arguments.take();
  const Node& node = arguments.tree()[id];
  if (node.kind == Node::Kind::bad) return false;
  if (node.kind != Node::Kind::list || node.first == none) {
    arguments.problem(node.where, fmt::format("{} is not expected here; write {}", describe(arguments.tree(), id), usage));
    while (!arguments.at_end()) arguments.take();  // terms without parentheses: one mistake, not as many as there are words
    return false;
  }
  Arguments term(arguments.tree(), id, term_usage, arguments.notes(), Arguments::Head::nothing);
  term.set_subject(arguments.subject());
  const auto coordinate = term.name("coordinate");
  const auto coefficient = term.number("coefficient");
  term.finish();
  if (!coordinate || !coefficient) return false;
  terms.push_back({*coordinate, *coefficient});
  return true;
}

/// Terms, what they add up to, and the ending. Spec: CouplerSpec or SpeedCouplerSpec.
template <class Spec>
void read_sum(Arguments& arguments, std::string_view usage, MechanismBuilder& builder) {
  Spec sum;
  bool understood = true;
  while (!at_ending(arguments) && !arguments.at_form("equals"))
    understood = take_term(arguments, usage, sum.terms) && understood;
  ConstraintSpec spec = take_ending(arguments, {{"equals", "(equals constant)", [&](Arguments& a) {
                                                   const auto constant = a.angle("constant");
                                                   understood = understood && constant;
                                                   sum.constant = constant.value_or(0);
                                                 }}});
  if (understood) add(builder, std::move(spec), std::move(sum));
}

/// Two frames and nothing else.
template <class Spec>
void read_two_frames(Arguments& arguments, MechanismBuilder& builder, const char* kind = "") {
  const auto a = arguments.name("first frame"), b = arguments.name("second frame");
  ConstraintSpec spec = take_ending(arguments);
  spec.kind = kind;
  if (a && b) add(builder, std::move(spec), Spec{*a, *b});
}

/// Two names and a number.
template <class Spec>
void read_two_and_number(Arguments& arguments, MechanismBuilder& builder, const char* first, const char* second,
                         const char* what, const char* kind = "") {
  const auto a = arguments.name(first), b = arguments.name(second);
  const auto value = arguments.number(what);
  ConstraintSpec spec = take_ending(arguments);
  spec.kind = kind;
  if (a && b && value) add(builder, std::move(spec), Spec{*a, *b, *value});
}

/// A coordinate or speed and a number, which may be an angle.
template <class Spec>
void read_one_and_number(Arguments& arguments, MechanismBuilder& builder, const char* kind, const char* what) {
  const auto name = arguments.name(kind);
  const auto value = arguments.angle(what);
  ConstraintSpec spec = take_ending(arguments);
  if (name && value) add(builder, std::move(spec), Spec{*name, *value});
}

}  // namespace

void read_point_constraint(Arguments& arguments, MechanismBuilder& builder) {
  arguments.set_subject("point-constraint");
  const auto a = arguments.name("first frame"), b = arguments.name("second frame");
  const bool coincident = at_ending(arguments);
  const auto direction = coincident ? std::nullopt : take_direction(arguments);
  ConstraintSpec spec = take_ending(arguments);
  if (!a || !b) return;
  if (coincident) add(builder, std::move(spec), CoincidentPointsSpec{*a, *b});
  if (direction) add(builder, std::move(spec), PointConstraintSpec{*a, *b, *direction});
}

void read_ball(Arguments& arguments, MechanismBuilder& builder) {
  read_two_frames<CoincidentPointsSpec>(arguments, builder, "ball");
}
void read_weld(Arguments& arguments, MechanismBuilder& builder) { read_two_frames<CoincidentFramesSpec>(arguments, builder); }
void read_constant_orientation(Arguments& arguments, MechanismBuilder& builder) {
  read_two_frames<ConstantOrientationSpec>(arguments, builder);
}

void read_point_in_plane(Arguments& arguments, MechanismBuilder& builder) {
  const auto a = arguments.name("frame with the plane"), b = arguments.name("frame whose origin stays in it");
  const auto normal = take_direction(arguments);
  ConstraintSpec spec = take_ending(arguments);
  if (a && b && normal) add(builder, std::move(spec), PointInPlaneSpec{*a, *b, *normal});
}

void read_point_on_line(Arguments& arguments, MechanismBuilder& builder) {
  const auto a = arguments.name("frame with the line"), b = arguments.name("frame whose origin stays on it");
  const auto direction = take_direction(arguments);
  ConstraintSpec spec = take_ending(arguments);
  if (a && b && direction) add(builder, std::move(spec), PointOnLineSpec{*a, *b, *direction});
}

void read_wire(Arguments& arguments, MechanismBuilder& builder) {
  read_two_and_number<WireSpec>(arguments, builder, "first frame", "second frame", "length");
}

void read_rod(Arguments& arguments, MechanismBuilder& builder) {
  read_two_and_number<WireSpec>(arguments, builder, "first frame", "second frame", "length", "rod");
}

void read_constant_angle(Arguments& arguments, MechanismBuilder& builder) {
  const auto a = arguments.name("first frame");
  const auto axis_a = take_direction(arguments);
  const auto b = arguments.name("second frame");
  const auto axis_b = take_direction(arguments);
  const auto angle = arguments.angle("angle");
  ConstraintSpec spec = take_ending(arguments);
  if (a && b && axis_a && axis_b && angle) add(builder, std::move(spec), ConstantAngleSpec{*a, *b, *axis_a, *axis_b, *angle});
}

void read_no_slip(Arguments& arguments, MechanismBuilder& builder) {
  const auto frame_case = arguments.name("case frame");
  const auto a = arguments.name("first frame"), b = arguments.name("second frame");
  const auto direction = take_direction(arguments);
  ConstraintSpec spec = take_ending(arguments);
  if (frame_case && a && b && direction) add(builder, std::move(spec), NoSlipSpec{*frame_case, *a, *b, *direction});
}

void read_rolling_disk(Arguments& arguments, MechanismBuilder& builder) {
  read_two_and_number<RollingDiskSpec>(arguments, builder, "wheel's frame", "plane's frame", "radius");
}
void read_rolling_ball(Arguments& arguments, MechanismBuilder& builder) {
  read_two_and_number<RollingBallSpec>(arguments, builder, "ball's frame", "plane's frame", "radius");
}
void read_screw(Arguments& arguments, MechanismBuilder& builder) {
  read_two_and_number<ScrewSpec>(arguments, builder, "coordinate that turns", "coordinate that slides", "lead");
}
void read_gear(Arguments& arguments, MechanismBuilder& builder) {
  read_two_and_number<GearSpec>(arguments, builder, "first coordinate", "second coordinate", "ratio");
}

void read_coupler(Arguments& arguments, MechanismBuilder& builder) { read_sum<CouplerSpec>(arguments, coupler_usage, builder); }
void read_speed_coupler(Arguments& arguments, MechanismBuilder& builder) {
  read_sum<SpeedCouplerSpec>(arguments, speed_coupler_usage, builder);
}

void read_constant_coordinate(Arguments& arguments, MechanismBuilder& builder) {
  read_one_and_number<ConstantCoordinateSpec>(arguments, builder, "coordinate", "value");
}
void read_constant_speed(Arguments& arguments, MechanismBuilder& builder) {
  read_one_and_number<ConstantSpeedSpec>(arguments, builder, "speed", "value");
}
void read_constant_acceleration(Arguments& arguments, MechanismBuilder& builder) {
  read_one_and_number<ConstantAccelerationSpec>(arguments, builder, "speed", "value");
}

void read_motion_constraint(Arguments& arguments, MechanismBuilder& builder) {
  const auto coordinate = arguments.name("coordinate");
  const auto signal = take_signal(arguments);
  ConstraintSpec spec = take_ending(arguments);
  if (coordinate && signal) add(builder, std::move(spec), MotionConstraintSpec{*coordinate, *signal});
}

}  // namespace polhode::format
