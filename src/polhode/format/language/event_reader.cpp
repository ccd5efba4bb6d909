#include "polhode/format/language/event_reader.h"

#include <fmt/format.h>

#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

constexpr std::string_view when_usage =
    "(when WITNESS rises|falls|crosses value), WITNESS being \"coordinate\", (speed \"name\"), (position \"frame\" x|y|z), "
    "(distance \"frame\" \"frame\"), (time), (energy), (discrete \"name\") or (quantity \"column\")";

/// A form within an event whose keyword decides how it is read.
template <class Result>
struct Choice {
  std::string_view keyword, usage;
  std::optional<Result> (*read)(Arguments&);
};

/// Takes a list as one of the choices. `kind` says what is chosen, `event` and `usage` are for messages.
template <class Result>
std::optional<Result> take_choice(Arguments& outer, const std::vector<Choice<Result>>& choices, const char* kind,
                                  std::string_view usage) {
  const NodeId id = outer.take();
  const Node& node = outer.tree()[id];
  if (node.kind == Node::Kind::bad) return std::nullopt;
  const std::string head(outer.tree().head(id));
  if (node.kind != Node::Kind::list || head.empty()) {
    outer.problem(node.where, fmt::format("{} is not expected here; write {}", describe(outer.tree(), id), usage));
    return std::nullopt;
  }
  for (const Choice<Result>& choice : choices) {
    if (!same_keyword(choice.keyword, head)) continue;
    Arguments inner(outer.tree(), id, choice.usage, outer.notes());
    inner.set_subject(fmt::format("{}: {}", outer.subject(), choice.keyword));
    const std::optional<Result> result = choice.read(inner);
    inner.finish();
    return result;
  }
  std::vector<std::string> keywords;
  for (const Choice<Result>& choice : choices) keywords.emplace_back(choice.keyword);
  outer.problem(outer.tree()[node.first].where,
                fmt::format("there is no {} {}{}", kind, quoted(head),
                            suggestion(std::string(utf8_prefix(lower_case(head), 60)), keywords, kind)));
  return std::nullopt;
}

/// One of a few words, by its place among them.
std::optional<int> take_word(Arguments& arguments, const std::vector<std::string>& words, const char* what) {
  const NodeId id = arguments.peek();
  const auto word = arguments.name(what);
  if (!word) return std::nullopt;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (same_keyword(*word, words[i])) return int(i);
  arguments.problem(arguments.tree()[id].where,
                    fmt::format("{} {} is not known{}", what, quoted(*word),
                                suggestion(std::string(utf8_prefix(lower_case(*word), 60)), words, "choices")));
  return std::nullopt;
}

// Witnesses.

std::optional<WitnessSpec> read_speed_witness(Arguments& a) {
  auto name = a.name("speed");
  return name ? std::optional<WitnessSpec>(SpeedWitness{std::move(*name)}) : std::nullopt;
}
std::optional<WitnessSpec> read_position_witness(Arguments& a) {
  auto frame = a.name("frame");
  const auto axis = take_word(a, {"x", "y", "z"}, "axis");
  return frame && axis ? std::optional<WitnessSpec>(PositionWitness{std::move(*frame), *axis}) : std::nullopt;
}
std::optional<WitnessSpec> read_distance_witness(Arguments& a) {
  auto first = a.name("first frame"), second = a.name("second frame");
  return first && second ? std::optional<WitnessSpec>(DistanceWitness{std::move(*first), std::move(*second)}) : std::nullopt;
}
std::optional<WitnessSpec> read_discrete_witness(Arguments& a) {
  auto name = a.name("discrete variable");
  return name ? std::optional<WitnessSpec>(DiscreteWitness{std::move(*name)}) : std::nullopt;
}

std::optional<WitnessSpec> read_quantity_witness(Arguments& a) {
  auto name = a.name("quantity");
  return name ? std::optional<WitnessSpec>(QuantityWitness{std::move(*name)}) : std::nullopt;
}

std::optional<WitnessSpec> take_witness(Arguments& arguments) {
  static const std::vector<Choice<WitnessSpec>> witnesses{
      {"speed", "(speed \"name\")", read_speed_witness},
      {"position", "(position \"frame\" x|y|z)", read_position_witness},
      {"distance", "(distance \"frame\" \"frame\")", read_distance_witness},
      {"time", "(time)", [](Arguments&) { return std::optional<WitnessSpec>(TimeWitness{}); }},
      {"energy", "(energy)", [](Arguments&) { return std::optional<WitnessSpec>(EnergyWitness{}); }},
      {"discrete", "(discrete \"name\")", read_discrete_witness},
      {"quantity", "(quantity \"column\")", read_quantity_witness},
  };
  if (arguments.at_list()) return take_choice(arguments, witnesses, "witness", when_usage);
  auto coordinate = arguments.name("coordinate");
  return coordinate ? std::optional<WitnessSpec>(CoordinateWitness{std::move(*coordinate)}) : std::nullopt;
}

// When.

using When = decltype(EventSpec::when);

