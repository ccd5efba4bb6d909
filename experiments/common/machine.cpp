#include "machine.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <thread>

#include "../../bench/step/entrants.h"

namespace polhode::experiments {

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  std::string model = "unknown processor";
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) != 0 || colon == std::string::npos) continue;
    model = line.substr(colon + 2);
    break;
  }
  const unsigned cores = std::thread::hardware_concurrency();
  return fmt::format("{}, {} {}", model, cores, cores == 1 ? "core" : "cores");
}

std::string compiler() {
#ifdef __clang__
  return fmt::format("clang++ {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::string now() { return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr))); }

std::vector<std::string> engines() {
  std::vector<std::string> labels;
  // A label is the version and the method; here there is no method.
  for (const bench::Entrant& entrant : bench::entrants_named({"polhode ", "ode ", "simbody ", "mujoco ", "dart ", "bullet "})) {
    labels.push_back(entrant.label.substr(0, entrant.label.find_last_not_of(' ') + 1));
  }
  return labels;
}

std::vector<std::string> no_engines() { return bench::engines_missing(); }

}  // namespace polhode::experiments
