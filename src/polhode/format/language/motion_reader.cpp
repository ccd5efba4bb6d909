#include "polhode/format/language/motion_reader.h"

#include <fmt/format.h>

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

void read_motion(Arguments& arguments, MechanismBuilder& builder) {
  const auto coordinate = arguments.name("coordinate");
  if (coordinate) arguments.set_subject(fmt::format("motion {}", quoted(*coordinate)));
  const auto level = take_level(arguments);
  if (!level) return;  // what follows may be anything
  auto signal = take_signal(arguments);
  arguments.finish();
  if (coordinate && signal) builder.add_motion({*coordinate, *level, std::move(*signal), arguments.where()});
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
