#include <fmt/format.h>

#include "polhode/format/language/force_reader.h"
#include "polhode/format/language/law_reader.h"
#include "polhode/format/language/signal_reader.h"
#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

constexpr const char* table_usage = "(table (x f) (x f) ... [(linear) | (natural)])";

/// The same without its keyword.
std::optional<ForceLaw> read_table(Arguments& arguments) {
  std::vector<double> extensions, forces;
  bool good = true;
  while (arguments.at_group()) {
    Arguments point(arguments.tree(), arguments.take(), "(extension force)", arguments.notes(), Arguments::Head::nothing);
    point.set_subject(arguments.subject());
    const auto x = point.angle("extension", "rad, m"), f = point.number("force", "N, N m");
    point.finish();
    good = good && x && f;
    if (!good) continue;
    if (!extensions.empty() && !(extensions.back() < *x)) {
      point.problem(fmt::format("extensions must increase, but {:.9g} follows {:.9g}", *x, extensions.back()));
      good = false;
      continue;
    }
    extensions.push_back(*x);
    forces.push_back(*f);
  }
  const bool only_points = arguments.at_end() || arguments.at_list();
  auto joining = ForceLaw::Joining::monotone;
  int said = 0;
  const auto choose = [&](ForceLaw::Joining chosen) {
    return [&joining, &said, chosen](Arguments&) { joining = chosen, ++said; };
  };
  arguments.options({{"monotone", "(monotone)", choose(ForceLaw::Joining::monotone)},
                     {"linear", "(linear)", choose(ForceLaw::Joining::linear)},
                     {"natural", "(natural)", choose(ForceLaw::Joining::natural)}});
  if (said > 1) {
    arguments.problem("its points are joined in two ways; keep one of (monotone), (linear) and (natural)");
    good = false;
  }
  if (good && only_points && extensions.size() < 2) {
    arguments.problem(fmt::format("it has fewer than two points; write {}", table_usage));
    good = false;
  }
  return good ? std::optional(ForceLaw::table(std::move(extensions), std::move(forces), joining)) : std::nullopt;
}

/// k1 k2 ... or (table ...), and what else may follow.

/// Force or torque on a frame: three signals, or three laws where one of them is a law.
struct ThreeComponents {
  std::array<Signal, 3> signals{};
  std::optional<std::array<Law, 3>> laws{};
};
/// Whether they could be read.
bool take_components(Arguments& arguments, ThreeComponents& into) {
  if (any_law_ahead(arguments, 3)) {
    into.laws = take_three_laws(arguments);
    return into.laws.has_value();
  }
  for (Signal& component : into.signals)
    if (auto signal = take_signal(arguments)) component = std::move(*signal);
  return true;
}
std::array<Law, 3> as_laws(const ThreeComponents& components) {
  if (components.laws) return *components.laws;
  const std::array<Signal, 3>& s = components.signals;
  return {Law::signal(s[0]), Law::signal(s[1]), Law::signal(s[2])};
}

}  // namespace

std::optional<ForceLaw> take_force_law(Arguments& arguments, std::vector<Option> further) {
  std::vector<double> stiffnesses;
  std::optional<ForceLaw> law;
  bool good = true, table = false;
  while (!arguments.at_end() && !arguments.at_list()) {
    const auto k = arguments.number("stiffness");
    good = good && k;
    stiffnesses.push_back(k.value_or(0));
  }
  further.push_back({"table", table_usage, [&](Arguments& a) {
                       table = true;
                       law = read_table(a);
                     }});
  arguments.options(further);
  if (table && !stiffnesses.empty()) {
    arguments.problem("it has both stiffnesses and a table; keep one of the two");
    return std::nullopt;
  }
  if (table) return law;
  if (stiffnesses.empty()) {
    arguments.problem("it gives no force; give stiffnesses k1 k2 ... or (table (x f) (x f) ...)");
    return std::nullopt;
  }
  return good ? std::optional(ForceLaw::polynomial(std::move(stiffnesses))) : std::nullopt;
}

void read_generalized_force(Arguments& arguments, MechanismBuilder& builder) {
  const auto coordinate = arguments.name("coordinate");
  if (coordinate) arguments.set_subject(fmt::format("generalized-force on {}", quoted(*coordinate)));
  if (at_law(arguments)) {
    auto law = take_law(arguments);
    arguments.finish();
    if (coordinate && law) builder.add_force({LawForceSpec{*coordinate, std::move(*law)}, arguments.where()});
    return;
  }
  if (arguments.at_list()) {
    auto signal = take_signal(arguments);
    arguments.finish();
    if (coordinate && signal) builder.add_force({CoordinateInputSpec{*coordinate, std::move(*signal)}, arguments.where()});
    return;
  }
  const auto value = arguments.number("value", "N, N m");
  arguments.finish();
  if (coordinate && value) builder.add_force({CoordinateForceSpec{*coordinate, *value}, arguments.where()});
}

void read_frame_wrench(Arguments& arguments, MechanismBuilder& builder) {
  WrenchComponents components_of_all = WrenchComponents::body;
  ThreeComponents force, torque;
  bool good = true;
  const auto frame = arguments.name("frame");
  if (frame) arguments.set_subject(fmt::format("frame-wrench on {}", quoted(*frame)));
  int said = 0;
  const auto components = [&](WrenchComponents which) {
    return [&said, &components_of_all, which](Arguments& a) {
      if (++said > 1) a.problem("the wrench has other components already; keep one of (body), (hybrid), (spatial)");
      components_of_all = which;
    };
  };
  arguments.options({
      {"force", "(force x y z)", [&](Arguments& a) { good = take_components(a, force) && good; }},
      {"torque", "(torque x y z)", [&](Arguments& a) { good = take_components(a, torque) && good; }},
      {"body", "(body)", components(WrenchComponents::body)},
      {"hybrid", "(hybrid)", components(WrenchComponents::hybrid)},
      {"spatial", "(spatial)", components(WrenchComponents::spatial)},
  });
  if (!frame || !good) return;
  if (force.laws || torque.laws) {
    builder.add_force({LawWrenchSpec{*frame, true, components_of_all, as_laws(force), as_laws(torque)}, arguments.where()});
  } else {
    builder.add_force({FrameWrenchSpec{*frame, components_of_all, force.signals, torque.signals}, arguments.where()});
  }
}

void read_gravity(Arguments& arguments, MechanismBuilder& builder) {
  if (const auto g = arguments.vector("m/s^2")) builder.gravity = *g;
  if (!arguments.at_list()) return arguments.finish();
  GravityScope& scope = builder.gravity_scope;
  scope.source = arguments.where();
  int said = 0;
  const auto names = [&](bool only) {
    return [&, only](Arguments& a) {
      if (++said > 1) a.problem("gravity is given both (on ...) and (except ...); keep one of the two");
      if (a.at_end()) return a.problem("it names no body");
      scope.only = only;
      while (!a.at_end() && !a.at_list())
        if (auto body = a.name("body's name")) scope.bodies.push_back(std::move(*body));
    };
  };
  arguments.options({{"on", "(on \"body\" ...)", names(true)}, {"except", "(except \"body\" ...)", names(false)}});
}

}  // namespace polhode::format