std::optional<When> read_when(Arguments& a) {
  auto witness = take_witness(a);
  const auto crossing = take_word(a, {"rises", "falls", "crosses"}, "direction");
  const auto value = a.angle("value");
  if (!witness || !crossing || !value) return std::nullopt;
  return WhenSpec{std::move(*witness), Crossing(*crossing), *value};
}
std::optional<When> read_at(Arguments& a) {
  AtSpec at;
  do {
    const auto t = a.number("time", "s");
    if (!t) return std::nullopt;
    at.times.push_back(*t);
  } while (!a.at_end());
  return at;
}
std::optional<When> read_every(Arguments& a) {
  const auto period = a.number("period", "s");
  std::optional<double> from = 0.0;
  if (!a.at_end()) from = a.number("start", "s");
  if (!period || !from) return std::nullopt;
  return EverySpec{*period, *from};
}

std::optional<When> take_when(Arguments& arguments) {
  static const std::vector<Choice<When>> triggers{
      {"when", when_usage, read_when},
      {"at", "(at time ...)", read_at},
      {"every", "(every period [from])", read_every},
      {"every-step", "(every-step)", [](Arguments&) { return std::optional<When>(EveryStepSpec{}); }},
  };
  if (!arguments.at_end()) return take_choice(arguments, triggers, "trigger", event_usage);
  arguments.problem(fmt::format("it does not say when; write {}", event_usage));
  return std::nullopt;
}

// Actions.

std::optional<ActionSpec> read_enabling(Arguments& a, bool on) {
  auto name = a.name("constraint");
  return name ? std::optional<ActionSpec>({EnableAction{std::move(*name), on}, a.where()}) : std::nullopt;
}
std::optional<ActionSpec> read_locking(Arguments& a, bool on) {
  auto name = a.name("joint");
  return name ? std::optional<ActionSpec>({LockAction{std::move(*name), on}, a.where()}) : std::nullopt;
}
std::optional<ActionSpec> read_set(Arguments& a) {
  auto name = a.name("coordinate");
  const auto value = a.angle("value", "rad, m");
  return name && value ? std::optional<ActionSpec>({SetCoordinateAction{std::move(*name), *value}, a.where()}) : std::nullopt;
}
std::optional<ActionSpec> read_set_speed(Arguments& a) {
  auto name = a.name("speed");
  const auto value = a.angle("value", "rad/s, m/s");
  return name && value ? std::optional<ActionSpec>({SetSpeedAction{std::move(*name), *value}, a.where()}) : std::nullopt;
}
std::optional<ActionSpec> read_scale_speed(Arguments& a) {
  auto name = a.name("speed");
  const auto factor = a.number("factor");
  return name && factor ? std::optional<ActionSpec>({ScaleSpeedAction{std::move(*name), *factor}, a.where()}) : std::nullopt;
}
std::optional<ActionSpec> read_discrete_action(Arguments& a, bool add) {
  auto name = a.name("discrete variable");
  const auto value = a.number("value");
  if (!name || !value) return std::nullopt;
  return ActionSpec{SetDiscreteAction{std::move(*name), *value, add}, a.where()};
}
std::optional<ActionSpec> read_say(Arguments& a) {
  auto text = a.free_text("text");
  return text ? std::optional<ActionSpec>({SayAction{std::move(*text)}, a.where()}) : std::nullopt;
}

std::optional<ActionSpec> take_action(Arguments& arguments) {
  static const std::vector<Choice<ActionSpec>> actions{
      {"stop", "(stop)",
       [](Arguments& a) {
         return std::optional<ActionSpec>({StopAction{}, a.where()});
       }},
      {"enable", "(enable \"constraint\")", [](Arguments& a) { return read_enabling(a, true); }},
      {"disable", "(disable \"constraint\")", [](Arguments& a) { return read_enabling(a, false); }},
      {"lock", "(lock \"joint\")", [](Arguments& a) { return read_locking(a, true); }},
      {"unlock", "(unlock \"joint\")", [](Arguments& a) { return read_locking(a, false); }},
      {"set", "(set \"coordinate\" value)", read_set},
      {"set-speed", "(set-speed \"speed\" value)", read_set_speed},
      {"scale-speed", "(scale-speed \"speed\" factor)", read_scale_speed},
      {"set-discrete", "(set-discrete \"name\" value)", [](Arguments& a) { return read_discrete_action(a, false); }},
      {"add-discrete", "(add-discrete \"name\" value)", [](Arguments& a) { return read_discrete_action(a, true); }},
      {"say", "(say \"text\")", read_say},
  };
  return take_choice(arguments, actions, "action", event_usage);
}

}  // namespace

void read_event(Arguments& arguments, MechanismBuilder& builder) {
  const auto name = arguments.name("event's name");
  if (!name) return;
  arguments.set_subject(fmt::format("event {}", quoted(*name)));
  auto when = take_when(arguments);
  bool understood = when.has_value();
  std::vector<ActionSpec> actions;
  while (!arguments.at_end()) {
    auto action = take_action(arguments);
    understood = understood && action;
    if (action) actions.push_back(std::move(*action));
  }
  if (understood) builder.add_event({*name, std::move(*when), std::move(actions), arguments.where()});
}

}  // namespace polhode::format
