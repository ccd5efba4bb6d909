#include "entrants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace polhode::bench {
namespace {

struct Engine {
  std::string_view name;
  MakeStepSubject make = nullptr;
  std::string (*version)() = nullptr;
};

constexpr std::array engines{
#ifdef POLHODE_BENCH_OURS
    Engine{"polhode", make_polhode_step, polhode_version},
#else
    Engine{"polhode"},
#endif
#ifdef POLHODE_BENCH_MUJOCO
    Engine{"mujoco", make_mujoco_step, mujoco_version},
#else
    Engine{"mujoco"},
#endif
#ifdef POLHODE_BENCH_SIMBODY
    Engine{"simbody", make_simbody_step, simbody_version},
#else
    Engine{"simbody"},
#endif
#ifdef POLHODE_BENCH_BULLET
    Engine{"bullet", make_bullet_step, bullet_version},
#else
    Engine{"bullet"},
#endif
#ifdef POLHODE_BENCH_DART
    Engine{"dart", make_dart_step, dart_version},
#else
    Engine{"dart"},
#endif
#ifdef POLHODE_BENCH_ODE
    Engine{"ode", make_ode_step, ode_version},
#else
    Engine{"ode"},
#endif
};

}  // namespace

std::vector<Entrant> entrants_named(const std::vector<std::string>& names) {
  std::vector<Entrant> entrants;
  for (const std::string& name : names) {
    const std::size_t space = name.find(' ');
    const std::string engine = name.substr(0, space), method = name.substr(space + 1);
    const auto found = std::find_if(engines.begin(), engines.end(), [&](const Engine& e) { return e.name == engine; });
    if (found == engines.end()) throw std::logic_error(fmt::format("no engine \"{}\"", engine));
    if (found->make) entrants.push_back({engine, method, fmt::format("{} {}", found->version(), method), found->make});
  }
  return entrants;
}

std::vector<std::string> engines_missing() {
  std::vector<std::string> missing;
  for (const Engine& engine : engines) {
    if (!engine.make) missing.emplace_back(engine.name);
  }
  return missing;
}

}  // namespace polhode::bench
