#pragma once
/// Tables of contests: one row for each entrant, one column for each size.

#include <cstdio>
#include <functional>

#include "contest.h"

namespace polhode::bench {

inline constexpr int label_width = 36;

std::vector<const Contest*> contests_of(std::span<const Contest> contests, const std::string& key);

/// Everybody who takes part in any of them, in the order of the entries.
std::vector<Entrant> entrants_of(std::span<const Contest* const> contests);
/// Ours, or the others.
std::vector<Entrant> only(std::span<const Entrant> entrants, bool ours);

using Cell = std::function<std::string(const Contest&, const Entry&)>;

/// "-" where an entrant does not take part.
void print_table(std::FILE* out, const std::string& heading, std::span<const Contest* const> contests,
                 std::span<const Entrant> rows, int width, const Cell& cell);

// What stands in the cells.
std::string microseconds(const RunOutcome& outcome);
std::string energy_error(const RunOutcome& outcome);
/// What became of a run that did not finish.
std::string fate(const Contest& contest, const RunOutcome& outcome);

/// Why runs did not finish; once for all n for which an entrant has the same reason.
void print_reasons(std::FILE* out, std::span<const Contest* const> contests);
/// Newton's iterations and halved steps.
void print_own_counters(std::FILE* out, std::span<const Contest* const> contests, std::span<const Entrant> ours);

/// The contests with that key: time per step, ours' growth with n, ratios, energy errors, counters.
void print_costs(std::FILE* out, std::span<const Contest> all, const std::string& key, const std::string& title);

}  // namespace polhode::bench
