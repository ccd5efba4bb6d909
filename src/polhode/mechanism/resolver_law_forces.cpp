#include <fmt/format.h>

#include <limits>
#include <stdexcept>

#include "polhode/mechanism/resolver_forces.h"

namespace polhode {

void ForceMaker::add_force(const Source& where, const LawForceSpec& spec) {
  const std::string label = fmt::format("generalized-force on \"{}\"", spec.coordinate);
  const auto u = names_.speed_of(spec.coordinate, "generalized-force", where);
  auto law = laws_.placed(spec.value, label, where);
  if (u && law) out_.forces.add(LawForce{label, LawForceSpec::keyword, {}, {{.law = std::move(*law), .u = *u}}});
}

std::optional<FramePlace> ForceMaker::place_of(const LawWrenchSpec& spec, const char* keyword, const Source& where) {
  FramePlace place;
  if (spec.at_frame) {
    const auto frame = names_.frame_of(spec.on, keyword, where);
    if (!frame) return std::nullopt;
    place = {*frame, out_.frames[std::size_t(*frame)].body, out_.frames[std::size_t(*frame)].X_BF};
  } else {
    const auto body = names_.body_of(spec.on, keyword, where);
    if (!body) return std::nullopt;
    place = {-1, *body, {Mat3<double>::identity(), out_.bodies[std::size_t(*body)].mass.com}};
  }
  if (place.body != 0) return place;
  problem(fmt::format("{}: \"{}\" is on the ground, which no force moves; name something that moves", keyword, spec.on), where);
  return std::nullopt;
}

void ForceMaker::add_force(const Source& where, const LawWrenchSpec& spec) {
  const char* const keyword = spec.at_frame ? "frame-wrench" : "wrench";
  const std::string label = fmt::format("{} on \"{}\"", keyword, spec.on);
  const auto place = place_of(spec, keyword, where);
  LawForce force{label, keyword, {}, {}};
  bool good = place.has_value();
  for (int component = 0; component < 6; ++component) {
    const Law& law = component < 3 ? spec.torque[std::size_t(component)] : spec.force[std::size_t(component - 3)];
    if (law.is_constant() && law.constant_value() == 0) continue;
    auto placed = laws_.placed(law, label, where);
    good = good && placed;
    if (good) force.loads.push_back({std::move(*placed), -1, *place, spec.components, component});
  }
  if (good && !force.loads.empty()) out_.forces.add(std::move(force));  // all zero, it does nothing
}

/// Gear times the input, between the limits: one law.
void ForceMaker::add_force(const Source& where, const LawMotorSpec& spec) {
  const std::string label = fmt::format("motor \"{}\"", spec.name);
  const auto u = names_.speed_of(spec.coordinate, label, where);
  if (!names_.number(spec.gear, -std::numeric_limits<double>::infinity(), "gear", label, where)) return;
  const std::string& input = spec.input.empty() ? spec.name : spec.input;
  try {
    const Law whole =
        Law::clamp(Law::constant(spec.gear) * Law::of(Law::Kind::input, input, where), spec.low, spec.high).at(where);
    auto law = laws_.placed(whole, label, where);
    if (u && law) out_.forces.add(LawForce{label, LawMotorSpec::keyword, spec.name, {{.law = std::move(*law), .u = *u}}});
  } catch (const std::length_error& error) {
    problem(fmt::format("{}: {}", label, error.what()), where);
  }
}

}  // namespace polhode
