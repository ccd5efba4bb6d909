#include "polhode/study/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "polhode/study/column_names.h"

namespace polhode::study {
namespace {

constexpr std::array<std::pair<const char*, Measure::Keep>, 4> keeps{{{"final", Measure::Keep::final},
                                                                      {"min", Measure::Keep::least},
                                                                      {"max", Measure::Keep::greatest},
                                                                      {"mean", Measure::Keep::mean}}};

}  // namespace

Quantity Quantity::find(const Mechanism& mechanism, const std::string& name) {
  if (name == "kinetic") return {Kind::kinetic, 0, 0};
  if (name == "potential") return {Kind::potential, 0, 0};
  if (name == "energy") return {Kind::energy, 0, 0};
  if (const auto place = ColumnNames(mechanism).find(name)) {
    if (place->kind == ColumnNames::Kind::coordinate) return {Kind::coordinate, place->index, 0};
    if (place->kind == ColumnNames::Kind::speed) return {Kind::speed, place->index, 0};
    if (place->kind == ColumnNames::Kind::frame) return {Kind::frame, place->index, place->axis};
  }
  return {Kind::none, 0, 0};
}

bool Quantity::exists(const Mechanism& mechanism, const std::string& name) { return find(mechanism, name).kind_ != Kind::none; }

Quantity::Quantity(const Mechanism& mechanism, const std::string& name) : Quantity(find(mechanism, name)) {
  if (kind_ != Kind::none) return;
  const ColumnNames names(mechanism);
  std::vector<std::string> known = names.coordinates();
  known.insert(known.end(), names.speeds().begin(), names.speeds().end());
  for (int i = 1; i < int(mechanism.frames().size()); ++i)
    for (int axis = 0; axis < 3; ++axis) known.push_back(names.frame(i, axis));
  known.insert(known.end(), {"kinetic", "potential", "energy"});
  throw std::invalid_argument(
      fmt::format("there is no coordinate, speed or frame position \"{}\"{}", name, suggestion(name, known, "there are")));
}

double Quantity::operator()(const State& state) const {
  switch (kind_) {
    case Kind::coordinate: return state.q()[std::size_t(index_)];
    case Kind::speed: return state.u()[std::size_t(index_)];
    case Kind::frame: return state.frame_pose(index_).p[axis_];
    case Kind::kinetic: return state.kinetic_energy();
    case Kind::potential: return state.potential_energy();
    case Kind::energy: return state.energy();
    case Kind::none: break;
  }
  return 0;
}

Measure Measure::parse(const std::string& text, const Mechanism& mechanism) {
  return Quantity::exists(mechanism, text) ? Measure{text, Keep::final} : parse(text);
}

Measure Measure::parse(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {text, Keep::final};
  const std::string how = text.substr(colon + 1);
  for (const auto& [word, keep] : keeps)
    if (how == word) return {text.substr(0, colon), keep};
  throw std::invalid_argument(fmt::format("\"{}\": there is no \"{}\" of a quantity{}", text, how,
                                          suggestion(how, {"final", "min", "max", "mean"}, "there are")));
}

std::string Measure::name() const {
  for (const auto& [word, kept] : keeps)
    if (kept == keep) return fmt::format("{}:{}", quantity, word);
  return quantity;
}

void Meter::add(const State& state) {
  const double value = quantity_(state), time = state.time();
  if (!started_) least_ = greatest_ = value;
  least_ = std::min(least_, value);
  greatest_ = std::max(greatest_, value);
  if (started_) integral_ += 0.5 * (last_ + value) * (time - last_time_), duration_ += time - last_time_;
  last_ = value;
  last_time_ = time;
  started_ = true;
}

double Meter::value() const {
  switch (keep_) {
    case Measure::Keep::final: return last_;
    case Measure::Keep::least: return least_;
    case Measure::Keep::greatest: return greatest_;
    case Measure::Keep::mean: return duration_ > 0 ? integral_ / duration_ : last_;
  }
  return last_;
}

}  // namespace polhode::study
