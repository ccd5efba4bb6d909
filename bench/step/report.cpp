#include "report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "../numbers.h"

namespace polhode::bench {
namespace {

constexpr int label_width = 36;

std::vector<const Contest*> contests_of(std::span<const Contest> contests, const std::string& key) {
  std::vector<const Contest*> found;
  for (const Contest& contest : contests) {
    if (contest.key == key) found.push_back(&contest);
  }
  return found;
}

/// Everybody who takes part in any of them, in the order of the entries.
std::vector<Entrant> entrants_of(std::span<const Contest* const> contests) {
  std::vector<Entrant> entrants;
  for (const Contest* contest : contests) {
    for (const Entry& entry : contest->entries) {
      const bool known =
          std::any_of(entrants.begin(), entrants.end(), [&](const Entrant& e) { return e.label == entry.entrant.label; });
      if (!known) entrants.push_back(entry.entrant);
    }
  }
  return entrants;
}

using Cell = std::function<std::string(const Contest&, const Entry&)>;

/// One row for each entrant, one column for each contest; "-" where an entrant does not take part.
void print_table(std::FILE* out, const std::string& heading, std::span<const Contest* const> contests,
                 std::span<const Entrant> rows, int width, const Cell& cell) {
  if (rows.empty()) return;
  fmt::print(out, "\n{}\n{:<{}}", heading, "", label_width);
  for (const Contest* contest : contests) fmt::print(out, "{:>{}}", fmt::format("n = {}", contest->n), width);
  fmt::print(out, "\n");
  for (const Entrant& row : rows) {
    fmt::print(out, "  {:<{}}", row.label, label_width - 2);
    for (const Contest* contest : contests) {
      const Entry* entry = find_entry(*contest, row.engine, row.method);
      fmt::print(out, "{:>{}}", entry ? cell(*contest, *entry) : "-", width);
    }
    fmt::print(out, "\n");
  }
}

/// Ours, or the others.
std::vector<Entrant> only(std::span<const Entrant> entrants, bool ours) {
  std::vector<Entrant> chosen;
  std::copy_if(entrants.begin(), entrants.end(), std::back_inserter(chosen),
               [ours](const Entrant& e) { return e.is_ours() == ours; });
  return chosen;
}

std::string microseconds(const RunOutcome& outcome) {
  return outcome.is_timed() ? three_digits(1e6 * outcome.seconds_per_step()) : "-";
}

std::string energy_error(const RunOutcome& outcome) {
  return fmt::format("{:+.0e} ({:.0e})", outcome.drift_end, outcome.drift_largest);
}

/// What became of a run that did not finish.
std::string fate(const Contest& contest, const RunOutcome& outcome) {
  const double end = contest.problem.steps * contest.problem.dt;
  const bool went_on = outcome.time_reached > end - contest.problem.dt / 2;
  return went_on ? "diverges" : fmt::format("fails at {:.2f} s", outcome.time_reached);
}

/// Why runs did not finish; once for all n for which an entrant has the same reason.
void print_reasons(std::FILE* out, std::span<const Contest* const> contests) {
  std::vector<std::pair<std::string, std::vector<std::string>>> lengths_of;  // by entrant and reason
  for (const Contest* contest : contests) {
    for (const Entry& entry : contest->entries) {
      if (entry.outcome.finished) continue;
      const std::string line = fmt::format("{}: {}", entry.entrant.label, entry.outcome.reason.data());
      const auto known = std::find_if(lengths_of.begin(), lengths_of.end(), [&](const auto& l) { return l.first == line; });
      auto& lengths = known == lengths_of.end() ? lengths_of.emplace_back(line, std::vector<std::string>{}) : *known;
      lengths.second.push_back(fmt::format("{}", contest->n));
    }
  }
  for (const auto& [line, lengths] : lengths_of) fmt::print(out, "  {} (n = {})\n", line, fmt::join(lengths, ", "));
}

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

void print_own_counters(std::FILE* out, std::span<const Contest* const> contests, std::span<const Entrant> ours) {
  constexpr int width = 18;
  print_table(out, "Newton iterations per step; steps that were halved", contests, ours, width,
              [](const Contest& contest, const Entry& entry) {
                if (!entry.outcome.finished) return fate(contest, entry.outcome);
                return fmt::format("{:.2f}; {}", entry.outcome.iterations_per_step(contest.problem.steps),
                                   entry.outcome.counters.halved);
              });
}

}  // namespace

void print_chain(std::FILE* out, std::span<const Contest> all) {
  const auto contests = contests_of(all, "chain");
  if (contests.empty()) return;
  const auto entrants = entrants_of(contests);
  print_table(out, "Planar chain of n links from 0.5 rad, steps of 10 ms: microseconds per step", contests, entrants, 12,
              [](const Contest&, const Entry& entry) { return microseconds(entry.outcome); });
  if (const auto exponent = our_exponent(all)) fmt::print(out, "  ours grows as n^{:.3f} from 30 links on\n", *exponent);

  print_table(out, "peer / ours", contests, only(entrants, false), 12,
              [](const Contest& contest, const Entry& entry) -> std::string {
                const Entry* ours = find_entry(contest, "polhode");
                if (!ours || !ours->outcome.is_timed() || !entry.outcome.is_timed()) return "-";
                return three_digits(entry.outcome.seconds_per_step() / ours->outcome.seconds_per_step());
              });
  print_table(out, "energy error after 10 s (largest on the way), relative to m g L n^2 / 2", contests, entrants, 18,
              [](const Contest& contest, const Entry& entry) {
                if (!entry.outcome.finished) return fate(contest, entry.outcome);
                return entry.plan.trace ? energy_error(entry.outcome) : "-";
              });
  print_own_counters(out, contests, only(entrants, true));
  print_reasons(out, contests);
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
