#include "polhode/format/language/motion_reader.h"

#include <fmt/format.h>

#include "polhode/format/language/geometry.h"
#include "polhode/format/language/signal_reader.h"
#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

std::optional<Drive> take_level(Arguments& arguments) {
  const Source place = arguments.at_end() ? arguments.where() : arguments.tree()[arguments.peek()].where;
  const auto word = arguments.name("level (position, velocity or acceleration)");
  if (!word) return std::nullopt;
  for (const Drive level : {Drive::position, Drive::velocity, Drive::acceleration})
    if (same_keyword(*word, name(level))) return level;
  arguments.problem(place, fmt::format("there is no level {}; write position, velocity or acceleration", quoted(*word)));
  return std::nullopt;
}

}  // namespace

std::optional<Range> take_range(Arguments& arguments, std::string_view unit) {
  const auto low = arguments.number("lower limit", unit), high = arguments.number("upper limit", unit);
  if (!low || !high) return std::nullopt;
  return Range{*low, *high};
}

namespace {

std::optional<OrientationSignal> made(Arguments& arguments, const std::function<OrientationSignal()>& make) {
  try {
    return make();
  } catch (const std::invalid_argument& error) {
    arguments.problem(error.what());
    return std::nullopt;
  }
}

std::optional<OrientationSignal> take_samples(Arguments& arguments) {
  std::vector<double> times;
  std::vector<Quaternion<double>> values;
  bool good = true;
  while (arguments.at_group()) {
    Arguments point(arguments.tree(), arguments.take(), "(time ORIENTATION)", arguments.notes(), Arguments::Head::nothing);
    point.set_subject(arguments.subject());
    const auto t = point.number("time");
    if (!at_orientation(point)) {
      point.problem("after its time a sample has an orientation: (quat w x y z), (rpy ...) or (rotation ...)");
      return std::nullopt;
    }
    const auto R = take_orientation(point);
    point.finish();
    good = good && t && R;
    if (!good) continue;
    times.push_back(*t);
    values.push_back(quaternion(*R));
  }
  arguments.finish();
  if (!good) return std::nullopt;
  return made(arguments, [&] { return OrientationSignal::samples(std::move(times), std::move(values)); });
}

bool at_turn(const Arguments& arguments) {
  return arguments.at_form("rpy") || arguments.at_form("axis-angle") || arguments.at_form("orientations");
}

/// An orientation as a function of time.
std::optional<OrientationSignal> take_turn(Arguments& arguments) {
  const bool is_rpy = arguments.at_form("rpy"), is_axis = arguments.at_form("axis-angle");
  Arguments inner(arguments.tree(), arguments.take(),
                  is_rpy    ? "(rpy roll pitch yaw), each of them a signal"
                  : is_axis ? "(axis-angle x y z angle), the angle being a signal"
                            : "(orientations (time ORIENTATION) (time ORIENTATION) ...)",
                  arguments.notes());
  inner.set_subject(arguments.subject() + ": " + inner.subject());
  if (is_rpy) {
    auto roll = take_signal(inner), pitch = take_signal(inner), yaw = take_signal(inner);
    inner.finish();
    if (!roll || !pitch || !yaw) return std::nullopt;
    return OrientationSignal::roll_pitch_yaw(std::move(*roll), std::move(*pitch), std::move(*yaw));
  }
  if (!is_axis) return take_samples(inner);
  const auto axis = inner.vector();
  auto angle = take_signal(inner);
  inner.finish();
  if (!axis || !angle) return std::nullopt;
  return made(inner, [&] { return OrientationSignal::about(*axis, std::move(*angle)); });
}

/// (pose x y z [turn]): three signals and an orientation, which does not change where it is left out.
void read_pose_motion(Arguments& arguments, const std::string& joint, MechanismBuilder& builder) {
  Arguments inner(arguments.tree(), arguments.take(), "(pose x y z [orientation]), x, y and z being signals",
                  arguments.notes());
  inner.set_subject(arguments.subject() + ": pose");
  std::vector<Signal> place;
  bool good = true;
  for (int i = 0; i < 3; ++i) {
    auto signal = take_signal(inner);
    good = good && signal;
    if (good) place.push_back(std::move(*signal));
  }
  const auto turn = inner.at_end()   ? std::optional(OrientationSignal::about(z_axis, Signal()))
                    : at_turn(inner) ? take_turn(inner)
                                     : std::nullopt;
  inner.finish();
  arguments.finish();
  if (good && turn) builder.add_motion(JointMotionSpec{joint, *turn, std::move(place), arguments.where()});
}

}  // namespace

void read_motion(Arguments& arguments, MechanismBuilder& builder) {
  const auto coordinate = arguments.name("coordinate");
  if (coordinate) arguments.set_subject(fmt::format("motion {}", quoted(*coordinate)));
  const auto level = take_level(arguments);
  if (!level) return;  // what follows may be anything
  const bool whole = at_turn(arguments) || arguments.at_form("pose");
  if (whole && *level != Drive::position) {
    arguments.problem("orientations and poses are given at level position; at others give each speed a motion of its own");
    return;
  }
  if (whole && !coordinate) return;
  if (arguments.at_form("pose")) return read_pose_motion(arguments, *coordinate, builder);
  if (whole) {
    const auto turn = take_turn(arguments);
    arguments.finish();
    if (turn) builder.add_motion(JointMotionSpec{*coordinate, *turn, {}, arguments.where()});
    return;
  }
  auto signal = take_signal(arguments);
  arguments.finish();
  if (coordinate && signal) builder.add_motion(MotionSpec{*coordinate, *level, std::move(*signal), arguments.where()});
}

void read_fast(Arguments& arguments, MechanismBuilder& builder) {
  do {
    const auto coordinate = arguments.name("coordinate");
    if (!coordinate) return;
    builder.add_fast({*coordinate, arguments.where()});
  } while (!arguments.at_end());
}

void read_lock(Arguments& arguments, MechanismBuilder& builder) {
  const auto joint = arguments.name("joint");
  if (joint) arguments.set_subject(fmt::format("lock {}", quoted(*joint)));
  const auto level = arguments.at_end() ? std::optional(Drive::position) : take_level(arguments);
  arguments.finish();
  if (joint && level) builder.lock({*joint, *level, arguments.where()});
}

void read_discrete(Arguments& arguments, MechanismBuilder& builder) {
  const auto name = arguments.name("name");
  if (name) arguments.set_subject(fmt::format("discrete {}", quoted(*name)));
  const auto value = arguments.angle("value");
  arguments.finish();
  if (name && value) builder.add_discrete({*name, *value, arguments.where()});
}

void read_input(Arguments& arguments, MechanismBuilder& builder) {
  InputSpec spec;
  const auto name = arguments.name("name");
  if (name) arguments.set_subject(fmt::format("input {}", quoted(*name)));
  std::optional<double> value = 0.0;
  if (!arguments.at_end() && (!arguments.at_list() || arguments.at_form("deg"))) value = arguments.angle("default");
  std::optional<Range> limits = Range{};
  arguments.options({{"limits", "(limits low high)", [&](Arguments& inner) { limits = take_range(inner); }}});
  if (!name || !value || !limits) return;
  builder.add_input({*name, *value, *limits, arguments.where()});
}

}  // namespace polhode::format
