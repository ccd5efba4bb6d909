#include "summary_lines.h"

#include <fmt/format.h>

namespace polhode::cli {

std::vector<std::pair<std::string, std::string>> summary_lines(const study::SimulateSummary& s) {
  std::vector<std::pair<std::string, std::string>> lines;
  const auto line = [&](const char* name, std::string value) { lines.emplace_back(name, std::move(value)); };
  line("time", fmt::format("{:.9g} to {:.9g} s", s.time_start, s.time_end));
  line("steps", s.steps.rejected > 0 ? fmt::format("{} and {} rejected", s.steps.steps, s.steps.rejected)
                                     : fmt::format("{}", s.steps.steps));
  line("wall time", fmt::format("{:.3g} s, {:.3g} times real time", s.wall_time, s.real_time_factor));
  line("energy", fmt::format("{:.9g} J at the start, {:.9g} J at the end", s.energy_start, s.energy_end));
  line(s.conservative ? "energy drift" : "energy change", fmt::format("{:+.3g} J", s.energy_drift()));
  if (s.kept_momenta > 0) line("momentum error", fmt::format("{:.3g} of {:.3g}", s.momentum_error, s.momentum_size));
  line("constraint error", fmt::format("{:.3g}", s.constraint_error));
  for (const study::EventCount& event : s.event_counts) line("event", fmt::format("\"{}\": {}", event.name, event.count));
  if (!s.stopped_by.empty()) line("stopped by", s.stopped_by);
  return lines;
}

}  // namespace polhode::cli
