#include "report.h"

#include <fmt/format.h>

#include "tables.h"

namespace polhode::bench {
namespace {

std::string percent(double fraction) { return fmt::format("{:+.3g} %", 100 * fraction); }

/// A table with one row for each entrant and what was measured of it in columns.
void print_contest(std::FILE* out, const Contest& contest, bool has_exact_motion) {
  fmt::print(out, "{:<{}}{:>12}{:>14}{:>14}{:>14}{:>12}", "", label_width, "us per step", "energy, end", "last tenth",
             "largest", "gap [m]");
  if (has_exact_motion) fmt::print(out, "{:>14}{:>14}", "rms off [m]", "largest [m]");
  fmt::print(out, "\n");
  for (const Entry& entry : contest.entries) {
    const RunOutcome& outcome = entry.outcome;
    fmt::print(out, "  {:<{}}", entry.entrant.label, label_width - 2);
    if (!outcome.finished) {
      fmt::print(out, "  {}: {}\n", fate(contest, outcome), outcome.reason.data());
      continue;
    }
    fmt::print(out, "{:>12}{:>14}{:>14}{:>14}{:>12.1e}", microseconds(outcome), percent(outcome.drift_end),
               percent(outcome.drift_late), fmt::format("{:.3g} %", 100 * outcome.drift_largest), outcome.gap);
    if (has_exact_motion) fmt::print(out, "{:>14.2e}{:>14.2e}", outcome.deviation_rms, outcome.deviation_largest);
    fmt::print(out, "\n");
  }
}

}  // namespace

void print_chain(std::FILE* out, std::span<const Contest> all) {
  print_costs(out, all, "chain", "Planar chain of n links from 0.5 rad");
}

void print_whips(std::FILE* out, std::span<const Contest> all) {
  constexpr std::pair<const char*, const char*> kinds[]{
      {"whip", "Planar chain released from horizontal"},
      {"ball-whip", "Ball-joint chain turning at 1 rad/s about z, released from horizontal"},
      {"ball-swing", "Ball-joint chain turning at 1 rad/s about z, released from 0.5 rad"},
  };
  for (const auto& [key, title] : kinds) {
    const auto contests = contests_of(all, key);
    if (contests.empty()) continue;
    const auto entrants = entrants_of(contests);
    print_table(out, fmt::format("{}: energy error after 10 s (largest), relative to m g L n^2 / 2", title), contests, entrants,
                18, [](const Contest& contest, const Entry& entry) {
                  return entry.outcome.finished ? energy_error(entry.outcome) : fate(contest, entry.outcome);
                });
    print_reasons(out, contests);
    const auto ours = only(entrants, true);
    print_own_counters(out, contests, ours);
    print_table(out, "microseconds per step", contests, ours, 18,
                [](const Contest&, const Entry& entry) { return microseconds(entry.outcome); });
  }
}

void print_loops(std::FILE* out, std::span<const Contest> all) {
  for (const Contest* contest : contests_of(all, "device")) {
    fmt::print(out, "\nClosed-chain device, 120 s at 10 ms; energy errors relative to {:.4f} J\n",
               contest->problem.energy_scale);
    print_contest(out, *contest, false);
  }
  for (const Contest* contest : contests_of(all, "lift")) {
    fmt::print(out, "\nScissor lift, 10 s at 10 ms; energy errors relative to {:.2f} J; slider against the exact motion\n",
               contest->problem.energy_scale);
    print_contest(out, *contest, true);
  }
}

}  // namespace polhode::bench
