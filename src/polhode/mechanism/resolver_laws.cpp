#include "polhode/mechanism/resolver_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polhode {
namespace {

/// The form that says which kind of thing a name in a law is.
const char* word_for(Law::Kind kind) {
  switch (kind) {
    case Law::Kind::coordinate: return "coordinate";
    case Law::Kind::speed: return "speed";
    case Law::Kind::input: return "input";
    case Law::Kind::state: return "state";
    case Law::Kind::discrete: return "discrete";
    case Law::Kind::any: break;
  }
  return "parameter";
}
const char* article_for(Law::Kind kind) { return kind == Law::Kind::input ? "an" : "a"; }
const char* noun_for(Law::Kind kind) { return kind == Law::Kind::discrete ? "discrete variable" : word_for(kind); }

const Source& place_of(const Law::Read& read, const Source& otherwise) { return read.where.line > 0 ? read.where : otherwise; }

/// `it may be a coordinate or an input; write (coordinate "x") or (input "x")`.
std::string choice_between(Law::Kind a, Law::Kind b, const std::string& name) {
  return fmt::format("\"{0}\" may be {1} {2} or {3} {4}; write ({5} \"{0}\") or ({6} \"{0}\")", name, article_for(a),
                     noun_for(a), article_for(b), noun_for(b), word_for(a), word_for(b));
}

}  // namespace

void LawPlacer::make_states() {
  for (const StateSpec& spec : in_.states()) {
    const std::string label = fmt::format("state \"{}\"", spec.name);
    const auto same = [&](const StateSpec& other) { return other.name == spec.name; };
    const auto first = std::find_if(in_.states().begin(), in_.states().end(), same);
    if (spec.name.empty()) {
      problem("a state has no name; give it one", spec.source);
    } else if (&*first != &spec) {
      problems_.duplicate(label, spec.source, first->source);
    } else if (!std::isfinite(spec.initial)) {
      problem(fmt::format("{} must start as a finite number, not {}", label, spec.initial), spec.source);
    }
    out_.initial_z.push_back(spec.initial);
    out_.z_names.push_back(spec.name);
  }
}

void LawPlacer::make_rates() {
  for (std::size_t i = 0; i < in_.states().size(); ++i) {
    const StateSpec& spec = in_.states()[i];
    if (auto rate = placed(spec.rate, fmt::format("state \"{}\"", spec.name), spec.source))
      out_.state_laws.push_back({int(i), std::move(*rate)});
  }
}

std::optional<int> LawPlacer::state_of(const std::string& name) const {
  const auto found = std::find_if(in_.states().begin(), in_.states().end(), [&](const auto& s) { return s.name == name; });
  return found == in_.states().end() ? std::nullopt : std::optional(int(found - in_.states().begin()));
}
std::optional<int> LawPlacer::discrete_of(const std::string& name) const {
  const auto found = std::find_if(out_.discrete.begin(), out_.discrete.end(), [&](const auto& d) { return d.name == name; });
  return found == out_.discrete.end() ? std::nullopt : std::optional(int(found - out_.discrete.begin()));
}

std::vector<std::string> LawPlacer::all_names() const {
  std::vector<std::string> names = out_.coordinate_names;
  names.insert(names.end(), out_.speed_names.begin(), out_.speed_names.end());
  for (const Input& input : out_.inputs) names.push_back(input.name);
  for (const StateSpec& state : in_.states()) names.push_back(state.name);
  for (const DiscreteVariable& variable : out_.discrete) names.push_back(variable.name);
  return names;
}

std::vector<Law::Kind> LawPlacer::kinds_of(const std::string& name) {
  std::vector<Kind> kinds;
  if (out_.coordinate_table.find(name)) kinds.push_back(Kind::coordinate);
  if (names_.is_speed_of_its_own(name)) kinds.push_back(Kind::speed);
  if (inputs_.find(name)) kinds.push_back(Kind::input);
  if (state_of(name)) kinds.push_back(Kind::state);
  if (discrete_of(name)) kinds.push_back(Kind::discrete);
  return kinds;
}

/// The kind of thing that a word stands for. What it might be besides is a mistake: nobody could tell which was meant.
std::optional<Law::Kind> LawPlacer::kind_of(const Asked& asked) {
  const std::vector<Kind> kinds = kinds_of(asked.read.name);
  if (kinds.size() == 1) return kinds[0];
  if (kinds.empty()) {
    not_defined(asked, "coordinate, speed, input, state, discrete variable or parameter", {}, "names");
  } else {
    problem(fmt::format("{}: {}", asked.label, choice_between(kinds[0], kinds[1], asked.read.name)), asked.where);
  }
  return std::nullopt;
}

std::optional<int> LawPlacer::not_defined(const Asked& asked, const char* kind, const std::vector<std::string>& known,
                                          const char* kinds) {
  problem(fmt::format("{}: there is no {} \"{}\"{}", asked.label, kind, asked.read.name,
                      problems_.hint(
                          asked.read.name, [&] { return known.empty() ? all_names() : known; }, kinds)),
          asked.where);
  return std::nullopt;
}

std::optional<int> LawPlacer::index_of(Kind kind, const Asked& asked) {
  const std::string& name = asked.read.name;
  switch (kind) {
    case Kind::coordinate: return names_.coordinate_of(name, asked.label, asked.where);
    case Kind::speed:
      return names_.is_speed_of_its_own(name) ? names_.own_speed(name) : names_.speed_of(name, asked.label, asked.where);
    case Kind::input: return inputs_.input_of(name, asked.label, asked.where);
    case Kind::state:
      if (const auto state = state_of(name)) return state;
      return not_defined(asked, "state", {}, "names");
    case Kind::discrete:
      if (const auto variable = discrete_of(name)) return variable;
      return not_defined(asked, "discrete variable", {}, "names");
    case Kind::any: break;
  }
  return std::nullopt;
}

bool LawPlacer::parameters_are_clear(const Law& law, const std::string& label, const Source& where) {
  bool clear = true;
  for (const Law::Read& parameter : law.parameters()) {
    const std::vector<Kind> kinds = kinds_of(parameter.name);
    if (kinds.empty()) continue;
    clear = false;
    problem(fmt::format("{}: {}", label, choice_between(Kind::any, kinds[0], parameter.name)), place_of(parameter, where));
  }
  return clear;
}

std::optional<Law> LawPlacer::placed(const Law& law, const std::string& label, const Source& where) {
  std::vector<Law::Read> reads = law.reads();
  bool good = parameters_are_clear(law, label, where);
  for (Law::Read& read : reads) {
    const Asked asked{read, label, place_of(read, where)};
    const auto kind = read.kind == Kind::any ? kind_of(asked) : std::optional(read.kind);
    const auto index = kind ? index_of(*kind, asked) : std::nullopt;
    good = good && index;
    if (!index) continue;
    read.kind = *kind;
    read.index = *index;
  }
  return good ? std::optional(law.with_reads(std::move(reads))) : std::nullopt;
}

}  // namespace polhode
