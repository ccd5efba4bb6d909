#include "tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "../numbers.h"
#include "verdicts.h"

namespace polhode::bench {

std::vector<const Contest*> contests_of(std::span<const Contest> contests, const std::string& key) {
  std::vector<const Contest*> found;
  for (const Contest& contest : contests) {
    if (contest.key == key) found.push_back(&contest);
  }
  return found;
}

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

std::string fate(const Contest& contest, const RunOutcome& outcome) {
  const double end = contest.problem.steps * contest.problem.dt;
  const bool went_on = outcome.time_reached > end - contest.problem.dt / 2;
  return went_on ? "diverges" : fmt::format("fails at {:.2f} s", outcome.time_reached);
}

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

void print_own_counters(std::FILE* out, std::span<const Contest* const> contests, std::span<const Entrant> ours) {
  constexpr int width = 18;
  print_table(out, "Newton iterations per step; steps that were halved", contests, ours, width,
              [](const Contest& contest, const Entry& entry) {
                if (!entry.outcome.finished) return fate(contest, entry.outcome);
                return fmt::format("{:.2f}; {}", entry.outcome.iterations_per_step(contest.problem.steps),
                                   entry.outcome.counters.halved);
              });
}

void print_costs(std::FILE* out, std::span<const Contest> all, const std::string& key, const std::string& title) {
  const auto contests = contests_of(all, key);
  if (contests.empty()) return;
  const auto entrants = entrants_of(contests);
  print_table(out, fmt::format("{}, steps of 10 ms: microseconds per step", title), contests, entrants, 12,
              [](const Contest&, const Entry& entry) { return microseconds(entry.outcome); });
  if (const auto exponent = our_exponent(all, key)) fmt::print(out, "  ours grows as n^{:.3f} from 30 links on\n", *exponent);

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

}  // namespace polhode::bench
