#include "polhode/study/column_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace polhode::study {
namespace {

/// All that any table of results has of its own beside a mechanism's names: runs, and what follows markers.
constexpr std::array<std::string_view, 13> built_in{"t",
                                                    "kinetic",
                                                    "potential",
                                                    "energy",
                                                    "constraint",
                                                    "momentum.x",
                                                    "momentum.y",
                                                    "momentum.z",
                                                    "angular-momentum.x",
                                                    "angular-momentum.y",
                                                    "angular-momentum.z",
                                                    "rms",
                                                    "largest"};
constexpr std::array<const char*, 3> axes{".x", ".y", ".z"};

}  // namespace

bool ColumnNames::is_built_in(std::string_view name) {
  return std::find(built_in.begin(), built_in.end(), name) != built_in.end();
}

ColumnNames::ColumnNames(const Mechanism& mechanism)
    : coordinates_(mechanism.coordinate_names()), speeds_(mechanism.speed_names()), accelerations_(mechanism.speed_names()) {
  for (const Frame& frame : mechanism.frames())
    for (const char* axis : axes) frames_.push_back(frame.name + axis);
  for (std::string& name : accelerations_) name += '\'';

  const auto take = [&](const std::string& name, const Place& place) {
    if (!table_.add(name, int(places_.size()))) return false;
    places_.push_back(place);
    return true;
  };
  for (const std::string_view name : built_in) take(std::string(name), {Kind::built_in, 0, 0});
  struct Clash {
    std::string* name;
    Place place;
    const char* prefix;
  };
  std::vector<Clash> clashes;  // named when all plain names are known, so that no plain name is ever taken away
  const auto take_all = [&](std::vector<std::string>& names, Kind kind, int width, const char* prefix) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Place place{kind, int(i) / width, int(i) % width};
      if (!take(names[i], place)) clashes.push_back({&names[i], place, prefix});
    }
  };
  take_all(coordinates_, Kind::coordinate, 1, "coordinate.");
  take_all(speeds_, Kind::speed, 1, "speed.");
  take_all(frames_, Kind::frame, 3, "frame.");
  take_all(accelerations_, Kind::acceleration, 1, "acceleration.");
  for (const Clash& clash : clashes) {
    do clash.name->insert(0, clash.prefix);
    while (!take(*clash.name, clash.place));
  }
}

std::optional<ColumnNames::Place> ColumnNames::find(std::string_view name) const {
  const auto index = table_.find(name);
  return index ? std::optional(places_[std::size_t(*index)]) : std::nullopt;
}

std::vector<std::string> ColumnNames::notes(const Mechanism& mechanism, const std::vector<int>& tracked) const {
  std::vector<std::string> notes;
  const auto add = [&](const char* what, const std::string& plain, const std::string& name) {
    if (plain == name) return;
    notes.push_back(fmt::format("{} \"{}\" is the column \"{}\", because {} column is called \"{}\"", what, plain, name,
                                is_built_in(plain) ? "a built-in" : "another", plain));
  };
  for (std::size_t i = 0; i < coordinates_.size(); ++i) add("coordinate", mechanism.coordinate_names()[i], coordinates_[i]);
  for (std::size_t i = 0; i < speeds_.size(); ++i) add("speed", mechanism.speed_names()[i], speeds_[i]);
  for (const int f : tracked)
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
      add("the position", mechanism.frames()[std::size_t(f)].name + axes[axis], frame(f, int(axis)));
  return notes;
}

std::vector<std::string> distinct(std::vector<std::string> names, const std::vector<std::string>& reserved,
                                  const std::string& prefix) {
  std::unordered_set<std::string> taken(reserved.begin(), reserved.end());
  for (std::string& name : names)
    while (!taken.insert(name).second) name.insert(0, prefix);
  return names;
}

}  // namespace polhode::study
